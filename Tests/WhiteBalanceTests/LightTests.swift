import ColorScience
import Foundation
import Testing
import WhiteBalance

struct LightTests {
  /// Coding keeps a light's own spectrum, or its absence, whatever its name implies.
  @Test func coding() throws {
    let warm = SpectralDistribution.planckian(kelvin: 2700)
    for light in [
      try Light(named: "A"), try Light(named: "2856K", uncertainty: 0.001),
      try Light(name: "A", spectrum: warm), try Light(name: "desk lamp", spectrum: warm),
      try Light(name: "D65", chromaticity: Chromaticity(x: 0.31, y: 0.33)),
      try Light(named: "xy:0.31,0.33"), try Light(named: "26K"), try Light(named: "100K"),
      try Light(named: "infK"),
    ] {
      #expect(light.spectrum?.values.allSatisfy(\.isFinite) != false)
      #expect(try JSONDecoder().decode(Light.self, from: JSONEncoder().encode(light)) == light)
    }
    let short = String(decoding: try JSONEncoder().encode(Light(named: "A")), as: UTF8.self)
    #expect(!short.contains("spectrum"))
  }

  @Test(arguments: [
    ("A", 0.44758, 0.40745), ("d65", 0.31272, 0.32903), ("LED-B3", 0.3756, 0.3723),
    ("xy:0.3127,0.3290", 0.3127, 0.3290), ("D5600K", 0.33016, 0.34555), ("2856K", 0.44757, 0.40744),
  ])
  func names(name: String, x: Double, y: Double) throws {
    let light = try Light(named: name)
    #expect(light.name == name)
    #expect(abs(light.chromaticity.x - x) < 1e-4)
    #expect(abs(light.chromaticity.y - y) < 1e-4)
  }

  /// A black body has Planck's spectrum, unless it is so cold that its power underflows. The name
  /// of a light off the locus implies no spectrum.
  @Test func spectraOfBlackBodies() throws {
    for kelvin in [100.0, 2856, 6504] {
      let body = try Light(named: "\(Int(kelvin))K")
      #expect(body.spectrum == .planckian(kelvin: kelvin))
      #expect(body.impliedClass == .thermal)
    }
    for name in ["99K", "4012K/+0.0031", "4012K/0", "xy:0.44757,0.40744"] {
      let light = try Light(named: name)
      #expect(light.spectrum == nil && light.impliedClass == nil, "\(name)")
    }
    let day = try Light(named: "D5600K")
    #expect(day.spectrum == .daylight(kelvin: 5600) && day.impliedClass == .daylight)
  }

  @Test func standardIlluminants() throws {
    for illuminant in StandardIlluminant.all {
      #expect(try Light(illuminant) == Light(named: illuminant.name))
    }
  }

  /// A measured spectrum gives the values that CIE published for the same table: all at 5 nm, and
  /// the smooth ones at 10 nm.
  @Test func coarseSpectra() throws {
    func distance(_ table: SpectralDistribution, _ white: Chromaticity) throws -> Double {
      let xy = try Light(name: "lamp", spectrum: table).chromaticity
      return max(abs(xy.x - white.x), abs(xy.y - white.y))
    }
    for illuminant in StandardIlluminant.all {
      let (name, white, table) = (illuminant.name, illuminant.chromaticity, illuminant.spectrum)
      #expect(try distance(table, white) <= 6.1e-5, "\(name)")
      if ["FL", "HP"].contains(where: name.hasPrefix) { continue }
      let half = stride(from: 0, to: table.values.count, by: 2).map { table.values[$0] }
      let coarse = SpectralDistribution(
        first: table.firstWavelength, step: 2 * table.step, values: half)
      #expect(try distance(coarse, white) <= 9e-5, "\(name)")
    }
  }

  /// Common spellings are accepted.
  @Test(arguments: [("4012K/\u{2212}0.0031", "4012K/-0.0031"), ("2856 K", "2856K")])
  func otherSpellings(name: String, plain: String) throws {
    #expect(try Light(named: name).chromaticity == Light(named: plain).chromaticity)
  }

  /// A comma in place of the decimal point does not give a light with y = 3127.
  @Test(arguments: ["xy:0,3127", "xy:1.1,0.3"]) func noLightIsBeyondOne(name: String) {
    #expect(throws: LightError.notReal(name)) { try Light(named: name) }
  }

  @Test func temperatureAndDuv() throws {
    let green = try Light(named: "4012K/+0.0031").chromaticity
    let found = try #require(CorrelatedColorTemperature(green))
    #expect(abs(found.kelvin - 4012) < 1e-6)
    #expect(abs(found.duv - 0.0031) < 1e-12)
    let magenta = try #require(
      CorrelatedColorTemperature(try Light(named: "4012K/-0.0031").chromaticity))
    #expect(abs(magenta.duv + 0.0031) < 1e-12)
  }

  @Test(arguments: [
    "", "D66", "xy:", "xy:0.3", "xy:0.3,0.3,0.3", "K", "-5K", "0K", "5000", "4000K/", "4000K/x",
    "nanK",
    "D5600K/0.01", "DK", "xy:a,b", "28\0\0\u{0}56K", "D5600\0K", "4000K/0\0", "xy:0.3\0,0.3",
  ])
  func unknownNames(name: String) {
    #expect(throws: LightError.unknown(name)) { try Light(named: name) }
  }

  @Test(arguments: ["D3999K", "D25001K", "DinfK"])
  func outsideTheDaylightLocus(name: String) {
    #expect(throws: LightError.outsideDaylight(name)) { try Light(named: name) }
  }

  @Test(arguments: ["xy:nan,0.3", "xy:0.3,0", "xy:0.3,-0.1", "xy:inf,0.3"])
  func impossible(name: String) {
    #expect(throws: LightError.notReal(name)) { try Light(named: name) }
  }

  @Test func theMessageSaysWhatToWrite() {
    #expect(LightError.unknown("D66").description.contains("'D66'"))
    #expect(
      LightError.unknown("D66").description.hasSuffix(", 2856K, D5600K or 4012K/+0.0031"))
  }
}
