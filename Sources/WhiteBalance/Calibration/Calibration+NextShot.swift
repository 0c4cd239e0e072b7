import ColorScience

extension Calibration {
  /// A shot that could be added.
  public struct NextShot: Hashable, Sendable, Codable {
    /// The standard illuminant that represents lights like it.
    public let light: String
    /// The error of gains expected after that shot, over the public lamps, as the root of the mean
    /// square of their logarithms: 0.01 is 1 %.
    public let expectedError: Double
  }

  /// The error of gains to be expected now, over the public lamps, and which further shots would
  /// reduce it, the best first.
  ///
  /// Complexity: as the fit.
  public func nextShots(
    prior: CameraPrior = .publicCameras
  ) -> (expectedError: Double, shots: [NextShot]) {
    guard let regression = LampRegression(shots.map(\.shot), prior: prior) else {
      return (.nan, [])
    }
    let candidates = ["A", "D65", "LED-B1", "LED-B3", "LED-B5", "FL2", "FL11"].compactMap { name in
      StandardIlluminant(named: name).flatMap { illuminant in
        LampResponse(
          SensorGrid.power(of: illuminant.spectrum), cameras: prior.channels
        ).map { (name, $0) }
      }
    }
    return (
      regression.expectedError(adding: nil, prior: prior),
      candidates.map { name, lamp in
        NextShot(light: name, expectedError: regression.expectedError(adding: lamp, prior: prior))
      }.sorted { $0.expectedError < $1.expectedError }
    )
  }
}
