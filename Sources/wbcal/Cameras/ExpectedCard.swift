import CameraControl
import CameraProfiles
import ColorScience
import WhiteBalance

/// The expected picture of a gray card, and its uncertainty.
struct ExpectedCard: Sendable {
  /// The color that remains after the camera's controls.
  let color: LabColor
  /// The expected square of the CIEDE2000 difference between that color and the one that is shown.
  let variance: Double

  /// Creates the expectation of an 18 % card under the light that a camera was set to.
  ///
  /// - Parameter covariance: the covariance of the gains for the light; `nil` if it is not known.
  init?(
    _ applied: AppliedWhiteBalance, _ covariance: GainUncertainty.Covariance?,
    mixing: ChannelMixing?
  ) {
    guard let covariance else { return nil }
    self.init(
      residual: applied.hardwareResidualGains,
      applied.covariance.map { $0 + covariance } ?? covariance,
      mixing: mixing)
  }

  /// Creates the expectation of an 18 % card behind gains.
  ///
  /// - Parameters:
  ///   - residual: the gains that the controls leave for software.
  ///   - covariance: the covariance of ln red and ln blue of the gains.
  ///   - mixing: the channel mixing behind the gains.
  init(residual: Gains, _ covariance: GainUncertainty.Covariance, mixing: ChannelMixing?) {
    func color(_ red: Double, _ blue: Double) -> LabColor {
      let off = SIMD3(exponential(red), 1, exponential(blue))
      let card = LinearRGB(off * (residual.green / residual.vector) * 0.18)
      return LabColor(mixing.map { $0.mixed(card) } ?? card, in: .sRGB)
    }
    // The square of a small difference is a quadratic form of the errors.
    let step = 0.01
    let center = color(0, 0)
    func square(_ red: Double, _ blue: Double) -> Double {
      let difference = center.ciede2000(to: color(red * step, blue * step)) / step
      return difference * difference
    }
    let (red, blue) = (square(1, 0), square(0, 1))
    self.color = center
    variance =
      red * covariance.red + blue * covariance.blue
      + (square(1, 1) - red - blue) * covariance.redBlue
  }

  /// The expected CIEDE2000 difference from neutral: the root of the expected square.
  var differenceFromNeutral: Double {
    let offset = color.ciede2000(to: color.neutral)
    return (offset * offset + variance).squareRoot()
  }

  /// Returns the largest expected CIEDE2000 difference between any two cameras, as a standard
  /// error: the root of the expected square; `nil` for fewer than two.
  ///
  /// Their errors count as independent. Errors that the cameras share, because a lamp is not
  /// typical of its class, make the difference smaller.
  static func largestDifference(of cards: [ExpectedCard]) -> Double? {
    cards.pairs.map { first, second in
      let offset = first.color.ciede2000(to: second.color)
      return (offset * offset + first.variance + second.variance).squareRoot()
    }.max()
  }
}

extension Array {
  /// All pairs of elements.
  var pairs: [(Element, Element)] {
    indices.flatMap { first in self[(first + 1)...].map { (self[first], $0) } }
  }
}

extension CameraSession {
  /// Returns the expected card of an applied setting; `nil` if the gains do not come from a
  /// calibration of this camera's controls, so that nothing relates them to the reference.
  func expectedCard(
    _ applied: AppliedWhiteBalance, _ covariance: GainUncertainty.Covariance?,
    by laws: ControlLaws
  ) -> ExpectedCard? {
    profile?.laws == nil ? nil : ExpectedCard(applied, covariance, mixing: laws.mixing)
  }
}
