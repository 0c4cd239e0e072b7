internal import CameraProfiles
internal import ColorScience

/// What the points that were probed of a control tell of its law, and where to look next.
extension [ControlLaw.Point] {
  /// ln of the gain between neighboring points of a curve.
  private static let finest = 0.25
  /// ln of the gain between two values that are taken to have the same.
  static let level = 0.006

  /// The middles between the neighbors of a bent law that are far apart, as many as are wanted;
  /// none where the law is a line, which needs no more points.
  func gaps(step: Int) -> [Double] {
    let sorted = self.sorted { $0.value < $1.value }
    guard count < 32,
      let law = ControlLaw(
        control: ControlDescription(
          id: .redBalance, minimum: sorted[0].value, maximum: sorted[count - 1].value,
          defaultValue: sorted[0].value), reference: sorted[0].value, points: self),
      case .table(let table) = law.form
    else { return [] }
    let gaps = zip(table, table.dropFirst()).filter { $1.value - $0.value > step }
      .map { (middle: Double($0.value + $1.value) / 2, jump: abs(logarithm($1.gain / $0.gain))) }
      .filter { $0.jump > Self.finest }.sorted { $0.jump > $1.jump }
    return gaps.prefix(32 - count).map(\.middle)
  }

  /// Values between those that were tried, away from their middles, where bisection finds nothing
  /// new.
  func valuesBetween(_ count: Int, of control: ControlDescription) -> [Int] {
    let values = Set(map(\.value)).sorted()
    let gaps = zip(values, values.dropFirst()).filter { $1 - $0 > control.step }
    let chosen = Swift.min(gaps.count, count)
    return (0..<chosen).compactMap { index in
      let (low, high) = gaps[(2 * index + 1) * gaps.count / (2 * chosen)]
      let value = control.snapped(Double(low) + 0.37 * Double(high - low))
      return value > low && value < high ? value : nil
    }
  }

  /// Whether they follow a line or an exponential function, as nearly as such laws are told. The
  /// first point is the reference.
  func areSimple(of control: ControlDescription, testedBy tested: Set<Int>) -> Bool {
    ControlLaw(control: control, reference: self[0].value, points: self, testedBy: tested)?
      .isSimple ?? false
  }

  /// Whether a law of some of them describes the others. The first point is the reference.
  func describeOthers(of control: ControlDescription, testedBy tested: Set<Int>) -> Bool {
    // A change of the channel may be larger than its gain's, where channels are mixed.
    let points = filter { $0.gain > 0.01 }
    guard
      let law = ControlLaw(
        control: control, reference: points[0].value, points: points, testedBy: tested)
    else { return false }
    return law.fitError < 0.012
  }

  /// The two neighbors with the largest step of the gain between them, but for those between which
  /// there is no value; `nil` where no step is left.
  func widestStep(step: Int) -> (ControlLaw.Point, ControlLaw.Point)? {
    let means = filter { $0.gain > 0.01 }.averaged(by: \.value) { value, mean in
      ControlLaw.Point(value: value, gain: mean(\.gain))
    }
    let steps = zip(means, means.dropFirst()).filter { $1.value - $0.value > step }
      .map { (pair: ($0, $1), size: abs(logarithm($1.gain / $0.gain))) }
    return steps.filter { $0.size > Self.level }.max { $0.size < $1.size }?.pair
  }
}

extension ControlLaw {
  /// Whether it is a line or an exponential function, as nearly as such laws are told.
  var isSimple: Bool {
    if case .table = form { return false }
    return fitError < 0.004
  }
}
