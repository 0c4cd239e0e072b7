import WhiteBalance

/// Writes the source file that holds the average of the public cameras.
func printPrior() {
  guard let prior = CameraPrior(cameras: publicMeasurements) else {
    fatalError("a public camera cannot be fitted")
  }
  let (mean, covariance) = prior.figures
  func row(_ values: [Double]) -> String {
    values.map { "\(($0 * 1e9).rounded() / 1e9)" }.joined(separator: ", ")
  }
  print(
    """
    // Written by `make prior`. Derived from the spectral sensitivities of AcademySoftwareFoundation's
    // rawtoaces-data (Apache-2.0) and the spectra of colour-science (BSD-3-Clause): see the folders
    // CameraSensitivities and Illuminants of Calibration/.

    extension CameraPrior {
      /// The average of \(publicMeasurements.count) public cameras under \(publicLamps.count) public lamps.
      ///
      /// `EvaluationTests` computes it anew and compares.
      public static let publicCameras = CameraPrior(
        // swift-format-ignore
        mean: [
          \(row(mean))
        ],
        // swift-format-ignore
        shapeCovariance: [
    \(covariance.map { "      [\(row($0))]," }.joined(separator: "\n"))
        ])!
    }
    """)
}
