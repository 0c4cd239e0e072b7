/// The normals to the Planckian locus at the ends of its pieces. A point belongs to the piece
/// between whose normals it lies.
///
/// The signed distance of a point from a normal along the locus, u·tangentU + v·tangentV − offset,
/// is positive on the red side. Above the evolute these distances fall monotonically from normal to
/// normal.
struct Isotherms: Sendable {
  /// Values at 0, 4 … 2048 mired; those beyond 2000 mired belong to the tangent of the cold end.
  private let tangentU, tangentV, offset: ImmortalTable<Double>

  init(nodes: [LocusPoint]) {
    let points = (0...512).map { nodes[min($0, nodes.count - 1)] }
    let (tangentU, tangentV) = (points.map { $0.du / $0.speed }, points.map { $0.dv / $0.speed })
    self.tangentU = ImmortalTable(tangentU)
    self.tangentV = ImmortalTable(tangentV)
    offset = ImmortalTable(
      points.indices.map {
        let beyond = Double(max(0, $0 - nodes.count + 1)) * TabulatedLocus.pieceWidth
        return points[$0].u * tangentU[$0] + points[$0].v * tangentV[$0] + beyond * points[$0].speed
      })
  }

  /// Returns the signed distance of a point from the normal at 4·`index` mired.
  @inline(__always)
  func distance(_ index: Int, _ u: Double, _ v: Double) -> Double {
    u * tangentU[index] + v * tangentV[index] - offset[index]
  }

  /// Returns the signed distances of a point from a piece's first and second normal.
  @inline(__always)
  func distances(_ piece: Int, _ u: Double, _ v: Double) -> SIMD2<Double> {
    u * tangentU.pair(at: piece) + v * tangentV.pair(at: piece) - offset.pair(at: piece)
  }

  /// Finds the piece between whose normals a point lies, by bisection; the first or last one beyond
  /// the ends.
  func piece(_ u: Double, _ v: Double) -> Int {
    var index = 0
    var step = 256
    while step > 0 {
      if distance(index + step, u, v) >= 0 { index += step }
      step >>= 1
    }
    return min(index, TabulatedLocus.pieceCount - 1)
  }
}

/// An estimate of the foot of a point on the locus: a grid gives a piece nearby, and two steps then
/// give the foot as if the locus were straight there.
///
/// It has no branch, so that loops over it are vectorized; bisection would take nine steps, each of
/// which waits for the previous one.
struct PieceGuess: Sendable {
  let isotherms: Isotherms
  /// Pieces for the points of a grid with a spacing of 1/128, 0 ≤ u < 1, 0 ≤ v < ½.
  private let hints: ImmortalTable<UInt16>

  init(_ isotherms: Isotherms) {
    self.isotherms = isotherms
    hints = ImmortalTable(
      (0..<128 * 64).map { cell in
        let (u, v) = (Double(cell >> 6) / 128, Double(cell & 63) / 128)
        return UInt16(isotherms.piece(u, v))
      })
  }

  /// Rounds a number to an integer when added to it, and places the integer in the last bits.
  private static let rounding = 0x1.8p52

  /// Converts a piece's index to `Double`.
  @inline(__always)
  static func number(_ piece: Int) -> Double {
    Double(bitPattern: rounding.bitPattern | UInt64(truncatingIfNeeded: piece)) - rounding
  }

  /// Returns the index of the grid point nearest to a point; for a point outside the grid, any
  /// index.
  @inline(__always)
  static func cell(_ u: Double, _ v: Double) -> Int {
    let column = (u * 128 + rounding).bitPattern & 127
    let row = (v * 128 + rounding).bitPattern & 63
    return Int(truncatingIfNeeded: column << 6 | row)
  }

  @inline(__always)
  func hint(_ cell: Int) -> Int { Int(truncatingIfNeeded: hints[cell]) }

  /// Returns the piece and the position in it, −1…1, of a point at distances `first` and `second`
  /// from the normals of a nearby piece, as if the locus were straight. Beyond the ends the
  /// position is outside −1…1.
  @inline(__always)
  static func place(
    _ first: Double, _ second: Double, near piece: Int
  ) -> (piece: Int, t: Double) {
    let position = number(piece) + first / (first - second)
    // With this order of arguments NaN gives the first piece.
    let held = max(0, min(position - 0.5, Double(TabulatedLocus.pieceCount - 1)))
    let rounded = held + rounding
    return (
      Int(truncatingIfNeeded: rounded.bitPattern & 0x1FF), 2 * (position - (rounded - rounding)) - 1
    )
  }
}
