import ColorScience
import Foundation
import Testing
import WhiteBalance

struct CurveCameraModelTests {
  /// The ct_curve of libcamera's src/ipa/rpi/vc4/data/imx219.json (BSD-2-Clause).
  static let imx219: [CurveCameraModel.Point] = [
    .init(kelvin: 2498, red: 0.9309, blue: 0.3599), .init(kelvin: 2911, red: 0.8682, blue: 0.4283),
    .init(kelvin: 2919, red: 0.8358, blue: 0.4621), .init(kelvin: 3627, red: 0.7646, blue: 0.5327),
    .init(kelvin: 4600, red: 0.6079, blue: 0.6721), .init(kelvin: 5716, red: 0.5712, blue: 0.7017),
    .init(kelvin: 8575, red: 0.4331, blue: 0.8037),
  ]
  let model: CurveCameraModel

  init() throws { model = try CurveCameraModel(points: Self.imx219) }

  private func light(_ kelvin: Double, duv: Double = 0) -> Chromaticity {
    Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv))
  }

  @Test func gainsOfAPublishedPoint() throws {
    let gains = try #require(model.gains(for: light(4600)))
    #expect(abs(gains.red - 1.645) < 5e-4 && gains.green == 1 && abs(gains.blue - 1.488) < 5e-4)
  }

  /// The response halfway between 3627 K and 4600 K is that of libcamera's piecewise linear
  /// function.
  @Test func straightBetweenPoints() throws {
    let response = try #require(model.response(to: light(4113.5)))
    #expect(abs(response.red - (0.7646 + 0.6079) / 2) < 1e-12)
    #expect(abs(response.blue - (0.5327 + 0.6721) / 2) < 1e-12)
    #expect(model.response(kelvin: 2498) == LinearRGB(red: 0.9309, green: 1, blue: 0.3599))
    #expect(model.response(kelvin: 8575) == LinearRGB(red: 0.4331, green: 1, blue: 0.8037))
  }

  @Test func knowsNoTintAndNoClass() throws {
    let on = try #require(model.response(to: light(5000)))
    for duv in [-0.04, 0.003, 0.04] {
      let beside = try #require(model.response(to: light(5000, duv: duv), lightClass: .led))
      #expect(abs(beside.red - on.red) < 1e-12 && abs(beside.blue - on.blue) < 1e-12)
    }
    #expect(model.response(to: light(5000, duv: 0.051)) == nil)
    #expect(model.response(to: light(5000, duv: -0.051)) == nil)
  }

  @Test(arguments: [2497.9, 8575.1, -5000, 0, .infinity, .nan])
  func nothingOutsideTheCurve(kelvin: Double) {
    #expect(model.response(kelvin: kelvin) == nil)
    #expect(model.response(to: light(kelvin)) == nil)
    #expect(model.logGainSlopes(at: light(kelvin)) == nil)
  }

  @Test func gainsOfTheCurveHaveTheirLight() throws {
    for kelvin in stride(from: 2498.0, through: 8575, by: 0.5) {
      let response = try #require(model.response(kelvin: kelvin))
      let gains = try #require(Gains(neutralizing: response))
      let lights = model.lights(for: gains)
      #expect(lights.count == 1)
      let found = try #require(lights.first)
      #expect(abs(try #require(CorrelatedColorTemperature(found)).kelvin - kelvin) < 1e-6)
      let again = try #require(model.gains(for: found))
      #expect(abs(again.red / gains.red - 1) <= 1e-12)
      #expect(abs(again.green / gains.green - 1) <= 1e-12)
      #expect(abs(again.blue / gains.blue - 1) <= 1e-12)
    }
  }

  @Test func gainsBesideTheCurveHaveNone() {
    #expect(model.lights(for: Gains(red: 1.645, blue: 1.488)).isEmpty)
    for bad in [0.0, -1, .nan, .infinity] {
      #expect(model.lights(for: Gains(red: bad, blue: 1.5)).isEmpty)
      #expect(model.nearest(to: Gains(red: bad, blue: 1.5)) == nil)
    }
    // The gains of a point on the curve's continuation.
    let end = (Self.imx219[5], Self.imx219[6])
    let beyond = Gains(
      red: 1 / (2 * end.1.red - end.0.red), blue: 1 / (2 * end.1.blue - end.0.blue))
    #expect(model.lights(for: beyond).isEmpty)
    #expect(model.nearest(to: beyond) == nil)
  }

  @Test func aCurveThatMeetsItselfIsAmbiguous() throws {
    let loop = try CurveCameraModel(points: [
      .init(kelvin: 3000, red: 0.9, blue: 0.4), .init(kelvin: 4000, red: 0.5, blue: 0.8),
      .init(kelvin: 5000, red: 0.9, blue: 0.8), .init(kelvin: 6000, red: 0.5, blue: 0.4),
    ])
    let gains = Gains(red: 1 / 0.7, blue: 1 / 0.6)
    let lights = loop.lights(for: gains).compactMap { CorrelatedColorTemperature($0)?.kelvin }
    #expect(lights.count == 2)
    #expect(zip(lights, [3500.0, 5500]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(throws: AmbiguousGains.self) { try loop.chromaticity(for: gains) }
  }

  /// A point where the curve crosses itself belongs to two pieces and is one light.
  @Test func aPointThatIsMetAgain() throws {
    let loop = try CurveCameraModel(points: [
      .init(kelvin: 4000, red: 0.9, blue: 0.4), .init(kelvin: 4500, red: 0.7, blue: 0.6),
      .init(kelvin: 5000, red: 0.5, blue: 0.8), .init(kelvin: 5500, red: 0.9, blue: 0.8),
      .init(kelvin: 6000, red: 0.5, blue: 0.4),
    ])
    let lights = loop.lights(for: Gains(red: 1 / 0.7, blue: 1 / 0.6))
    #expect(lights.count == 2)
    for (light, kelvin) in zip(lights, [4500.0, 5750]) {
      #expect(abs(try #require(CorrelatedColorTemperature(light)).kelvin - kelvin) < 1e-6)
    }
  }

  /// Temperatures within a billionth belong to one point.
  @Test(arguments: [(1.5, 2), (0.8, 1)])
  func crossingsOfNearlyOneTemperature(billionths: Double, count: Int) throws {
    let step = 4000 * billionths * 1e-9 / 2
    let loop = try CurveCameraModel(points: [
      .init(kelvin: 4000, red: 0.9, blue: 0.4), .init(kelvin: 4000 + step, red: 0.5, blue: 0.8),
      .init(kelvin: 4000 + 2 * step, red: 0.9, blue: 0.8),
      .init(kelvin: 4000 + 3 * step, red: 0.5, blue: 0.4),
    ])
    #expect(loop.lights(for: Gains(red: 1 / 0.7, blue: 1 / 0.6)).count == count)
  }

  /// Lights up to |Duv| 0.05 have a response, with room for rounding at both ends of the curve.
  @Test func limitsOfLights() throws {
    for (duv, hasResponse) in [(0.0499, true), (0.0501, false)] {
      for sign in [1.0, -1] {
        #expect((model.response(to: light(5000, duv: sign * duv)) != nil) == hasResponse)
      }
    }
    for (share, hasResponse) in [(0.9e-9, true), (1.1e-9, false)] {
      for kelvin in [2498 * (1 - share), 8575 * (1 + share)] {
        #expect((model.response(to: light(kelvin)) != nil) == hasResponse, "\(kelvin)")
      }
    }
  }

  /// The curve is an L from (0.4, 0.2) through (0.2, 0.2) to (0.2, 0.4). Beyond an end there is no
  /// temperature; beyond the corner it is that of the corner.
  @Test(
    arguments: [
      (0.41, 0.21, nil), (0.4, 0.21, 3000), (0.39, 0.19, 3050), (0.3, 0.21, 3500),
      (0.19, 0.19, 4000), (0.21, 0.3, 4500), (0.19, 0.39, 4950), (0.21, 0.4, 5000),
      (0.21, 0.41, nil), (0.41, 0.19, nil), (0.19, 0.41, nil),
    ] as [(Double, Double, Double?)])
  func endsAndCorners(red: Double, blue: Double, kelvin: Double?) throws {
    let corner = try CurveCameraModel(points: [
      .init(kelvin: 3000, red: 0.4, blue: 0.2), .init(kelvin: 4000, red: 0.2, blue: 0.2),
      .init(kelvin: 5000, red: 0.2, blue: 0.4),
    ])
    let found = corner.nearest(to: Gains(red: 1 / red, blue: 1 / blue))
    #expect((found == nil) == (kelvin == nil))
    if let found, let kelvin { #expect(abs(found.kelvin - kelvin) < 1e-6) }
  }

  /// The offset is 0.01 across the piece from (0.6, 0.6) to (0.5, 0.7), toward larger ratios.
  @Test func theNearestPointAndItsSide() throws {
    let model = try CurveCameraModel(points: [
      .init(kelvin: 4000, red: 0.6, blue: 0.6), .init(kelvin: 6000, red: 0.5, blue: 0.7),
    ])
    for offset in [0.01, -0.01] {
      let across = offset / 2.0.squareRoot()
      let nearest = try #require(
        model.nearest(to: Gains(red: 2 / (1.1 + 2 * across), blue: 2 / (1.3 + 2 * across))))
      #expect(abs(nearest.kelvin - 5000) < 1e-9)
      #expect(abs(nearest.offset - offset) < 1e-15)
    }
  }

  @Test func slopesAreThoseOfTheGains() throws {
    for kelvin in [2600.0, 2915, 3000, 4000, 5000, 6504, 8000] {
      for duv in [-0.03, 0, 0.02] {
        let at = light(kelvin, duv: duv)
        let slopes = try #require(model.logGainSlopes(at: at))
        let h = 1e-6
        func difference(_ dx: Double, _ dy: Double) throws -> SIMD2<Double> {
          let ends = try [1.0, -1].map { sign in
            try #require(
              model.response(to: Chromaticity(x: at.x + sign * dx, y: at.y + sign * dy)))
          }
          return SIMD2(
            Foundation.log(ends[1].red / ends[0].red), Foundation.log(ends[1].blue / ends[0].blue))
            / (2 * h)
        }
        let (byX, byY) = (try difference(h, 0), try difference(0, h))
        let scale = abs(slopes.red.x) + abs(slopes.blue.x)
        #expect(abs(byX.x - slopes.red.x) < 1e-6 * scale)
        #expect(abs(byX.y - slopes.blue.x) < 1e-6 * scale)
        #expect(abs(byY.x - slopes.red.y) < 1e-6 * scale)
        #expect(abs(byY.y - slopes.blue.y) < 1e-6 * scale)
        // A redder light needs less red gain and more blue gain.
        #expect(slopes.red.x < 0 && slopes.blue.x > 0)
      }
    }
  }

  @Test(arguments: [
    ([], CurveCameraModelError.tooFewPoints(0), "at least 2 points and has 0"),
    ([[4000, 0.5, 0.5]], .tooFewPoints(1), "has 1"),
    ([[4000, 0.5, 0.5], [5000, 0, 0.5]], .notPositive(index: 1), "point 2 of the curve has a"),
    ([[4000, 0.5, .nan], [5000, 0.4, 0.5]], .notPositive(index: 0), "point 1"),
    ([[-1, 0.5, 0.5], [5000, 0.4, 0.5]], .notPositive(index: 0), "not positive and finite"),
    ([[4000, 0.5, 0.5], [5000, .infinity, 0.5]], .notPositive(index: 1), "point 2"),
    (
      [[4000, 0.5, 0.5], [4000, 0.4, 0.6]], .notRising(index: 1),
      "point 2 of the curve must be above"
    ),
    (
      [[4000, 0.5, 0.5], [5000, 0.5, 0.5]], .repeated(index: 1),
      "the same ratios as the point before"
    ),
  ])
  func badCurves(_ numbers: [[Double]], _ error: CurveCameraModelError, _ text: String) {
    #expect(throws: error) {
      try CurveCameraModel(
        points: numbers.map { .init(kelvin: $0[0], red: $0[1], blue: $0[2]) })
    }
    #expect(error.description.contains(text))
  }

  @Test func codes() throws {
    let data = try JSONEncoder().encode(model)
    #expect(String(decoding: data, as: UTF8.self).hasPrefix("[[2498,0.9309,0.3599],"))
    #expect(try JSONDecoder().decode(CurveCameraModel.self, from: data) == model)
    #expect(throws: CurveCameraModelError.notRising(index: 1)) {
      try JSONDecoder().decode(
        CurveCameraModel.self, from: Data("[[4000,0.5,0.5],[3000,0.4,0.6]]".utf8))
    }
  }
}
