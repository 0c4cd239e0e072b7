public import WhiteBalance

extension Generator<MatrixCameraModel> {
  /// Realistic cameras: distributed like the measured cameras, up to 3 standard deviations from the
  /// average, each with its own scales of red and blue. The average camera is the simplest.
  public static let cameras = {
    let deviation = Generator<Double> {
      .number(min(max($0.normal(), -3), 3), in: -3...3, simplest: 0)
    }
    let none: Generator<[Double]> = .just([])
    return (0..<CameraPrior.deviationCount).reduce(none) { all, _ in
      zip(all, deviation).map { $0 + [$1] }
    }
    .map { CameraPrior.publicCameras.camera(deviating: $0) }
    .filter { $0 != nil }
    .map { $0! }
  }()
}
