internal import ColorScience

/// A planner of the values at which an exposure control is observed, until its law is known.
///
/// A line, a proportion or an exponential needs few values, other laws need more. Laws that are a
/// curve are traced until the gains between values are known.
package struct ExposureSweep: Sendable {
  /// Values on one side of the reference, the nearest first.
  package struct Batch: Sendable {
    package var values: [Int]
    /// The number of values, from the first, that are expected not to be clipped.
    package var visible: Int
  }

  private enum Stage { case few, all, curve }

  private let control: ControlDescription
  private let reference: Int
  private let level: Double
  private var stage = Stage.few
  private var batches: [Batch] = []
  private var points: [ControlLaw.Point]
  /// The values that test the law and do not determine it.
  private var tested: Set<Int> = []
  /// The range of values outside which the picture is clipped or dark.
  private var visible: ClosedRange<Int>
  private var trace: LawTrace.Axis?
  private var looks = 0

  /// The largest number of values to observe.
  package static let most = mostPoints + mostOfACurve
  private static let mostPoints = 24
  /// The largest number for a curve.
  private static let mostOfACurve = 80
  /// The indices of the values on one side that show a simple law.
  private static let few: Set = [1, 4, 5, 7]
  /// The change of a gain's logarithm below which any monotone curve is close enough.
  private static let negligible = 0.012

  /// - Parameters:
  ///   - reference: A value at which the picture can be measured well.
  ///   - level: The picture's linear level at the reference.
  package init(of control: ControlDescription, reference: Int, level: Double) {
    (self.control, self.reference, self.level) = (control, reference, level)
    points = [ControlLaw.Point(value: reference, gain: 1)]
    visible = control.minimum...control.largest
    batches = [true, false].map { batch(isUp: $0) { Self.few.contains($0) } }
  }

  /// Returns the next values; `nil` if the law is known.
  package mutating func next() -> Batch? {
    if !batches.isEmpty { return batches.removeFirst() }
    switch stage {
    case .few:
      stage = .all
      if !isSimple {
        batches = [true, false].map { batch(isUp: $0) { !Self.few.contains($0) } }
      }
      return next()
    case .all:
      stage = .curve
      guard case .table = law?.form else { return nil }
      let knots = points.sorted { $0.value < $1.value }
      trace = LawTrace.Axis(
        control: control, laws: [], seeds: [],
        points: knots.map { LawTrace.Point(value: $0.value, gains: [logarithm($0.gain)]) },
        smallest: Self.negligible)
      return next()
    case .curve:
      guard looks < Self.mostOfACurve, let value = trace?.next(1).first else { return nil }
      looks += 1
      return Batch(values: [value], visible: 0)
    }
  }

  /// Indicates whether a value must be observed, because no nearer one was clipped or dark.
  package func isWanted(_ value: Int) -> Bool { visible ~= value }

  /// Adds the linear light at a value, relative to that at the reference; `nil` if it was clipped
  /// or too dark.
  package mutating func add(_ value: Int, light: Double?) {
    if trace != nil {
      trace?.add(value, light.map { [logarithm($0)] })
    } else if let light {
      points.append(ControlLaw.Point(value: value, gain: light))
      let side = control.spread(from: reference, isUp: value > reference)
      if side.firstIndex(of: value).map({ $0 % 3 == 2 }) ?? false { tested.insert(value) }
    } else {
      let isUp = value > reference
      visible =
        isUp
        ? visible.lowerBound...max(value - 1, reference)
        : min(value + 1, reference)...visible.upperBound
    }
  }

  /// The law through all points; `nil` if the light does not follow the control.
  package var law: ControlLaw? {
    var points = points.sorted { $0.value < $1.value }
    var tested = tested
    if let trace {
      points = trace.points.map {
        ControlLaw.Point(value: $0.value, gain: exponential($0.gains[0]))
      }
      tested = trace.confirmed
    }
    // The outermost points are the ends of a curve, so they test nothing.
    tested.subtract([points.first?.value ?? 0, points.last?.value ?? 0])
    return ControlLaw(
      control: control, reference: reference, points: points, testedBy: tested,
      passesZero: control.id == .exposureTime)
  }

  /// Indicates whether the points follow a line or an exponential function.
  private var isSimple: Bool {
    ControlLaw(control: control, reference: reference, points: points, testedBy: tested)?.isSimple
      ?? false
  }

  private func batch(isUp: Bool, where isWanted: (_ place: Int) -> Bool) -> Batch {
    let values = control.spread(from: reference, isUp: isUp).enumerated().filter {
      isWanted($0.offset)
    }.map(\.element)
    let visible = values.prefix {
      level * Double($0) < 1.2 * Double(reference) || control.id != .exposureTime
    }
    return Batch(values: values, visible: visible.count)
  }
}

extension ControlDescription {
  /// Returns at most twelve values on one side of a reference, the nearest first: some at fixed
  /// factors, some at fixed fractions of the way to the end.
  package func spread(from reference: Int, isUp: Bool) -> [Int] {
    let way = Double((isUp ? largest : minimum) - reference)
    var values = [0.01, 0.03, 0.06, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1].map {
      nearestValue(to: Double(reference) + $0 * way)
    }
    if reference > 0 {
      values += [1.25, 1.5, 2, 3, 4, 6, 10, 16].map {
        nearestValue(to: Double(reference) * (isUp ? $0 : 1 / $0))
      }
    }
    let inside = Set(values).filter { isUp ? $0 > reference : $0 < reference }
      .sorted { abs($0 - reference) < abs($1 - reference) }
    let stride = max(1, (inside.count + 11) / 12)
    return inside.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
  }
}

extension ControlLaw {
  /// Indicates whether the law is a line or an exponential function to within 0.4 %.
  package var isSimple: Bool {
    if case .table = form { return false }
    return fitError < 0.004
  }
}
