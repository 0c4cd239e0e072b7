import ColorScience

/// The prior distribution of a camera's responses to a gray card under several lamps. The scales of
/// red and of blue are free, so it restricts only the differences between lamps.
package struct CardColorPrior: Sendable {
  /// The expected logarithms of red/green and of blue/green under each lamp.
  package let logRatios: [SIMD2<Double>]
  /// The inverse of the covariance of these logarithms: red and blue of each lamp, row by row.
  package let precision: [[Double]]

  /// Creates the prior for lamps; `nil` if a camera of the prior does not see one of them.
  package init?(under lamps: [Light], prior: CameraPrior = .publicCameras) {
    let gray = LinearRGB(red: 1, green: 1, blue: 1)
    let shots = lamps.compactMap { try? CalibrationShot(light: $0, response: gray) }
    guard LampRegression.invisible(shots, prior: prior) == nil else { return nil }
    let seen = shots.map { LampRegression.response($0, prior: prior) }
    guard let factor = CholeskyFactor(LampRegression.covariance(seen)) else { return nil }
    logRatios = seen.map { -$0.response.mean }
    precision = factor.inverse
  }
}
