import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

struct CellGridTests {
  /// A flat frame whose pixels scatter by a twentieth.
  private static func grid() throws -> CellGrid {
    let layout = try FrameLayout(width: 512, height: 64, format: .rgb16)
    var frame = RenderedFrame(layout, seed: 4)
    frame.render { _, _, random in
      let scatter = SIMD3(random.normal(), random.normal(), random.normal())
      return SIMD3(0.4, 0.5, 0.25) * (1 + 0.05 * scatter)
    }
    return try CellGrid(frame.bytes.span, layout: layout)
  }

  /// Cells of a flat frame scatter as much as they say, and their pixels by a twentieth.
  @Test func noiseOfCells() throws {
    let grid = try Self.grid()
    #expect(grid.columns == 128 && grid.rows == 16)
    let count = Double(grid.cells.count)
    func mean(_ value: (CellGrid.Cell) -> SIMD3<Double>) -> SIMD3<Double> {
      grid.cells.reduce(.zero) { $0 + value($1) } / count
    }
    let center = mean(\.logLinear)
    let scatter = mean { ($0.logLinear - center) * ($0.logLinear - center) }
    let noise = mean(\.noise)
    // Of 16 pixels, around whose own mean they scatter less by a sixteenth.
    let expected = 0.0025 / 16
    for channel in 0..<3 {
      let ratios = (scatter[channel] / expected, noise[channel] / expected)
      #expect(abs(ratios.0 - 1) < 0.15)
      #expect(abs(ratios.1 - 0.9375) < 0.05)
    }
    let texture = grid.cells.reduce(0) { $0 + $1.texture } / count
    #expect(abs(texture - 0.05) < 0.004)
    #expect(abs(center.x - center.y - logarithm(0.8)) < 0.002)
    #expect(abs(center.z - center.y - logarithm(0.5)) < 0.002)
  }
}
