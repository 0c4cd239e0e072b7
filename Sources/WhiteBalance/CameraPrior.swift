public import ColorScience

/// What is known of a camera before its first shot: the mean and the spread of measured cameras.
///
/// A camera's scales of red and blue are left free; only the shape of its matrix is expected to be
/// like others'.
public struct CameraPrior: Hashable, Sendable {
  let mean: CameraParameters
  /// Covariance of the six shape parameters.
  let shapeCovariance: [[Double]]

  /// The response of one camera to a neutral surface under one light.
  public struct Measurement: Hashable, Sendable {
    /// The light.
    public var light: Chromaticity
    /// Linear red, green, blue.
    public var response: LinearRGB

    /// A response, up to a scale, under a light.
    public init(light: Chromaticity, response: LinearRGB) {
      self.light = light
      self.response = response
    }
  }

  /// The prior from cameras that were measured under many lights: each camera is fitted by plain
  /// least squares, then mean and covariance are taken over the cameras.
  ///
  /// `nil` if a camera cannot be fitted, or there are too few for a covariance (7).
  public init?(cameras: [[Measurement]]) {
    var fitted: [[Double]] = []
    for camera in cameras {
      let fit = CameraParameterFit(
        observations: camera.map { .init(light: $0.light, response: $0.response) }, weight: 1,
        start: CameraParameters(values: Self.typical))
      guard let solution = fit.solved() else { return nil }
      fitted.append(solution.parameters.values)
    }
    let count = Double(fitted.count)
    guard count >= 7 else { return nil }
    let mean = (0..<CameraParameters.count).map { i in
      fitted.reduce(0) { $0 + $1[i] } / count
    }
    let covariance = (2..<CameraParameters.count).map { i in
      (2..<CameraParameters.count).map { j in
        fitted.reduce(0) { $0 + ($1[i] - mean[i]) * ($1[j] - mean[j]) } / (count - 1)
      }
    }
    self.init(mean: mean, shapeCovariance: covariance)
  }

  /// Where a fit without a prior starts; with equal rows its equations would be singular.
  private static let typical = [0.9, 0.3, 1.4, -0.3, -0.9, 0, -0.5, 0.7]

  /// `nil` unless the covariance is positive definite.
  init?(mean: [Double], shapeCovariance: [[Double]]) {
    guard CholeskyFactor(shapeCovariance) != nil else { return nil }
    self.mean = CameraParameters(values: mean)
    self.shapeCovariance = shapeCovariance
  }

  /// The average camera, as a model.
  public var averageCamera: MatrixCameraModel? { try? mean.model(relativeTo: mean) }

  /// The mean, then the covariance of the shape row by row: what a generated source file holds.
  package var figures: (mean: [Double], shapeCovariance: [[Double]]) {
    (mean.values, shapeCovariance)
  }

  /// The inverse covariance of all eight parameters, the scales with a variance of 1.
  var precision: [[Double]] {
    let n = CameraParameters.count
    var full = (0..<n).map { i in (0..<n).map { j in i == j ? 1.0 : 0 } }
    guard let shape = CholeskyFactor(shapeCovariance)?.inverse else { return full }
    for i in shape.indices {
      for j in shape.indices { full[i + 2][j + 2] = shape[i][j] }
    }
    return full
  }
}
