/// A planner that finds the settings at which a lamp's card is neutral: those that a model
/// predicts, corrected by the card's color there.
package struct NeutralCorrection: Sendable {
  private let lamp: Int
  private var looks: [Observation] = []

  /// The largest number of settings to observe.
  private static let most = 4

  package init(under lamp: Int) { self.lamp = lamp }

  /// The next settings to observe; `nil` if the card was neutral at the last ones, or all that the
  /// model suggests were tried.
  package func next(by fit: ModelFit) -> [ControlID: Int]? {
    guard let last = looks.last else { return fit.neutralSettings(lamp: lamp) }
    guard looks.count < Self.most, let next = fit.neutralSettings(after: last),
      !looks.contains(where: { $0.settings == next })
    else { return nil }
    return next
  }

  package mutating func add(_ look: Observation) { looks.append(look) }

  /// The settings at which the card was nearest to neutral.
  package var best: [ControlID: Int]? {
    looks.min { $0.distanceFromNeutral < $1.distanceFromNeutral }?.settings
  }
}
