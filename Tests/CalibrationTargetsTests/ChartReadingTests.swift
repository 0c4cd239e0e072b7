import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

struct ChartReadingTests {
  /// An upright chart of 40 pixels a patch, whose first patch is at (30, 20), in 16 bits.
  private struct Chart {
    var light: [SIMD3<Double>]
    var shading: (SIMD2<Double>) -> Double = { _ in 1 }
    var noise = 0.01
    var border = 0.04

    init() {
      let camera = MeasuredSensor.all[0], lamp = MeasuredLamp(named: "D65")!.spectrum
      let white = camera.response(to: lamp).vector.max()
      light = ColorChart.classicFrom2014.patches.map { patch in
        camera.response(to: lamp) { patch.reflectance[$0] }.vector * 0.8 / white
      }
    }

    static let proposal = ChartProposal(
      confidence: 1, grid: Homography(Matrix3x3(SIMD3(40, 0, 30), SIMD3(0, 40, 20), SIMD3(0, 0, 1)))
    )

    func frame(_ change: (Int, Int, SIMD3<Double>) -> SIMD3<Double> = { $2 }) throws -> Frame {
      var rendered = RenderedFrame(
        try FrameLayout(width: 300, height: 200, format: .rgb16), seed: 3)
      rendered.render { x, y, random in
        let place = (SIMD2(Double(x), Double(y)) + 0.5 - SIMD2(30, 20)) / 40
        let inside = place - place.rounded(.down)
        let isPatch =
          place.min() >= 0 && place.x < 6 && place.y < 4 && inside.min() > 0.06
          && inside.max() < 0.94
        let surface =
          isPatch ? light[Int(place.y) * 6 + Int(place.x)] : light[18] / 0.9 * border
        let noisy = surface * (1 + noise * SIMD3(random.normal(), random.normal(), random.normal()))
        return change(x, y, noisy * shading(place))
          .clamped(lowerBound: .zero, upperBound: .one)
      }
      return try rendered.frame
    }

    func reading(
      _ change: (Int, Int, SIMD3<Double>) -> SIMD3<Double> = { $2 }
    ) throws -> ChartReading {
      try ChartReader().read(Self.proposal, in: frame(change))
    }
  }

  /// About 68 % of 72 means are within their stated standard errors, and none is beyond 5 of them.
  @Test func patchesAndTheirErrors() throws {
    let chart = Chart()
    let reading = try chart.reading()
    #expect(reading.problems.isEmpty, "\(reading.problems)")
    #expect(reading.patches.map(\.name) == ColorChart.classicFrom2014.patches.map(\.name))
    var within = 0
    for (patch, light) in zip(reading.patches, chart.light) {
      let error = try #require(patch.standardError).vector
      // The shading measured on the frame is the same for all channels.
      let off = (patch.response.vector * patch.shading - light) / error
      within += (0..<3).count { abs(off[$0]) < 1 }
      #expect((off * off).max() < 25, "\(patch.name)")
      // The middle half of a patch: 20 × 20 pixels.
      #expect(patch.pixels?.total == 400)
      #expect((error / light * 20 / chart.noise).max() < 1.3, "\(patch.name)")
    }
    #expect((38...58).contains(within), "\(within)")
  }

  /// A gradient of the illumination across the chart is divided out, as measured on the frame.
  @Test func unevenLight() throws {
    var chart = Chart()
    chart.shading = { exponential(0.05 * ($0.x - 3) - 0.04 * ($0.y - 2)) }
    let reading = try chart.reading()
    #expect(reading.problems.isEmpty, "\(reading.problems)")
    #expect(try #require(reading.shadingError) < 0.01)
    for (patch, light) in zip(reading.patches, chart.light) {
      #expect(abs(patch.response.green / light.y - 1) < 0.012, "\(patch.name)")
    }
    // If the frame is too dark to be measured, the values stay unchanged.
    chart.border = 0.0001
    let dark = try chart.reading()
    #expect(dark.shadingError == nil)
    #expect(dark.patches.allSatisfy { $0.shading == 1 })
  }

  private func hasProblem(
    _ reading: ChartReading, only patch: Int, _ matches: (ChartReading.Problem) -> Bool
  ) -> Bool {
    reading.patches.indices.allSatisfy { index in
      let problems = reading.patches[index].problems
      return index == patch ? problems.contains(where: matches) : problems.isEmpty
    } && reading.problems.allSatisfy { $0.hasPrefix(reading.patches[patch].name) }
  }

  @Test func clippedPatches() throws {
    var chart = Chart()
    chart.light[15].x = 1.2
    let reading = try chart.reading()
    #expect(
      hasProblem(reading, only: 15) {
        if case .pixels(.clipped(.red, _)) = $0 { true } else { false }
      }, "\(reading.problems)")
  }

  /// Dust and hot pixels are ignored; a large object is not.
  @Test func dirt() throws {
    let chart = Chart()
    let clean = try chart.reading { x, y, light in (x * 7 + y * 13) % 97 == 0 ? light * 0.1 : light
    }
    #expect(clean.problems.isEmpty, "\(clean.problems)")
    for (patch, light) in zip(clean.patches, chart.light) {
      #expect(abs(patch.response.green * patch.shading / light.y - 1) < 0.01, "\(patch.name)")
    }
    // Half of the patch in the second row and first column is covered.
    let dirty = try chart.reading { x, y, light in
      30..<50 ~= x && 60..<100 ~= y ? SIMD3(0.1, 0.1, 0.4) : light
    }
    #expect(
      hasProblem(dirty, only: 6) { if case .pixels(.mixedColors) = $0 { true } else { false } },
      "\(dirty.problems)")
  }

  @Test func patchesOfOtherColors() throws {
    var chart = Chart()
    chart.light[7] = chart.light[14]
    let reading = try chart.reading()
    #expect(
      hasProblem(reading, only: 7) { if case .color = $0 { true } else { false } },
      "\(reading.problems)")
    #expect(reading.problems[0].hasPrefix("purplish blue does not fit the colors"))
  }

  /// A gray patch in a shadow, and an unknown tone curve, are reported.
  @Test func grayPatches() throws {
    var chart = Chart()
    chart.light[20] *= 0.7
    let shadowed = try chart.reading()
    #expect(
      hasProblem(shadowed, only: 20) {
        if case .brightness(let factor) = $0 { abs(factor - 0.7) < 0.04 } else { false }
      }, "\(shadowed.problems)")
    chart = Chart()
    chart.light = chart.light.map { light in
      SIMD3((0..<3).map { TransferFunction.sRGB.encoded(light[$0]) })
    }
    #expect(
      try chart.reading().patches[22].problems.contains {
        if case .brightness = $0 { true } else { false }
      })
  }

  @Test func chartsThatAreTooSmall() throws {
    let small = ChartProposal(
      confidence: 1, grid: Homography(Matrix3x3(diagonal: SIMD3(6, 6, 1))))
    let reading = try ChartReader().read(small, in: Chart().frame())
    #expect(reading.patches.allSatisfy { !$0.problems.isEmpty })
    #expect(reading.problems[0].hasPrefix("dark skin has only 4 usable pixels; 16 are needed"))
    let outside = ChartProposal(
      confidence: 1,
      grid: Homography(Matrix3x3(SIMD3(40, 0, 900), SIMD3(0, 40, 900), SIMD3(0, 0, 1))))
    #expect(throws: FrameError.self) { try ChartReader().read(outside, in: Chart().frame()) }
  }

  private static let names = ColorChart.classicFrom2014.patches.map(\.name)

  private func table(
    header: String = "r,g,b,name", _ change: (Int, String) -> String? = { $1 }
  ) -> String {
    let rows = Chart().light.enumerated().compactMap { index, light in
      change(index + 1, "\(light.x),\(light.y),\(light.z),\(Self.names[index])")
    }
    return ([header] + rows).joined(separator: "\n")
  }

  private static func rows(_ table: String) -> [[String]] {
    let lines = table.split(whereSeparator: \.isNewline)
    return lines.map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  @Test func tables() throws {
    let reading = try ChartReading(rows: Self.rows(table()))
    #expect(reading.problems.isEmpty, "\(reading.problems)")
    for (patch, light) in zip(reading.patches, Chart().light) {
      #expect(patch.response.vector == light)
      #expect(patch.standardError == nil && patch.pixels == nil && patch.shading == 1)
    }
    let loose = table(header: " R, G ,B , Name\r\n") { row, text in
      (row == 19 ? text.replacing("white 9.5", with: "White") : text.replacing(",", with: " , "))
        + "\r\n\r\n"
    }
    #expect(try ChartReading(rows: Self.rows(loose)) == reading)
    let bare = table(header: "r,g,b") { row, text in
      text.split(separator: ",").prefix(3).joined(separator: ",")
    }
    #expect(try ChartReading(rows: Self.rows(bare)) == reading)
  }

  @Test func wrongTables() {
    func error(_ table: String) -> ChartTableError? {
      do {
        _ = try ChartReading(rows: Self.rows(table))
        return nil
      } catch { return error }
    }
    #expect(error("") == .header(""))
    #expect(error(table(header: "x,y,z")) == .header("x,y,z"))
    #expect(error(table { $0 == 9 ? nil : $1 }) == .rows(23))
    #expect(error(table { $1 + ($0 == 9 ? "\n\($1)" : "") }) == .rows(25))
    #expect(error(table { $0 == 4 ? "1,2,3" : $1 }) == .fields(row: 4, count: 3, needed: 4))
    for text in ["nan", "-0.1", "0", "inf", "x", ""] {
      #expect(
        error(table { $0 == 5 ? "1,\(text),1,\(Self.names[4])" : $1 })
          == .number(row: 5, text: text))
    }
    #expect(
      error(table { $0 == 2 ? $1.replacing("light skin", with: "light") : $1 }) == nil)
    #expect(
      error(table { $0 == 2 ? $1.replacing("light skin", with: "blue sky") : $1 })
        == .name(row: 2, text: "blue sky", expected: "light skin"))
    #expect(
      "\(error(table { $0 == 9 ? nil : $1 })!)".hasPrefix("there are 23 rows after the header"))
  }
}
