// Written by `make prior`. Derived from the spectral sensitivities of AcademySoftwareFoundation's
// rawtoaces-data (Apache-2.0) and the spectra of colour-science (BSD-3-Clause): see the folders
// CameraSensitivities and Illuminants of Calibration/.

extension CameraPrior {
  /// The average of 28 public cameras under 108 public lamps.
  ///
  /// `EvaluationTests` computes it anew and compares.
  public static let publicCameras = CameraPrior(
    // swift-format-ignore
    mean: [
      0.889933306, 0.286048831, 1.419330981, -0.347160695, -0.88121056, 0.050450397, -0.475192541,
      0.679625726,
    ],
    // swift-format-ignore
    shapeCovariance: [
      [0.484302142, 0.051033036, 0.126359633, 0.010424654, 0.053908304, 0.014105811],
      [0.051033036, 0.009787054, 0.017079844, 0.003233566, 0.008424362, 0.002356387],
      [0.126359633, 0.017079844, 0.048026948, 0.006033762, 0.019002218, 0.003254453],
      [0.010424654, 0.003233566, 0.006033762, 0.001934979, 0.003272397, 0.000861407],
      [0.053908304, 0.008424362, 0.019002218, 0.003272397, 0.010253166, 0.002836642],
      [0.014105811, 0.002356387, 0.003254453, 0.000861407, 0.002836642, 0.001413161],
    ])!
}
