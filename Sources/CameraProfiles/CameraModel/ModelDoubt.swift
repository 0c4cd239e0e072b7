/// A reason not to trust the results of a fit yet, even if nothing contradicts it.
package enum ModelDoubt: Hashable, Sendable {
  /// There are too few observations to test the family's parameters.
  case fewLooks(atLeast: Int)
  /// A control was never moved.
  case notMoved(ControlID)
  /// The picture does not change with a control: a model without effect fits that perfectly.
  case noEffect(ControlID)
  /// No model describes the observations; the value is the error that remains, in codes.
  case misfit(Double)
}

extension ModelFit {
  /// The reasons not to trust the fit. If there are none, `statedError` is reliable.
  package var doubts: [ModelDoubt] {
    guard let best = candidates.first else { return [.fewLooks(atLeast: 6)] }
    var doubts: [ModelDoubt] = []
    let least = best.model.family.leastLooks(isPath: !controls.areSeparate)
    if looks.count < least { doubts.append(.fewLooks(atLeast: least)) }
    if floor > Self.doubtfulFloor { doubts.append(.misfit(floor)) }
    return doubts + controls.descriptions.compactMap { doubt(about: $0, best) }
  }

  /// The error floor, in codes, above which the observations contradict each other: none of the
  /// lab's sound cameras reaches it, all of its faulty ones do (`LabCameraTests`).
  package static let doubtfulFloor = 0.3

  /// The smallest change of a gain's natural logarithm over the values of a control that counts as
  /// an effect.
  static let leastEffect = 0.03

  private func doubt(about control: ControlDescription, _ best: FamilyFit) -> ModelDoubt? {
    var isMoved = false
    for (index, law) in controls.laws.enumerated() where law.control.id == control.id {
      let places = looks.values[index]
      guard places.count > 1 else { continue }
      isMoved = true
      let gains = best.lawGains(best.parameters, law: index, places: places)
      if (gains.max() ?? 0) - (gains.min() ?? 0) >= Self.leastEffect { return nil }
    }
    return isMoved ? .noEffect(control.id) : .notMoved(control.id)
  }
}

extension ModelFamily {
  /// The number of observations that test a family: fewer leave valleys that fit and are wrong
  /// (`LabCameraTests`).
  func leastLooks(isPath: Bool) -> Int {
    let mixed =
      switch mixing {
      case .none: 6
      case .saturation: 8
      case .matrix: 14
      }
    return mixed + (law == .curve || law == .power ? 2 : 0) + (isPath ? 1 : 0) + 3 * traits.count
  }
}
