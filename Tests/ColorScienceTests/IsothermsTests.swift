import Testing

@testable import ColorScience

struct IsothermsTests {
  private static let isotherms = TabulatedLocus.guess.isotherms

  /// The piece begins at the last normal whose distance is not negative; above the evolute the
  /// distances fall.
  @Test func piecesByHalving() {
    for step in 0..<2000 {
      let mired = Double(step) + 0.5
      for duv in [-0.05, 0, 0.05] {
        let p = UCS1960(
          Chromaticity(CorrelatedColorTemperature(mired: mired, duv: duv)))
        let piece = Self.isotherms.piece(p.u, p.v)
        let expected = (0..<500).last { Self.isotherms.distance($0, p.u, p.v) >= 0 } ?? 0
        #expect(piece == expected)
        let both = Self.isotherms.distances(piece, p.u, p.v)
        #expect(both.x == Self.isotherms.distance(piece, p.u, p.v))
        #expect(both.y == Self.isotherms.distance(piece + 1, p.u, p.v))
      }
    }
  }

  /// Each point belongs to the nearest point of the grid, whose hint is its own piece.
  @Test func hints() {
    for column in 0..<128 {
      for row in 0..<64 {
        let (u, v) = (Double(column) / 128, Double(row) / 128)
        let piece = Self.isotherms.piece(u, v)
        for (du, dv) in [(0.0, 0.0), (0.49, -0.49), (-0.49, 0.49)] {
          let cell = PieceGuess.cell(u + du / 128, v + dv / 128)
          if column > 0, row > 0 || du == 0 {
            #expect(TabulatedLocus.guess.hint(cell) == piece, "\(column) \(row)")
          }
        }
      }
    }
  }

  @Test func numbersOfPieces() {
    for piece in 0..<512 { #expect(PieceGuess.number(piece) == Double(piece)) }
  }

  /// The position between two normals follows from both distances: 1 behind the first and 3 before
  /// the second is a quarter of the way.
  @Test func places() {
    let (piece, t) = PieceGuess.place(1, -3, near: 7)
    #expect(piece == 7 && t == -0.5)
    let next = PieceGuess.place(5, 1, near: 7)
    #expect(next.piece == 8 && next.t == -0.5)
    let before = PieceGuess.place(-1, -5, near: 7)
    #expect(before.piece == 6 && before.t == 0.5)
    let (first, low) = PieceGuess.place(-3, -4, near: 1)
    #expect(first == 0 && low == -5)
    let (last, high) = PieceGuess.place(4, 3, near: 498)
    #expect(last == 499 && high == 5)
    #expect(PieceGuess.place(.nan, 1, near: 7).piece == 0)
  }
}
