public import ColorScience

/// A conversion under test between chromaticities and temperature with tint: two functions and
/// their claims.
///
/// ```swift
/// import ColorScience
///
/// var mccamy = TemperatureTintConversion(
///   mired: 160...350, tints: 0...0, tolerance: (mired: 1, tint: 1),
///   reading: { xy in
///     McCamy1992.kelvin(of: xy).map { TemperatureAndTint(temperature: $0, tint: 0) }
///   },
///   chromaticity: { Chromaticity($0) })
/// mccamy.tolerance = mccamy.worstErrors()  // what it can claim
/// for law in Law<TemperatureTintConversion>.all { print(law.violation(by: mccamy) ?? "kept") }
/// ```
public struct TemperatureTintConversion: Sendable {
  /// Returns the temperature and tint of a chromaticity; `nil` if it has none.
  public var reading: @Sendable (Chromaticity) -> TemperatureAndTint?
  /// Returns the chromaticity of a temperature and tint; `nil` if there is none.
  public var chromaticity: @Sendable (TemperatureAndTint) -> Chromaticity?
  /// The temperatures that it claims to convert, in mired: 1e6 divided by kelvin.
  public var mired: ClosedRange<Double>
  /// The tints that it claims to convert, 3000·Duv, positive toward green; 0…0 for none.
  public var tints: ClosedRange<Double>
  /// The claimed bound of the error; `worstErrors(_:)` measures the error.
  public var tolerance: (mired: Double, tint: Double)

  /// Creates a subject from the two functions of a conversion and its claims.
  ///
  /// - Precondition: `mired` is positive and at least 2 wide.
  public init(
    mired: ClosedRange<Double> = 40...600, tints: ClosedRange<Double> = -60...60,
    tolerance: (mired: Double, tint: Double) = (1e-6, 1e-6),
    reading: @escaping @Sendable (Chromaticity) -> TemperatureAndTint?,
    chromaticity: @escaping @Sendable (TemperatureAndTint) -> Chromaticity?
  ) {
    precondition(
      mired.lowerBound > 0 && mired.upperBound - mired.lowerBound >= 2,
      "`mired` must be positive and at least 2 wide")
    self.reading = reading
    self.chromaticity = chromaticity
    self.mired = mired
    self.tints = tints
    self.tolerance = tolerance
  }

  /// The exact conversion of this package.
  public static let exact = TemperatureTintConversion(
    mired: 1...2000, tints: -150...150,
    reading: { TemperatureAndTint($0) }, chromaticity: { Chromaticity($0) })

  /// Returns the largest errors of both functions for claimed lights, compared with the exact
  /// conversion: infinite if a function has no answer for some light.
  public func worstErrors(_ trials: Trials = .standard) -> (mired: Double, tint: Double) {
    let lights = Generator<TemperatureAndTint>.lights(mired: mired, tints: tints)
    func worst(_ error: (TemperatureAndTint, TemperatureAndTint) -> Double) -> Double {
      lights.worst(trials) { light in
        let answers = [reading(Chromaticity(light)), chromaticity(light).flatMap { .init($0) }]
        return answers.map { $0.map { error($0, light) } ?? .infinity }.max()!
      }?.error ?? .infinity
    }
    return (
      worst { abs(1e6 / $0.temperature - 1e6 / $1.temperature) }, worst { abs($0.tint - $1.tint) }
    )
  }
}

extension Law<TemperatureTintConversion> {
  /// All laws of such conversions.
  public static let all = [
    agreesWithTheDefinition, inversePair, monotonicLocus, noJumps, signOfTint, tintAcrossTheLocus,
    noClamping,
  ]

  /// Temperature is that of the nearest point of the exact Planckian locus in CIE 1960 u, v (CIE
  /// 015), and tint 3000 times the distance from it.
  public static let agreesWithTheDefinition = Law(
    "agrees with the definition",
    "temperature and tint correspond to the chromaticity that CIE 015 defines, in both directions",
    for: lights
  ) { subject, light in
    let exact = Chromaticity(light)
    guard let read = subject.reading(exact) else { return "no reading of \(exactly(exact))" }
    if let wrong = subject.difference(read, light, after: 1) {
      return "\(exactly(exact)) is read as \(wrong)"
    }
    guard let xy = subject.chromaticity(light) else { return "no chromaticity" }
    guard let meant = TemperatureAndTint(xy) else { return "\(exactly(xy)) has no temperature" }
    return subject.difference(meant, light, after: 1).map { "\(exactly(xy)) is \($0)" }
  }

  /// The chromaticity of a temperature and tint is read as that temperature and tint.
  public static let inversePair = Law(
    "inverse pair", "a temperature and tint convert to a chromaticity and back", for: lights
  ) { subject, light in
    guard let xy = subject.chromaticity(light), let back = subject.reading(xy) else {
      return "no answer, or none back"
    }
    return subject.difference(back, light, after: 2).map { "converts back to \($0)" }
  }

  /// From blue to red light, x increases, and so does the temperature that is read, in mired.
  public static let monotonicLocus = Law(
    "monotonic locus", "redder light on the locus has a larger x and is read as redder",
    for: { subject in
      zip(.temperatures(mired: subject.mired), .number(in: 0.01...0.5, simplest: 0.5)).map {
        kelvin, share in
        Neighbors(after: kelvin, apart: share * (subject.mired.upperBound - 1e6 / kelvin))
      }
    }
  ) { subject, pair in
    guard pair.apart > 10 * subject.tolerance.mired else { return nil }
    guard let blue = subject.chromaticity(pair.first), let red = subject.chromaticity(pair.second)
    else { return "no chromaticity" }
    guard blue.x < red.x else { return "x does not increase: from \(blue.x) to \(red.x)" }
    guard let first = subject.reading(Chromaticity(pair.first)),
      let second = subject.reading(Chromaticity(pair.second))
    else { return "no reading" }
    return first.temperature > second.temperature
      ? nil : "read as \(first.temperature) and \(second.temperature) K, which is not redder"
  }

  /// Neighboring lights have neighboring results.
  public static let noJumps = Law(
    "no jumps", "nearly equal lights have nearly equal chromaticities and readings",
    for: { subject in
      let (low, high) = (subject.mired.lowerBound, subject.mired.upperBound)
      return zip(
        .temperatures(mired: low + 0.5...high - 0.5), .number(in: 0.001...1, simplest: 0.001)
      ).map { Neighbors(around: $0, apart: $1) }
    }
  ) { subject, pair in
    let most = 2 * pair.apart + 2 * subject.tolerance.mired
    guard let first = subject.reading(Chromaticity(pair.first)),
      let second = subject.reading(Chromaticity(pair.second))
    else { return "no reading" }
    let read = abs(1e6 / first.temperature - 1e6 / second.temperature)
    if let excess = excess(read, " mired", over: most) {
      return "read as \(first.temperature) and \(second.temperature) K: \(excess)"
    }
    guard let a = subject.chromaticity(pair.first), let b = subject.chromaticity(pair.second) else {
      return "no chromaticity"
    }
    // A mired of the locus is nowhere longer than 6e-4 in u, v.
    let way = (vector(a) - vector(b)).length
    return excess(way, " in u, v", over: most * 6e-4).map {
      "\(exactly(a)) and \(exactly(b)): \($0)"
    }
  }

  /// A positive tint is greener than the locus, a negative one more magenta.
  public static let signOfTint = Law(
    "sign of tint", "a positive tint is greener than the locus, a negative one more magenta",
    for: lights
  ) { subject, light in
    guard abs(light.tint) > 10 * subject.tolerance.tint else { return nil }
    guard let colored = subject.chromaticity(light),
      let neutral = subject.chromaticity(.init(temperature: light.temperature, tint: 0))
    else { return "no chromaticity" }
    let up = UCS1960(colored).v - UCS1960(neutral).v
    guard up * light.tint > 0 else {
      return "v differs by \(up) from that of tint 0, towards \(up > 0 ? "green" : "magenta")"
    }
    guard let read = subject.reading(Chromaticity(light)) else { return "no reading" }
    return read.tint * light.tint > 0 ? nil : "is read as \(exactly(read))"
  }

  /// Tint is perpendicular to the locus, so that temperature and tint are independent.
  public static let tintAcrossTheLocus = Law(
    "tint is perpendicular to the locus",
    "tint is the perpendicular distance from the locus, so that it does not change the temperature",
    for: lights
  ) { subject, light in
    guard abs(light.tint) > 10 * subject.tolerance.tint else { return nil }
    guard let point = subject.chromaticity(light),
      let foot = subject.chromaticity(.init(temperature: light.temperature, tint: 0))
    else { return "no chromaticity" }
    let across = vector(point) - vector(foot)
    let away = 3000 * across.length
    if let excess = excess(
      abs(away - abs(light.tint)), " in tint", over: 2 * subject.tolerance.tint)
    {
      return "the distance from tint 0 is that of tint \(away): \(excess)"
    }
    // The distance along the locus between the foot of the perpendicular and its expected place.
    let near = Neighbors(around: light.temperature, apart: 0.02)
    let along = vector(Chromaticity(near.second)) - vector(Chromaticity(near.first))
    let shift = near.apart * (across * along).sum() / (along * along).sum()
    return excess(abs(shift), " mired", over: 2 * subject.tolerance.mired).map {
      "the nearest point of the locus has another temperature: \($0)"
    }
  }

  /// An answer leads back to the input. A conversion without tint is tested only with claimed
  /// lights, because it reads all lights of one temperature alike.
  public static let noClamping = Law(
    "no clamping",
    "any input, even outside the claims, has no answer or one that converts back to it",
    for: { subject in .chromaticities(mired: subject.mired, tints: subject.tints) }
  ) { subject, xy in
    guard let read = subject.reading(xy), read.temperature.isFinite, read.tint.isFinite else {
      return nil
    }
    guard xy.isFinite else { return "is read as \(exactly(read))" }
    guard let back = subject.chromaticity(read) else { return nil }
    // Far away, a step of x is an ever smaller step of u, v.
    let size = max(1, abs(xy.x), abs(xy.y))
    let error = max(abs(back.x - xy.x), abs(back.y - xy.y)) / (size * size)
    let most = max(1e-3 * subject.tolerance.mired, 1e-3 * subject.tolerance.tint)
    return excess(error, over: most).map {
      "is read as \(exactly(read)), which converts back to \(exactly(back)): \($0)"
    }
  }

  private static func lights(_ subject: TemperatureTintConversion) -> Generator<TemperatureAndTint>
  { .lights(mired: subject.mired, tints: subject.tints) }

  private static func vector(_ xy: Chromaticity) -> SIMD2<Double> {
    let point = UCS1960(xy)
    return SIMD2(point.u, point.v)
  }
}

/// Two lights of the locus, of which the second is redder.
private struct Neighbors: Sendable, CustomStringConvertible {
  let first: TemperatureAndTint
  let second: TemperatureAndTint
  /// The distance in mired.
  let apart: Double

  init(after kelvin: Double, apart: Double) {
    self.apart = apart
    first = TemperatureAndTint(temperature: kelvin, tint: 0)
    second = TemperatureAndTint(temperature: 1e6 / (1e6 / kelvin + apart), tint: 0)
  }

  init(around kelvin: Double, apart: Double) {
    self.init(after: 1e6 / (1e6 / kelvin - apart / 2), apart: apart)
  }

  var description: String {
    "\(first.temperature) K and \(second.temperature) K, \(apart) mired apart"
  }
}

extension TemperatureTintConversion {
  /// Returns a text that states the difference of a light from the expected one, or `nil` if it is
  /// within the claimed bounds of the given number of conversions.
  fileprivate func difference(
    _ found: TemperatureAndTint, _ expected: TemperatureAndTint, after conversions: Double
  ) -> String? {
    let mired = abs(1e6 / found.temperature - 1e6 / expected.temperature)
    let tint = abs(found.tint - expected.tint)
    let excess =
      excess(mired, " mired", over: conversions * tolerance.mired)
      ?? excess(tint, " in tint", over: conversions * tolerance.tint)
    return excess.map { "\(exactly(found)) instead of \(exactly(expected)): \($0)" }
  }
}

extension SIMD2<Double> { fileprivate var length: Double { (self * self).sum().squareRoot() } }
