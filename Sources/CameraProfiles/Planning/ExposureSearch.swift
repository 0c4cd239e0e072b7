internal import ColorScience
package import WhiteBalance

/// The next exposure to try until the picture has a given light.
///
/// The meter finds middle gray where a picture is neither dark nor clipped; light that no picture
/// can show is counted from there by the laws of the controls.
package struct ExposureSearch {
  /// What to do next.
  package enum Step: Equatable {
    /// Set these values and meter again.
    case expose([ControlValue])
    /// The light is there, as far as the picture can show it.
    case arrived
    /// The light is outside these stops, all of which can be set.
    case outOfRange(ClosedRange<Double>)
    /// The picture is dark or clipped at the end of the controls' range.
    case unmetered
    /// The picture keeps another light, which is metered.
    case missed
  }

  private let stops: Double
  private let laws: ExposureLaws
  /// The light at the longest time that may be set, beside the reference's.
  private let longest: Double
  /// The light, beside the laws' reference, at which the picture is middle gray.
  private var gray: Double?
  /// Whether that was metered where the meter is exact, or as near to there as the controls go.
  private var isAnchored = false
  /// Whether it was metered at middle gray itself, or as near to there as the controls go.
  private var isCentered = false
  /// The brightest light known to be too dark to meter, and the darkest known to be too bright.
  private var (dark, bright) = (0.0, Double.infinity)
  private var moves = 0

  /// The linear levels that the meter reads to 0.1 stop.
  private static let metered = 0.005...0.6
  /// The stops at which the meter is exact, and those of them to go to for a light that cannot be
  /// metered.
  private static let (exact, anchors) = (-3.5...1.1, -3.0...0)
  /// The error that is promised, and that which is not worth another move; in stops.
  package static let tolerance = 0.1
  private static let near = 0.03
  /// What a meter that is not exact may be off by, in stops.
  private static let rough = 0.25
  private static let mostMoves = 16

  package init(stops: Double, laws: ExposureLaws, longest: Double) {
    (self.stops, self.laws, self.longest) = (stops, laws, longest)
  }

  /// The light at values, in stops above middle gray, once that has been metered.
  package func offset(at values: [ControlValue]) -> Double? {
    gray.map { logarithm(laws.light(at: values) / $0) / logarithm(2) }
  }

  /// The step after a reading of the picture at values.
  package mutating func next(
    after reading: PictureLight, at values: [ControlValue]
  ) -> Step {
    let isMetered =
      Self.metered ~= reading.level && reading.clipped <= 0.3
      // Clipped pixels count as white: above middle gray that is not their light.
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
      // The range is to be that which every other refusal names.
      let center = laws.values(for: gray, longest: longest)
      if isCentered || center == values { return .outOfRange(range) }
      isCentered = true
      return .expose(center)
    }
    if next != values, moves < Self.mostMoves { return .expose(next) }
    return miss <= (isExact ? Self.tolerance : Self.rough) ? .arrived : .missed
  }

  /// Whether values just outside a range, whose ends lie between steps of the controls, make the
  /// light all the same: metered once more, middle gray is a little elsewhere.
  private func isNear(
    _ range: ClosedRange<Double>, _ values: [ControlValue], _ gray: Double
  ) -> Bool {
    let offset = logarithm(laws.light(at: values) / gray) / logarithm(2)
    return abs(offset - stops) < 0.08
      && max(range.lowerBound - stops, stops - range.upperBound) < Self.rough
  }

  /// The way to a picture that can be metered.
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
