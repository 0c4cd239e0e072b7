internal import ColorScience
package import WhiteBalance

extension ControlLaws {
  /// Returns settings whose red and blue gains are 1.5 times as large; for a control that changes
  /// both, the probed value whose gains differ most from those at `place`, within limits.
  package func away(from place: [ControlValue]) -> [ControlValue] {
    let here = gains(at: place)
    guard case .path(let path) = layout else {
      return channelValues(
        for: Gains(red: 1.5 * here.red, green: here.green, blue: 1.5 * here.blue))
    }
    func distance(_ point: GainCurve.Point) -> Double {
      max(abs(logarithm(point.red / here.red)), abs(logarithm(point.blue / here.blue)))
    }
    // The ends may be clipped, and a factor of two is enough.
    let point = path.points.filter { distance($0) < 0.7 }.max { distance($0) < distance($1) }
    return [ControlValue(path.control.id, point?.value ?? path.reference)]
  }

  /// Returns the accepted difference between a change of the picture and the one that the laws
  /// predict.
  ///
  /// - Parameters:
  ///   - size: The size of the change.
  ///   - values: The settings before and after the change.
  package func tolerance(
    of size: Double, _ noise: Double, between values: [[ControlValue]]
  ) -> Double {
    let stated =
      errors == nil
      ? []
      : values.map { covariance(of: gains(at: $0)).standardErrors }.map { max($0.red, $0.blue) }
    let error = stated.filter(\.isFinite).reduce(fitError, max)
    // A slightly wrong tone curve scales every change, and 8 bits round a smooth patch by up to 0.3
    // %, which inverting a mixing amplifies.
    return max(
      max(0.004, 0.006 * (mixing?.errorGain ?? 0)), 6 * noise, 3 * error,
      (0.03 + 2 * (mixing?.scaleError ?? 0)) * size)
  }
}

extension WhiteBalanceSetting {
  /// Returns the change of the picture's red and blue relative to its green.
  package func change(from old: Gains) -> Gains {
    Gains(
      red: reached.red / reached.green / (old.red / old.green),
      blue: reached.blue / reached.green / (old.blue / old.green))
  }
}

extension Gains {
  /// ln(red/green), ln(blue/green).
  package var logRatios: SIMD2<Double> { LinearRGB(vector).logRatios }
}
