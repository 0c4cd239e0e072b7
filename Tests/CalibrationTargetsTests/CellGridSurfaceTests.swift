import ColorScience
import Testing
import WhiteBalance

@testable import CalibrationTargets

/// Tests of the conditions under which cells belong to one surface.
struct CellGridSurfaceTests {
  private static func cell(
    _ logLinear: SIMD3<Double> = .zero, noise: SIMD3<Double> = .zero
  ) -> CellGrid.Cell {
    CellGrid.Cell(logLinear: logLinear, noise: noise, texture: 0, isUsable: true)
  }

  /// Brightness may differ by the step, and by three standard deviations of noise up to 5 %.
  @Test func brightness() {
    for (noise, extra) in [(0.0, 0.0), (0.01, 0.03), (0.0166, 0.0498), (0.02, 0.05), (1, 0.05)] {
      let noisy = Self.cell(noise: SIMD3(0, noise * noise, 0))
      for step in [0.05, 0.7] {
        for (distance, joins) in [(step + extra - 1e-6, true), (step + extra + 1e-6, false)] {
          for sign in [1.0, -1] {
            let other = Self.cell(SIMD3(repeating: sign * distance))
            #expect(noisy.joins(other, step: step) == joins)
            #expect(other.joins(noisy, step: step) == joins)
          }
        }
      }
    }
  }

  /// Color may differ by 3 %, and by three standard deviations of a ratio's noise up to 10 %.
  @Test func color() {
    for (noise, extra) in [(0.0, 0.0), (0.01, 0.03), (0.033, 0.099), (0.034, 0.1), (1, 0.1)] {
      for channel in [0, 2] {
        // The noise of a ratio combines that of both channels.
        for noisyChannel in [channel, 1] {
          var variance = SIMD3<Double>.zero
          variance[noisyChannel] = noise * noise
          let noisy = Self.cell(noise: variance)
          for (distance, joins) in [(0.03 + extra - 1e-6, true), (0.03 + extra + 1e-6, false)] {
            for sign in [1.0, -1] {
              var color = SIMD3<Double>.zero
              color[channel] = sign * distance
              #expect(noisy.joins(Self.cell(color), step: 0.05) == joins)
              #expect(Self.cell(color).joins(noisy, step: 0.05) == joins)
            }
          }
        }
      }
    }
  }

  /// A grid of 20 columns and 2 rows of cells with 2×2 equal pixels.
  private static func grid(_ codes: (_ cell: Int) -> SIMD3<Int>) throws -> CellGrid {
    let layout = try FrameLayout(width: 40, height: 4, format: .rgb16)
    var bytes: [UInt8] = []
    for y in 0..<4 {
      for x in 0..<40 {
        let code = codes(y / 2 * 20 + x / 2)
        for channel in 0..<3 {
          bytes += [UInt8(code[channel] & 255), UInt8(code[channel] >> 8)]
        }
      }
    }
    return try CellGrid(bytes.span, layout: layout)
  }

  /// Of 40 cells in the order of their brightness, the result is number 38 minus number 2, divided
  /// by number 20.
  @Test func nonuniformity() throws {
    let grid = try Self.grid { cell in SIMD3(repeating: 1000 + 100 * (cell * 7 % 40)) }
    let all = CellMask(columns: 20, rows: 2, cells: [Bool](repeating: true, count: 40))
    #expect(abs(grid.nonuniformity(of: all) - (4800 - 1200) / 3000.0) < 1e-6)
    #expect(abs(grid.medianLogGreen(of: all) - logarithm(3000 / 65_535.0)) < 1e-6)
    var ten = all
    for cell in 10..<40 { ten.cells[cell] = false }
    // 0, 7, 14, 21, 28, 35, 2, 9, 16, 23: of ten cells, the tenth minus the first, divided by the
    // sixth.
    #expect(abs(grid.nonuniformity(of: ten) - (4500 - 1000) / 2600.0) < 1e-6)
  }

  /// The result has the cells whose color is within 6 % of the median of each ratio.
  @Test func medianColor() throws {
    let grid = try Self.grid { cell in
      let (red, blue) = (cell < 20 ? cell - 10 : 0, cell >= 20 ? cell - 30 : 0)
      return SIMD3(
        Int((20_000 * exponential(0.011 * Double(red))).rounded()), 20_000,
        Int((20_000 * exponential(0.011 * Double(blue))).rounded()))
    }
    let all = CellMask(columns: 20, rows: 2, cells: [Bool](repeating: true, count: 40))
    let middle = grid.medianLogRatios(of: all)
    #expect(abs(middle.x) < 1e-4 && abs(middle.y) < 1e-4)
    // Cells up to five steps of 1.1 % away on either side.
    #expect(grid.medianColor(of: all).covered == Array(5...15) + Array(25...35))
  }
}
