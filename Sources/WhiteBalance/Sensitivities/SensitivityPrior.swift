/// The distribution of a camera's spectral sensitivities before its first shot: the mean and the
/// covariance of measured cameras, plus deviations that so few cameras cannot show.
///
/// The unknowns are root sensitivities, whose squares are the sensitivities, so that no channel is
/// negative. They are normally distributed about the cameras' mean, as the sum of independent
/// directions: one for each camera, a shift of all wavelengths by 0.5 nm rms, and smooth deviations
/// of 1.8 % of the largest root sensitivity that are correlated over 25 nm
/// (<doc:SpectralEstimation>).
public struct SensitivityPrior: Sendable {
  /// The mean root sensitivities on `SensorGrid`: those of red, then of green, then of blue. The
  /// mean square of each channel of a camera is 1.
  let mean: [Double]
  /// The directions of deviation. The sum of all, each multiplied by an independent standard normal
  /// number, is a camera's deviation from the mean.
  let directions: [[Double]]
  /// The transposed `directions`: the deviations at each wavelength of each channel.
  let deviations: [[Double]]

  /// Creates the prior from cameras of known sensitivities; `nil` for fewer than 8, or if a channel
  /// of one has no sensitivity or is not finite. Complexity: O(cameras).
  ///
  /// - Parameter cameras: sensitivities in any unit from 380 to 780 nm; the scale of a channel does
  ///   not matter.
  public init?(cameras: [SpectralSensitivities]) { self.init(channels: cameras.map(\.onGrid)) }

  /// Creates the prior from cameras' red, green and blue sensitivities on `SensorGrid`.
  package init?(channels cameras: [[[Double]]]) {
    guard cameras.count >= 8 else { return nil }
    var roots: [[Double]] = []
    for camera in cameras {
      var root: [Double] = []
      for channel in camera {
        let seen = channel.map { max($0, 0) }
        let mean = seen.reduce(0, +) / Double(seen.count)
        guard mean > 0, mean.isFinite else { return nil }
        root += seen.map { ($0 / mean).squareRoot() }
      }
      roots.append(root)
    }
    let count = Double(roots.count)
    let mean = roots[0].indices.map { index in roots.reduce(0) { $0 + $1[index] } / count }
    let spread = 1 / (count - 1).squareRoot()
    let cameras = roots.map { root in zip(root, mean).map { spread * ($0 - $1) } }
    let n = SensorGrid.count
    let shift = mean.indices.map { index in
      let (low, high) = (max(index % n - 1, 0), min(index % n + 1, n - 1))
      let start = index - index % n
      return 0.5 * (mean[start + high] - mean[start + low]) / (5 * Double(high - low))
    }
    let bumps = SensorGrid.bumps(
      deviation: 0.018 * (mean.max() ?? 0), correlation: 25, spacing: 22.5)
    let smooth = (0..<3).flatMap { channel in
      bumps.map { bump in mean.indices.map { $0 / n == channel ? bump[$0 % n] : 0 } }
    }
    self.mean = mean
    let directions = cameras + [shift] + smooth
    self.directions = directions
    deviations = mean.indices.map { index in directions.map { $0[index] } }
  }

  /// The prior from 28 public cameras.
  ///
  /// Source: AcademySoftwareFoundation/rawtoaces-data, Apache-2.0, in the generated
  /// `PublicCameras`.
  public static let publicCameras = SensitivityPrior(channels: PublicCameras.channels)!
}
