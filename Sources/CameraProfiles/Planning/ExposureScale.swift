internal import ColorScience

/// The settings of a control that is proportional to the light, relative to one of them.
package struct ExposureScale: Sendable {
  package let control: ControlDescription
  /// The setting of exposure 1.
  package let full: Int

  package init(control: ControlDescription, full: Int) {
    (self.control, self.full) = (control, full)
  }

  /// The setting nearest to an exposure.
  package func setting(of exposure: Double) -> Int {
    control.nearestValue(to: Double(full) * exposure)
  }

  /// The exposure of a setting.
  package func exposure(of setting: Int) -> Double { Double(setting) / Double(max(full, 1)) }

  /// The possible exposures nearest to 2…⅛, at which a camera is learned; the largest first.
  package var learnable: [Double] { possible([2, 1, 0.5, 0.25, 0.12]) }

  /// Exposures in steps of an eighth, one of which brings a card close to white.
  package var bright: [Double] { possible((1...26).map { power(1.125, Double($0)) }) }

  private func possible(_ exposures: [Double]) -> [Double] {
    Set(exposures.map { setting(of: $0) }).map { exposure(of: $0) }.sorted(by: >)
  }
}
