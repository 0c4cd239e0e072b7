internal import ColorScience
package import WhiteBalance

/// A search for the settings at which the picture has a given exposure.
///
/// The meter finds middle gray if a picture is neither dark nor clipped. Exposures that no picture
/// can show are computed from there by the laws of the controls.
package struct ExposureSearch {
  /// The next action.
  package enum Step: Equatable {
    /// Set these values and meter again.
    case expose([ControlValue])
    /// The exposure is reached, as far as the picture can show it.
    case arrived
    /// The exposure is outside these stops, all of which can be set.
    case outOfRange(ClosedRange<Double>)
    /// The picture is dark or clipped at the end of the controls' range.
    case unmetered
    /// The picture can be metered, but does not reach the exposure.
    case missed
  }

  private let stops: Double
  private let laws: ExposureLaws
  /// The exposure at the longest time that may be set, relative to the reference's.
  private let longest: Double
  /// The exposure, relative to the laws' reference, at which the picture is middle gray.
  private var gray: Double?
  /// Indicates whether `gray` was metered where the meter is exact, or as near to there as the
  /// controls allow.
  private var isAnchored = false
  /// Indicates whether `gray` was metered at middle gray itself, or as near to there as the
  /// controls allow.
  private var isCentered = false
  /// The largest exposure known to be too dark to meter, and the smallest known to be too bright.
  private var (dark, bright) = (0.0, Double.infinity)
  private var moves = 0

  /// The linear levels that the meter reads to 0.1 stop.
  private static let metered = 0.005...0.6
  /// The offsets from middle gray, in stops, at which the meter is exact; and those among them that
  /// are metered first if the wanted exposure cannot be metered.
  private static let (exact, anchors) = (-3.5...1.1, -3.0...0)
  /// The guaranteed error, and the error that is not worth another move; in stops.
  package static let tolerance = 0.1
  private static let near = 0.03
  /// The error of a meter reading that is not exact, in stops.
  private static let rough = 0.25
  private static let mostMoves = 16

  package init(stops: Double, laws: ExposureLaws, longest: Double) {
    (self.stops, self.laws, self.longest) = (stops, laws, longest)
  }

  /// The exposure at settings, in stops above middle gray; `nil` before middle gray has been
  /// metered.
  package func offset(at values: [ControlValue]) -> Double? {
    gray.map { logarithm(laws.light(at: values) / $0) / logarithm(2) }
  }

  /// Determines the next action from a reading of the picture at settings.
  package mutating func next(
    after reading: PictureLight, at values: [ControlValue]
  ) -> Step {
    let isMetered =
      Self.metered ~= reading.level && reading.clipped <= 0.3
      // Clipped pixels count as white, so above middle gray the reading is only a lower bound.
      && (!reading.isAtLeast || reading.offset <= 0.1)
    let isExact = isMetered && Self.exact ~= reading.offset
    let light = laws.light(at: values)
    if isExact || isMetered && !isAnchored {
      gray = light / power(2, reading.offset)
    } else if !isMetered, let expected = offset(at: values), -4...0 ~= expected {
      // The picture does not follow the laws.
      (gray, isAnchored) = (nil, false)
    }
    guard let gray else { return approach(reading, light, values) }
    moves += 1
    let miss = isMetered ? abs(reading.offset - stops) : 0
    if isExact, miss < Self.near { return .arrived }
    if !isAnchored, !isExact, !(Self.exact ~= stops) {
      isAnchored = true
      let anchor = min(max(stops, Self.anchors.lowerBound), Self.anchors.upperBound)
      let next = laws.values(for: gray * power(2, anchor), longest: longest)
      if next != values { return .expose(next) }
    }
    isAnchored = isAnchored || isExact
    let range = laws.stops(beside: gray, longest: longest)
    let next = laws.values(for: gray * power(2, stops), longest: longest)
    if !range.contains(stops), !isNear(range, next, gray) {
      // Meter near middle gray first, so that all refusals report the same range.
      let center = laws.values(for: gray, longest: longest)
      if isCentered || center == values { return .outOfRange(range) }
      isCentered = true
      return .expose(center)
    }
    if next != values, moves < Self.mostMoves { return .expose(next) }
    return miss <= (isExact ? Self.tolerance : Self.rough) ? .arrived : .missed
  }

  /// Indicates whether values just outside a range still give the exposure. The ends of the range
  /// lie between steps of the controls, and another metering moves middle gray slightly.
  private func isNear(
    _ range: ClosedRange<Double>, _ values: [ControlValue], _ gray: Double
  ) -> Bool {
    let offset = logarithm(laws.light(at: values) / gray) / logarithm(2)
    return abs(offset - stops) < 0.08
      && max(range.lowerBound - stops, stops - range.upperBound) < Self.rough
  }

  /// Moves towards a picture that can be metered.
  private mutating func approach(
    _ reading: PictureLight, _ light: Double, _ values: [ControlValue]
  ) -> Step {
    moves += 1
    let isDark = reading.level < Self.metered.lowerBound
    if isDark { dark = max(dark, light) } else { bright = min(bright, light) }
    let factor =
      isDark
      ? PictureLight.middleGray / max(reading.level, 1e-3)
      : reading.clipped > 0.3 || reading.level > Self.metered.upperBound ? 0.08 : 0.3
    var wanted = light * factor
    if wanted <= dark || wanted >= bright {
      wanted = (max(dark, 1e-6 * bright) * bright).squareRoot()
    }
    let next = laws.values(for: wanted, longest: longest)
    return next == values || moves >= Self.mostMoves ? .unmetered : .expose(next)
  }
}
