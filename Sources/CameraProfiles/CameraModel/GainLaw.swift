internal import ColorScience

/// The function from a law's parameters to its gains.
struct GainLaw {
  private let laws: [Int]
  private let isMenu: Bool
  private let hasEnds: Bool
  private var warp = MonotoneWarp(.law)
  private let references: [Double]

  init(_ model: ForwardModel) {
    laws = model.layout.laws
    isMenu = model.controls.isMenu
    hasEnds = model.family.traits.contains(.deadEnds)
    references = model.controls.laws.map { $0.control.place(of: Double($0.control.defaultValue)) }
  }

  /// Writes the logarithms of one law's gains, relative to the default value's. The law's positions
  /// and gains are every `step`-th number, starting at `law`.
  mutating func fill(
    _ gains: inout [Double], law: Int, _ parameters: [Double], places: [Double], step: Int
  ) {
    let first = laws[law]
    if isMenu {
      for index in stride(from: law, to: places.count, by: step) {
        gains[index] = parameters[first + Int(places[index].rounded())]
      }
      return
    }
    warp.setCoefficients(parameters, from: first + 2)
    let ends = ends(parameters)
    let origin = warp(inside(references[law], ends))
    let (slope, exponent) = (parameters[first], parameters[first + 1])
    for index in stride(from: law, to: places.count, by: step) {
      let z = slope * (warp(inside(places[index], ends)) - origin)
      gains[index] = Self.logGain(z, exponent)
    }
  }

  /// ln (1 + λ z)^(1/λ), which is z for λ = 0.
  @inline(__always) private static func logGain(_ z: Double, _ exponent: Double) -> Double {
    let result =
      abs(exponent) < 1e-4
      ? z - exponent * z * z / 2 : logarithm(max(1 + exponent * z, 1e-3)) / exponent
    return min(max(result, -8), 8)
  }

  private func ends(_ parameters: [Double]) -> (lower: Double, upper: Double)? {
    hasEnds
      ? (parameters[ParameterLayout.lowerEnd], 1 - parameters[ParameterLayout.upperEnd]) : nil
  }

  /// A position, limited to the range in which the control has an effect. The corners are rounded,
  /// so that a fit can find them.
  private func inside(_ place: Double, _ ends: (lower: Double, upper: Double)?) -> Double {
    guard let ends else { return min(max(place, 0), 1) }
    let width = 0.0005
    let (low, high) = (max(ends.lower, 0), min(ends.upper, 1))
    func ramp(_ x: Double) -> Double {
      x > 30 * width ? x : width * logarithm(1 + exponential(x / width))
    }
    let raised = ends.lower > 0 ? low + ramp(place - low) : place
    let bounded = ends.upper < 1 ? high - ramp(high - raised) : raised
    return min(max(bounded, 0), 1)
  }
}
