import Foundation
import Testing

@testable import ColorScience

struct StandardObserverTests {
  @Test(arguments: [
    (StandardObserver.cie1931, "CIE_xyz_1931_2deg.csv"), (.cie1964, "CIE_xyz_1964_10deg.csv"),
  ])
  func everyFigure(observer: StandardObserver, file: String) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Reference/\(file)")
    let rows = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    try #require(rows.count == 471 && observer.table.count == 471)
    for (index, row) in rows.enumerated() {
      let functions = try #require(observer.colorMatchingFunctions(at: Double(360 + index)))
      #expect(row == [Double(360 + index), functions.x, functions.y, functions.z])
    }
  }

  /// Luminance has its maximum of 1 at 555 nm for 2° and at 557 nm for 10°.
  @Test(arguments: [(StandardObserver.cie1931, 555.0), (.cie1964, 557.0)])
  func greatestLuminance(observer: StandardObserver, peak: Double) {
    let best = (360...830).map(Double.init).max {
      observer.colorMatchingFunctions(at: $0)!.y < observer.colorMatchingFunctions(at: $1)!.y
    }
    #expect(best == peak)
    #expect(observer.colorMatchingFunctions(at: peak)?.y == 1)
  }

  /// The sums of the three functions differ in the fourth digit, so that the white of equal energy
  /// is not exactly at x = y = 1/3.
  @Test(arguments: [
    (StandardObserver.cie1931, 106.865469, 106.856917, 106.892251),
    (.cie1964, 116.648520, 116.661877, 116.673981),
  ])
  func equalEnergy(observer: StandardObserver, x: Double, y: Double, z: Double) {
    let flat = SpectralDistribution(
      first: 360, step: 1, values: [Double](repeating: 1, count: 471))
    let sum = flat.xyz(observer: observer)
    #expect(abs(sum.x - x) < 1e-6 && abs(sum.y - y) < 1e-6 && abs(sum.z - z) < 1e-6, "\(sum)")
    let white = Chromaticity(sum)
    #expect(abs(white.x - 1 / 3.0) < 5e-5 && abs(white.y - 1 / 3.0) < 5e-5, "\(white)")
  }

  @Test func betweenAndBeyondTheTable() throws {
    for observer in StandardObserver.allCases {
      let low = try #require(observer.colorMatchingFunctions(at: 600))
      let middle = try #require(observer.colorMatchingFunctions(at: 600.25))
      let high = try #require(observer.colorMatchingFunctions(at: 601))
      #expect(abs(middle.x - (0.75 * low.x + 0.25 * high.x)) < 1e-15)
      #expect(abs(middle.y - (0.75 * low.y + 0.25 * high.y)) < 1e-15)
      for wavelength in [359.999, 830.001, .nan, .infinity] as [Double] {
        #expect(observer.colorMatchingFunctions(at: wavelength) == nil)
      }
    }
  }

  @Test func aPropertyForTheUsualObserver() {
    let spectrum = SpectralDistribution.planckian(kelvin: 2856)
    #expect(spectrum.xyz == spectrum.xyz(observer: .cie1931))
    #expect(spectrum.xyz != spectrum.xyz(observer: .cie1964))
  }
}
