internal import ColorScience
internal import SimulatedScenes

/// The lights before and after a change.
struct LampPair {
  let names: String
  let first, second: SpectralDistribution
  private let firstWhite, secondWhite: XYZ

  /// Draws two lamps; if a difference in CIEDE2000 is given, the second is mixed with the first so
  /// that the lights are that far apart.
  init(from random: inout SplitMix64, apart: Double?) {
    // Under a lamp of one color there is nothing to balance.
    let all = MeasuredLamp.all.filter { $0.name != "LPS" }
    while true {
      let one = all[Int(random.uniform() * Double(all.count))]
      let other = all[Int(random.uniform() * Double(all.count))]
      let whole = LampPair(one, other, 1)
      let largest = whole.ciede2000(of: 1)
      guard largest > max(apart ?? 0, 4) else { continue }
      self = apart.map { LampPair(one, other, whole.share(apart: $0)) } ?? whole
      return
    }
  }

  private init(_ one: MeasuredLamp, _ other: MeasuredLamp, _ share: Double) {
    names = "\(one.name) to \(other.name)"
    func scaled(_ light: SpectralDistribution) -> [Double] {
      let scale = 1 / light.xyz.y
      return (360...830).map { light[Double($0)] * scale }
    }
    let (a, b) = (scaled(one.spectrum), scaled(other.spectrum))
    first = SpectralDistribution(first: 360, step: 1, values: a)
    second = SpectralDistribution(
      first: 360, step: 1, values: zip(a, b).map { (1 - share) * $0 + share * $1 })
    (firstWhite, secondWhite) = (first.xyz, second.xyz)
  }

  /// Returns the difference of a gray surface's color if the second light has a share.
  func ciede2000(of share: Double) -> Double {
    let light =
      (1 - share) * firstWhite.vector / firstWhite.y + share * secondWhite.vector / secondWhite.y
    let lab = LabColor(XYZ(0.18 * light), white: XYZ(firstWhite.vector / firstWhite.y))
    return lab.ciede2000(to: lab.neutral)
  }

  /// Returns the share of the second light that makes a difference.
  func share(apart difference: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if ciede2000(of: middle) < difference { low = middle } else { high = middle }
    }
    return high
  }
}
