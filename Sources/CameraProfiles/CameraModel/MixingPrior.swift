/// The prior of a camera's channel mixing after the gains: the off-diagonal elements of a matrix
/// whose rows add up to 1, in the order of `places`.
///
/// Source: the color matrices of libcamera's Raspberry Pi tunings (`Calibration/Profiles`), of
/// every second sensor, each at a tenth to the whole of its strength. `MixingPriorTests` compares
/// the figures with the data.
enum MixingPrior {
  /// The row and column of each element.
  static let places = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
  /// The variance of each element beyond that of the published matrices.
  static let ownVariance = 1e-4

  // Written by Calibration/Profiles/make-mixing-prior.py.
  static let mean = [
    -0.29395, -0.13873, -0.21928,
    -0.23975, -0.02775, -0.41851,
  ]
  /// The lower triangle, row by row.
  static let covariance = [
    0.06356,
    0.00078, 0.01779,
    0.01587, 0.01436, 0.02288,
    0.02540, 0.01928, 0.01847, 0.04181,
    -0.00002, 0.00461, 0.00478, 0.00543, 0.00539,
    0.02419, 0.02881, 0.03012, 0.03248, -0.00269, 0.10533,
  ]
  // The table ends.

  /// An element of the covariance, including the variance beyond the published matrices.
  static func covariance(_ row: Int, _ column: Int) -> Double {
    let (high, low) = (max(row, column), min(row, column))
    return covariance[high * (high + 1) / 2 + low] + (row == column ? ownVariance : 0)
  }
}
