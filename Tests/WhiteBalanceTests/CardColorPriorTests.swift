import ColorScience
import Testing

@testable import WhiteBalance

struct CardColorPriorTests {
  /// The squared distance of a camera's colors of a card from the expected ones, in units of the
  /// prior's covariance.
  private static func distance(_ ratios: [SIMD2<Double>], _ prior: CardColorPrior) -> Double {
    let off = zip(ratios, prior.logRatios).flatMap { ratio, expected in
      [ratio.x - expected.x, ratio.y - expected.y]
    }
    return zip(off, prior.precision).reduce(0) { $0 + $1.0 * dot(off, $1.1) }
  }

  /// A change of the scales of red and blue hardly matters; one of the same size under one lamp
  /// only contradicts all cameras.
  @Test func onlyDifferencesBetweenLampsCount() throws {
    let prior = try #require(CardColorPrior(under: [Light(.a), Light(.d65)]))
    let expected = prior.logRatios
    #expect(Self.distance(expected, prior) == 0)
    let scaled = expected.map { $0 + SIMD2(0.7, -0.7) }
    #expect(Self.distance(scaled, prior) < 1)
    #expect(Self.distance([scaled[0], expected[1]], prior) > 100)
  }

  /// Of the public cameras, each left out of its own prior in turn, the differences between lamps
  /// are within the 95 % region.
  @Test func camerasOutsideThePriorAgree() throws {
    let all = CameraPrior.publicCameras
    let lamps = try ["A", "D65", "FL2"].map { try Light(named: $0) }
    var distances: [Double] = []
    for index in all.channels.indices {
      let others = try #require(all.without(camera: index))
      let prior = try #require(CardColorPrior(under: lamps, prior: others))
      let own = try lamps.map { lamp in
        let power = SensorGrid.power(of: try #require(lamp.spectrum))
        return -(try #require(LampResponse(power, cameras: all.channels))).logGains[index]
      }
      distances.append(Self.distance(own, prior))
    }
    // The 95 % quantile of χ² with 6 degrees of freedom.
    let outside = distances.count { $0 > 12.592 }
    #expect(distances.count == 28)
    #expect(outside <= 2, "\(distances.sorted())")
  }
}
