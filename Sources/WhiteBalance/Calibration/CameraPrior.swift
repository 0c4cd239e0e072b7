/// The distribution of cameras before the first shot: the responses of measured cameras to many
/// lamps. The scales of red and blue are free.
public struct CameraPrior: Sendable {
  /// The red, green and blue sensitivities of each camera on `SensorGrid`.
  package let channels: [[[Double]]]
  /// The responses to `ReferenceLamps.all`.
  let lamps: [LampResponse]
  /// The mean and spread of the cameras, each fitted as a single matrix.
  let shape: CameraShape
  /// The average camera.
  public let average: ClassifiedCameraModel

  /// Creates the prior from cameras of known sensitivities; `nil` if there are fewer than 8, or a
  /// channel of one has no response to a lamp. Complexity: O(cameras · lamps).
  public init?(cameras: [SpectralSensitivities]) { self.init(channels: cameras.map(\.onGrid)) }

  package init?(channels cameras: [[[Double]]]) {
    var lamps: [LampResponse] = []
    for lamp in ReferenceLamps.all {
      guard let response = LampResponse(lamp.power, cameras: cameras) else { return nil }
      lamps.append(response)
    }
    self.init(cameras: cameras, lamps: lamps)
  }

  private init?(cameras: [[[Double]]], lamps: [LampResponse]) {
    guard cameras.count >= 8, let shape = CameraShape(lamps),
      let average = ClassFits.model(lamps.map(\.mean), shape: shape)
    else { return nil }
    self.average = average
    channels = cameras
    self.lamps = lamps
    self.shape = shape
  }

  /// The prior without one of its cameras, for predicting that camera from the others.
  package func without(camera index: Int) -> CameraPrior? {
    var cameras = channels
    cameras.remove(at: index)
    return CameraPrior(
      cameras: cameras,
      lamps: lamps.map { lamp in
        var lamp = lamp
        lamp.logGains.remove(at: index)
        let filters = index * SensorGrid.filterCount..<(index + 1) * SensorGrid.filterCount
        for channel in lamp.filters.indices { lamp.filters[channel].removeSubrange(filters) }
        return lamp
      })
  }

  /// The number of deviations that `camera(deviating:)` takes.
  package static let deviationCount = CameraParameters.count

  /// A camera, as a single matrix, that differs from the average by independent deviations. If
  /// these are normally distributed with standard deviation 1, the cameras are distributed like
  /// those of the prior. The first two scale red and blue, which the prior leaves free, by
  /// 0.3 in the logarithm of the gain per unit.
  ///
  /// `nil` if the camera's matrix would have no inverse.
  package func camera(deviating deviations: [Double]) -> MatrixCameraModel? {
    precondition(deviations.count == Self.deviationCount, "every parameter must have a deviation")
    guard let factor = CholeskyFactor(shape.precision) else { return nil }
    let changes =
      deviations.prefix(2).map { 0.3 * $0 } + factor.solveTransposed(Array(deviations.dropFirst(2)))
    let parameters = CameraParameters(values: zip(shape.mean.values, changes).map { $0 + $1 })
    return try? parameters.model(relativeTo: shape.mean)
  }

  /// The prior from 28 public cameras.
  ///
  /// Source: AcademySoftwareFoundation/rawtoaces-data, Apache-2.0, and lamps of colour-science
  /// 0.4.7, BSD-3-Clause, in the generated `PublicCameras` and `PublicLamps`.
  public static let publicCameras = CameraPrior(channels: PublicCameras.channels)!
}
