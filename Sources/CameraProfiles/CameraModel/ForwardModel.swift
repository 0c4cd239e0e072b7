internal import ColorScience
internal import WhiteBalance

/// A camera as a function from settings to the mean codes of a gray card:
///
///     code = saturate(tone(matrix · gains(settings) · exposure · light))
///
/// Light clips at 1 before the matrix and before the tone curve, codes at 0 and 255. This value
/// defines each parameter and its prior; `ModelPrediction` computes the codes.
struct ForwardModel {
  let controls: BalanceControls
  let family: ModelFamily
  /// The prior knowledge of the tone curve.
  private let curve: ModelFit.Curve
  /// The number of lamps.
  let lamps: Int
  /// The fault of the observations, if any.
  let cause: LookCause?
  /// For stairs, the positions of each law that have an offset.
  let stairValues: [[Double]]
  let layout: ParameterLayout
  /// The parameters' prior means and standard deviations; a parameter with a deviation of 0 is
  /// fixed.
  private(set) var mean: [Double]
  private(set) var deviation: [Double]
  /// The free parameters.
  private(set) var free: [Int] = []
  /// The inverse of the free parameters' prior covariance, row by row, and the logarithm of its
  /// determinant.
  private(set) var precision: [Double] = []
  private(set) var logDeterminant = 0.0
  /// For each free parameter, the others that are correlated with it in the prior.
  private(set) var correlated: [[Int]] = []

  /// - Parameters:
  ///   - curve: The prior knowledge of the tone curve.
  ///   - cardColors: The prior knowledge of the lamps' light; `nil` if nothing is known of them.
  ///   - values: The positions of each law that were observed.
  ///   - exposures: The number of exposures whose light is not known.
  init(
    _ controls: BalanceControls, family: ModelFamily, curve: ModelFit.Curve = .learned, lamps: Int,
    cardColors: CardColorPrior? = nil, values: [[Double]], exposures: Int = 0,
    cause: LookCause? = nil
  ) {
    self.controls = controls
    self.family = family
    self.curve = curve
    self.lamps = lamps
    self.cause = cause
    stairValues = family.traits.contains(.stairs) ? values : []
    layout = ParameterLayout(
      controls, lamps: lamps, stairs: stairValues.map(\.count),
      cause: cause?.deviations.count ?? 0, exposures: exposures)
    mean = [Double](repeating: 0, count: layout.count)
    deviation = mean
    setPicturePrior()
    for index in controls.laws.indices { setPrior(ofLaw: index) }
    setTraitPrior()
    for exposure in 0..<exposures {
      set(layout.exposures + exposure, mean: 0, deviation: Self.unknownExposure)
    }
    for lamp in 0..<lamps {
      let ratios = cardColors?.logRatios[lamp] ?? .zero
      for (channel, ratio) in [ratios.x, 0, ratios.y].enumerated() {
        set(layout.light(lamp, channel), mean: logarithm(0.15) + ratio, deviation: 1)
      }
    }
    setPrecision(cardColors)
  }

  private mutating func set(_ index: Int, mean: Double, deviation: Double) {
    self.mean[index] = mean
    self.deviation[index] = deviation
  }

  private mutating func setPicturePrior() {
    if family.mixing != .none { set(ParameterLayout.saturation, mean: 0.08, deviation: 0.2) }
    if family.mixing == .matrix {
      for place in 0..<6 {
        set(
          place, mean: MixingPrior.mean[place],
          deviation: MixingPrior.covariance(place, place).squareRoot())
      }
    }
    guard curve == .learned else {
      // The curve of sRGB (IEC 61966-2-1), with neither black nor a warp.
      set(ParameterLayout.gamma, mean: logarithm(2.4), deviation: 0)
      set(ParameterLayout.toe, mean: logarithm(0.055), deviation: 0)
      return
    }
    set(ParameterLayout.gamma, mean: logarithm(2.25), deviation: 0.12)
    set(ParameterLayout.toe, mean: logarithm(0.03), deviation: 1)
    let cosines = [0.15, 0.3, 0.1, 0.1, 0.07, 0.06, 0.05, 0.04, 0.04]
    for (k, cosine) in cosines.enumerated() {
      set(ParameterLayout.tone + k, mean: 0, deviation: cosine)
    }
    set(ParameterLayout.black, mean: 3.0 / 255, deviation: 4.0 / 255)
    set(ParameterLayout.noise, mean: 0, deviation: 0.5)
  }

  /// The standard deviation between the logarithm of light and that of the exposure's number if the
  /// unit is unknown: lines of a sensor, or logarithms.
  static let unknownExposure = 0.7

  /// The standard deviation of the exponent between light and an exposure that is stated to be
  /// proportional to it; a tone curve hides such an error.
  static let exposurePower = 0.01

  /// The standard deviation of a processor's hue rotation, in radians.
  static let hue = 0.05

  private mutating func setPrior(ofLaw index: Int) {
    let first = layout.laws[index]
    if controls.isMenu {
      let control = controls.laws[index].control
      let chosen = Int(control.place(of: Double(control.defaultValue)))
      for item in control.items.indices where item != chosen {
        set(first + item, mean: 0, deviation: 0.6)
      }
      return
    }
    let prior = family.law.prior
    set(first, mean: 0, deviation: 4)
    set(first + 1, mean: prior.exponent, deviation: prior.deviation)
    let shares = [2, 1, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35]
    for (k, share) in shares.enumerated() {
      set(first + 2 + k, mean: 0, deviation: prior.warp * share)
    }
  }

  private mutating func setTraitPrior() {
    if controls.areSeparate {
      let doubts = family.traits.contains(.crosstalk)
      set(ParameterLayout.crosstalk, mean: 0, deviation: doubts ? 0.05 : 0.001)
    }
    // A model that explains a fault needs no further free parameter.
    if controls.areSeparate, cause == nil, !family.traits.contains(.stairs) {
      set(ParameterLayout.exposurePower, mean: 0, deviation: Self.exposurePower)
    }
    for trait in ModelFamily.Trait.allCases where family.traits.contains(trait) {
      switch trait {
      case .crosstalk: break
      case .exposurePower: set(ParameterLayout.exposurePower, mean: 0, deviation: 0.05)
      case .deadEnds:
        set(ParameterLayout.lowerEnd, mean: 0.1, deviation: 0.15)
        set(ParameterLayout.upperEnd, mean: 0.1, deviation: 0.15)
      case .stairs:
        for place in layout.stairsRange { set(place, mean: 0, deviation: Self.stair) }
      case .hue: set(ParameterLayout.hue, mean: 0, deviation: Self.hue)
      case .lumaSaturation: set(ParameterLayout.lumaSaturation, mean: 0, deviation: 0.15)
      }
    }
    for (k, deviation) in (cause?.deviations ?? []).enumerated() {
      set(layout.cause + k, mean: 0, deviation: deviation)
    }
  }

  /// The standard deviation of stairs from their law, as a natural logarithm of gain.
  static let stair = 0.02

  /// The parameter that holds the offset of one position of a law; `nil` without stairs, or for a
  /// position that was never observed.
  func stair(ofLaw index: Int, at place: Double) -> Int? {
    if stairValues.isEmpty { return nil }
    return stairValues[index].firstIndex { abs($0 - place) < 1e-6 }.map {
      layout.stairsOfLaws[index] + $0
    }
  }

  private mutating func setPrecision(_ cardColors: CardColorPrior?) {
    free = deviation.indices.filter { deviation[$0] > 0 }
    let count = free.count
    precision = [Double](repeating: 0, count: count * count)
    for (row, place) in free.enumerated() {
      precision[row * count + row] = 1 / (deviation[place] * deviation[place])
    }
    if family.mixing == .matrix {
      let covariance = (0..<6).map { row in (0..<6).map { MixingPrior.covariance(row, $0) } }
      if let inverse = CholeskyFactor(covariance)?.inverse {
        for row in 0..<6 {
          for column in 0..<6 { precision[row * count + column] = inverse[row][column] }
        }
      }
    }
    if let cardColors { add(cardColors) }
    correlated = (0..<count).map { row in
      (0..<count).filter { $0 != row && precision[row * count + $0] != 0 }
    }
    logDeterminant = CholeskyFactor(size: count, rows: precision)?.logDeterminant ?? 0
  }

  /// Adds the usual differences between lamps to the precision of the lamps' light.
  private mutating func add(_ cardColors: CardColorPrior) {
    // The derivatives of the logarithms of red/green and blue/green.
    let slopes = [[1.0, -1, 0], [0, -1, 1]]
    let count = free.count
    guard let first = free.firstIndex(of: layout.lights) else { return }
    for (i, line) in cardColors.precision.enumerated() {
      for (j, element) in line.enumerated() {
        for (a, left) in slopes[i % 2].enumerated() {
          for (b, right) in slopes[j % 2].enumerated() {
            let (row, column) = (first + 3 * (i / 2) + a, first + 3 * (j / 2) + b)
            precision[row * count + column] += element * left * right
          }
        }
      }
    }
  }

  /// A start from the parameters that a fit of the same camera found. A lamp that was unknown to
  /// that fit starts as its last lamp; parameters that only this family has start at their prior
  /// means.
  func start(from parameters: [Double], of other: ParameterLayout) -> [Double] {
    var result = mean
    for place in free {
      if place < layout.lights {
        result[place] = parameters[place]
      } else if place < layout.stairs {
        let (lamp, channel) = ((place - layout.lights) / 3, (place - layout.lights) % 3)
        result[place] = parameters[other.light(min(lamp, other.lamps - 1), channel)]
      }
    }
    for (k, first) in (cause?.starts ?? []).enumerated() { result[layout.cause + k] = first }
    for k in 0..<min(layout.exposureCount, other.exposureCount) {
      result[layout.exposures + k] = parameters[other.exposures + k]
    }
    return result
  }
}

/// The indices of the parameters: the picture's, the laws', the lamps' light, the offsets of values
/// (stairs), and those of the fault.
struct ParameterLayout {
  /// The saturation; parameters 0…5 are the matrix's off-diagonal elements.
  static let saturation = 6
  static let lumaSaturation = 7
  static let gamma = 8
  static let toe = 9
  static let tone = 10
  static let toneCount = 9
  static let black = 19
  static let noise = 20
  static let crosstalk = 21
  static let exposurePower = 22
  static let lowerEnd = 23
  static let upperEnd = 24
  /// The hue rotation, in radians.
  static let hue = 25
  private static let firstLaw = 26
  static let warpCount = 8

  let laws: [Int]
  let lights: Int
  let lamps: Int
  let stairs: Int
  /// The first offset of each law; empty if there are none.
  let stairsOfLaws: [Int]
  let cause: Int
  /// The first parameter of the exposures whose light is unknown. Each is the logarithm of the
  /// light minus that of the number.
  let exposures: Int
  let exposureCount: Int
  let count: Int

  init(
    _ controls: BalanceControls, lamps: Int, stairs: [Int], cause: Int, exposures: Int
  ) {
    var next = Self.firstLaw
    laws = controls.laws.map { law in
      defer { next += controls.isMenu ? law.control.items.count : 2 + Self.warpCount }
      return next
    }
    lights = next
    self.lamps = lamps
    next += 3 * lamps
    self.stairs = next
    stairsOfLaws = stairs.map { count in
      defer { next += count }
      return next
    }
    self.cause = next
    self.exposures = next + cause
    exposureCount = exposures
    count = next + cause + exposures
  }

  func light(_ lamp: Int, _ channel: Int) -> Int { lights + 3 * lamp + channel }

  var stairsRange: Range<Int> { stairs..<cause }

  /// The law that a parameter belongs to.
  func law(of parameter: Int) -> Int? {
    parameter < Self.firstLaw || parameter >= lights
      ? nil : laws.lastIndex { $0 <= parameter }
  }
}
