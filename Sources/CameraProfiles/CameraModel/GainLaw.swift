internal import ColorScience

/// The function from a law's parameters to its gains.
struct GainLaw {
  private let laws: [Int]
  private let isMenu: Bool
  private let hasEnds: Bool
  private var warps: [MonotoneWarp]
  private let references: [Double]

  init(_ model: ForwardModel) {
    laws = model.layout.laws
    isMenu = model.controls.isMenu
    hasEnds = model.family.traits.contains(.deadEnds)
    warps = laws.map { _ in MonotoneWarp(.law) }
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
    warps[law].setCoefficients(parameters, from: first + 2)
    let warp = warps[law]
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

  /// Prepares `fillDerivatives` for a law; its gains must have been filled last.
  mutating func setDerivatives(law: Int) {
    if !isMenu { warps[law].setDerivatives() }
  }

  /// Writes the derivatives of one law's gains by one of its parameters, counted from its first.
  func fillDerivatives(
    _ changes: inout [Double], law: Int, by parameter: Int, _ parameters: [Double],
    places: [Double], step: Int
  ) {
    if isMenu {
      for index in stride(from: law, to: places.count, by: step) {
        changes[index] = Int(places[index].rounded()) == parameter ? 1 : 0
      }
      return
    }
    let (warp, ends, first) = (warps[law], ends(parameters), laws[law])
    let reference = inside(references[law], ends)
    let origin = warp(reference)
    let shift = parameter < 2 ? 0 : warp.derivative(by: parameter - 2, at: reference)
    let (slope, exponent) = (parameters[first], parameters[first + 1])
    for index in stride(from: law, to: places.count, by: step) {
      let position = inside(places[index], ends)
      let shifted = warp(position) - origin
      let slopes = Self.slopes(slope * shifted, exponent)
      switch parameter {
      case 0: changes[index] = slopes.position * shifted
      case 1: changes[index] = slopes.exponent
      default:
        changes[index] =
          slopes.position * slope * (warp.derivative(by: parameter - 2, at: position) - shift)
      }
    }
  }

  /// The derivatives of `logGain` by z and by λ.
  @inline(__always) private static func slopes(
    _ z: Double, _ exponent: Double
  ) -> (position: Double, exponent: Double) {
    if abs(logGain(z, exponent)) >= 8 { return (0, 0) }
    if abs(exponent) < 1e-4 { return (1 - exponent * z, -z * z / 2) }
    let inner = 1 + exponent * z
    if inner <= 1e-3 { return (0, -logarithm(1e-3) / (exponent * exponent)) }
    return (1 / inner, (z / inner - logarithm(inner) / exponent) / exponent)
  }

  private func ends(_ parameters: [Double]) -> (lower: Double, upper: Double)? {
    hasEnds
      ? (parameters[ParameterLayout.lowerEnd], 1 - parameters[ParameterLayout.upperEnd]) : nil
  }

  /// A position, limited to the range in which the control has an effect. The corners are rounded,
  /// so that a fit can find them.
  private func inside(_ position: Double, _ ends: (lower: Double, upper: Double)?) -> Double {
    guard let ends else { return min(max(position, 0), 1) }
    let width = 0.0005
    let (low, high) = (max(ends.lower, 0), min(ends.upper, 1))
    func ramp(_ x: Double) -> Double {
      x > 30 * width ? x : width * logarithm(1 + exponential(x / width))
    }
    let raised = ends.lower > 0 ? low + ramp(position - low) : position
    let bounded = ends.upper < 1 ? high - ramp(high - raised) : raised
    return min(max(bounded, 0), 1)
  }
}
