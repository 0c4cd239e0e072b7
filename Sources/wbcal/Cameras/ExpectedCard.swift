import CameraControl
import CameraProfiles
import ColorScience
import WhiteBalance

/// What a camera is expected to show of a gray card, and how far that may be off.
struct ExpectedCard: Sendable {
  /// The color that its controls leave.
  let color: LabColor
  /// The expected square of the CIEDE2000 from that color to the one that is shown.
  let variance: Double

  /// A card of 18 % under the light that a camera was set to.
  ///
  /// - Parameter covariance: how far the light's gains may be off; `nil` where that is not known.
  init?(
    _ applied: AppliedWhiteBalance, _ covariance: GainUncertainty.Covariance?, mixing: ColorMixing?
  ) {
    guard let covariance else { return nil }
    self.init(
      lacking: applied.lacking, applied.covariance.map { $0 + covariance } ?? covariance,
      mixing: mixing)
  }

  /// A card of 18 % behind gains.
  ///
  /// - Parameters:
  ///   - remainder: the gains that the controls lack.
  ///   - covariance: how far the gains may be off, of ln red and ln blue.
  ///   - mixing: what mixes the channels behind the gains.
  init(lacking remainder: Gains, _ covariance: GainUncertainty.Covariance, mixing: ColorMixing?) {
    func color(_ red: Double, _ blue: Double) -> LabColor {
      let off = SIMD3(exponential(red), 1, exponential(blue))
      let card = LinearRGB(off * (remainder.green / remainder.vector) * 0.18)
      return LabColor(mixing.map { $0.mixed(card) } ?? card, in: .sRGB)
    }
    // Small differences are a quadratic form of the errors.
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

  /// The CIEDE2000 from neutral to be expected: the root of the expected square.
  var differenceFromNeutral: Double {
    let offset = color.ciede2000(to: color.neutral)
    return (offset * offset + variance).squareRoot()
  }

  /// The largest CIEDE2000 to be expected between any two cameras, as a standard error: the root of
  /// the expected square; `nil` for fewer than two.
  ///
  /// Their errors count as independent. Those that cameras share, because a lamp is not a typical
  /// one of its class, make the difference smaller.
  static func largestDifference(of cards: [ExpectedCard]) -> Double? {
    cards.pairs.map { first, second in
      let offset = first.color.ciede2000(to: second.color)
      return (offset * offset + first.variance + second.variance).squareRoot()
    }.max()
  }
}

extension Array {
  /// Every two elements.
  var pairs: [(Element, Element)] {
    indices.flatMap { first in self[(first + 1)...].map { (self[first], $0) } }
  }
}
