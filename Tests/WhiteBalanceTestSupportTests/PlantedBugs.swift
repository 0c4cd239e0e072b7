import ColorScience
import WhiteBalance
import WhiteBalanceTestSupport

/// Conversions with one bug each, of kinds that have been shipped.
enum PlantedBugs {
  /// The table of the DNG SDK with its misprint at 325 mired; it claims the accuracy of Robertson's
  /// table.
  static let misprint = robertson(.adobeDNG)
  static let robertson = robertson(.robertson)

  private static func robertson(_ method: Robertson1968) -> TemperatureTintConversion {
    TemperatureTintConversion(
      mired: 50...580, tints: -60...60, tolerance: (mired: 0.2, tint: 0.4),
      reading: { method.correlatedColorTemperature(of: $0).map(TemperatureAndTint.init) },
      chromaticity: { method.chromaticity(of: CorrelatedColorTemperature($0)) })
  }

  /// Tint with the wrong sign below 1600 K, in both directions, so that a round trip is right.
  static let flippedSign = altered { light in
    TemperatureAndTint(
      temperature: light.temperature, tint: light.temperature < 1600 ? -light.tint : light.tint)
  }

  /// Temperatures clamped to 2000…25,000 K for any input.
  static let clamped = TemperatureTintConversion(
    mired: 50...450, tints: -60...60,
    reading: { xy in
      TemperatureAndTint(xy).map {
        TemperatureAndTint(temperature: min(max($0.temperature, 2000), 25_000), tint: $0.tint)
      }
    },
    chromaticity: { Chromaticity($0) })

  /// A different formula from 4000 K on, which is not continuous with the first.
  static let jump = altered(
    { light in
      guard light.temperature >= 4000 else { return light }
      return TemperatureAndTint(temperature: 1e6 / (1e6 / light.temperature - 1), tint: light.tint)
    },
    back: { light in
      let (redder, bluer) = (1e6 / 4000, 1e6 / light.temperature + 1)
      return TemperatureAndTint(
        temperature: bluer <= redder ? 1e6 / bluer : light.temperature, tint: light.tint)
    })

  private static func altered(
    _ alteration: @escaping @Sendable (TemperatureAndTint) -> TemperatureAndTint,
    back: (@Sendable (TemperatureAndTint) -> TemperatureAndTint)? = nil
  ) -> TemperatureTintConversion {
    TemperatureTintConversion(
      mired: 40...1000, tints: -60...60,
      reading: { TemperatureAndTint($0).map(alteration) },
      chromaticity: { Chromaticity((back ?? alteration)($0)) })
  }

  static let camera = CameraPrior.publicCameras.camera(
    deviating: Array(repeating: 0, count: CameraPrior.deviationCount))!

  /// Red and blue exchanged, in both directions.
  static let swapped = GainConversion(
    gains: { camera.gains(for: $0).map(exchanged) },
    chromaticity: { camera.chromaticity(for: exchanged($0)) })

  private static func exchanged(_ gains: Gains) -> Gains {
    Gains(red: gains.blue, green: gains.green, blue: gains.red)
  }

  /// Gains clamped to 1…4, channel by channel.
  static let clampedGains = GainConversion(
    gains: { light in
      camera.gains(for: light).map {
        Gains($0.vector.clamped(lowerBound: .one, upperBound: 4 * .one))
      }
    },
    chromaticity: { camera.chromaticity(for: $0) })
}
