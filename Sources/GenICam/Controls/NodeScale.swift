#if GenICam
/// The integers that stand for a node's numbers: number = origin + (value − base) · unit.
struct NodeScale: Hashable {
  /// The difference between the numbers of two neighboring integers.
  let unit: Double
  /// The distance between valid integers.
  let step: Int
  private let origin: Double
  private let base: Int

  /// Creates a scale whose unit is `fine` or, if the node's increment is larger and no multiple of
  /// `fine`, that increment. The camera rounds to an increment that is smaller than `fine`.
  init(lowest: Double, increment: Double?, fine: Double) {
    let ratio = (increment ?? 0) / fine
    if ratio < 1 {
      (unit, step, origin, base) = (fine, 1, 0, 0)
    } else if abs(ratio - ratio.rounded()) < 1e-6 * ratio, ratio < 1e9 {
      (unit, step) = (fine, Int(ratio.rounded()))
      base = Int((lowest / fine).rounded())
      origin = Double(base) * fine
    } else {
      (unit, step) = (increment ?? fine, 1)
      base = Int((lowest / unit).rounded())
      origin = lowest
    }
  }

  /// Returns the number that a value stands for.
  func number(_ value: Int) -> Double { origin + Double(value - base) * unit }

  /// Returns the value that is nearest to a number.
  func value(_ number: Double) -> Int {
    base + Int(min(max(((number - origin) / unit).rounded(), -4e9), 4e9))
  }

  /// Returns the smallest and largest valid value within bounds; `low` may exceed `high` if there
  /// is none.
  func range(_ low: Double, _ high: Double) -> (low: Int, high: Int) {
    // Bounds that are stored as binary32 may miss a multiple of the unit.
    let slack = 1e-3
    func limited(_ steps: Double) -> Int { Int(min(max(steps, -2.1e9), 2.1e9)) }
    let span = unit * Double(step)
    let first = ((low - origin) / span - slack).rounded(.up)
    let last = ((high - origin) / span + slack).rounded(.down)
    return (
      base + limited(first * Double(step)) / step * step,
      base + limited(last * Double(step)) / step * step
    )
  }
}
#endif
