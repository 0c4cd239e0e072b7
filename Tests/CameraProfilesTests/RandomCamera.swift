import ColorScience

@testable import CameraProfiles

/// A random camera: pixels with shot and read noise, gains by a control's law, a published color
/// matrix of a sensor that the prior does not include, a tone curve, saturation, 8-bit codes.
struct RandomCamera {
  /// A deviation from the model, or from usual cameras.
  enum Oddity {
    case none, crosstalk, deadEnds, exposurePower, exposureOfAnotherUnit, stairs, wideStairs,
      fineStairs, lumaSaturation, deadControl
  }

  let controls: BalanceControls
  let lawName: String
  let oddity: Oddity
  private var random: SplitMix64
  private let law: (Double) -> Double
  private let lamps: [[Double]]
  private let matrix: [Double]
  private let saturation: Double
  private let gamma: Double?
  private let bend: Double
  private let black: Double
  private let well: Double
  private let read: Double
  let exposurePower: Double

  private struct Law: Sendable {
    var name: String
    var limits: (Int, Int, Int)
    var gain: @Sendable (Double) -> Double
  }

  private static let laws: [Law] = [
    Law(name: "256ths", limits: (0, 1023, 256)) { $0 / 256 },
    Law(name: "offset", limits: (0, 4095, 600)) { ($0 + 37) / 512 },
    Law(name: "additive", limits: (-100, 300, 0)) { 1 + $0 / 128 },
    Law(name: "exponential", limits: (0, 255, 160)) { 4 * power(0.15, $0 / 255) },
    Law(name: "decibels", limits: (0, 100, 30)) { power(10, ($0 - 30) * 0.01) },
    Law(name: "reciprocal", limits: (64, 1023, 280)) { 256 / $0 },
    Law(name: "inverse", limits: (0, 255, 90)) { 160 / (270 - $0) },
    Law(name: "quadratic", limits: (0, 255, 96)) { 0.125 + $0 / 256 + ($0 / 128) * ($0 / 128) },
    Law(name: "coarse", limits: (0, 63, 16)) { $0 / 16 },
  ]

  init(seed: UInt64, matrices: [[Double]], oddity: Oddity = .none) {
    var random = SplitMix64(state: seed)
    func draw(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.uniform()
    }
    func control(_ id: ControlID, _ law: Law) -> ControlDescription {
      ControlDescription(
        id: id, minimum: law.limits.0, maximum: law.limits.1, defaultValue: law.limits.2)
    }
    var drawn = Self.laws[Int(random.next() % UInt64(Self.laws.count))]
    if oddity == .deadEnds {
      drawn = Law(name: "flat", limits: (0, 1000, 400)) {
        0.6 + (min(max($0, 200), 800) - 200) / 300
      }
    }
    if oddity == .stairs {
      drawn = Law(name: "stairs", limits: (0, 255, 96)) {
        0.7 * power(1.07, ($0 * 24 / 256).rounded(.down))
      }
    }
    if oddity == .wideStairs {
      drawn = Law(name: "wide stairs", limits: (0, 7999, 3000)) {
        0.45 * power(1.025, ($0 * 66 / 8000).rounded(.down))
      }
    }
    if oddity == .fineStairs {
      let smooth = drawn.gain
      drawn.gain = {
        power(1.012, (logarithm(max(smooth($0), 1e-6)) / logarithm(1.012)).rounded())
      }
    }
    lawName = drawn.name
    law = drawn.gain
    controls = .balances(red: control(.redBalance, drawn), blue: control(.blueBalance, drawn))
    self.oddity = oddity
    lamps = [[0.7245, 1, 0.4178], [0.4213, 1, 0.7651]].map { lamp in
      [lamp[0] / 0.479 * exponential(draw(-0.1...0.1)), 1, lamp[2] / 0.652]
    }
    let strength = draw(0...1) < 0.2 ? 0 : draw(0...1)
    matrix = matrices[Int(random.next() % UInt64(matrices.count))].map { $0 * strength }
    saturation = draw(0.8...1.4)
    gamma = draw(0...1) < 0.5 ? nil : draw(1.8...2.4)
    bend = draw(0...1) < 0.5 ? 0 : draw(0...0.07)
    black = draw(0...1) < 0.5 ? 0 : draw(0...10)
    well = draw(5000...20000)
    read = draw(3...10)
    exposurePower =
      switch oddity {
      case .exposurePower: 0.95
      case .exposureOfAnotherUnit: 3
      default: 1
      }
    self.random = random
  }

  /// Indicates whether pictures follow sRGB, and whether they are far from it.
  var followsSRGB: Bool { gamma == nil && bend == 0 && black == 0 }
  var isFarFromSRGB: Bool { bend > 0.03 || black > 5 }

  /// The gain of a control at a value.
  func gain(_ value: Int) -> Double { law(Double(value)) }

  /// The logarithms of red's and blue's gains at settings.
  func logGains(_ settings: [ControlID: Int]) -> (red: Double, blue: Double) {
    let (red, blue) = (settings[.redBalance] ?? 0, settings[.blueBalance] ?? 0)
    let acting = oddity == .deadControl ? controls.descriptions[0].defaultValue : red
    let gains = (max(gain(acting), 1e-6), max(gain(blue), 1e-6))
    let follows = oddity == .crosstalk ? 0.03 : 0
    return (
      logarithm(gains.0), logarithm(gains.1) + follows * logarithm(gains.0)
    )
  }

  /// The logarithms of the gains at which a lamp's card is neutral.
  func neutral(_ lamp: Int) -> (red: Double, blue: Double) {
    (-logarithm(lamps[lamp][0]), -logarithm(lamps[lamp][2]))
  }

  private func tone(_ light: Double) -> Double {
    let x = min(max(light, 0), 1)
    let y =
      gamma.map { power(x, 1 / $0) }
      ?? (x < 0.0031308 ? 12.92 * x : 1.055 * power(x, 1 / 2.4) - 0.055)
    return black + (255 - black) * (y - bend * sine(2 * Double.pi * y))
  }

  private func sine(_ x: Double) -> Double { cosine(x - Double.pi / 2) }

  /// Observes the card with 2000 pixels.
  mutating func look(_ settings: [ControlID: Int], lamp: Int, exposure: Double) -> Observation {
    let (red, blue) = logGains(settings)
    let gains = [exponential(red), 1, exponential(blue)]
    let unit = 0.22 / max(1, lamps[lamp].max() ?? 1) * power(exposure, exposurePower)
    let pixels = 2000
    var (sums, squares, ends) = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    for _ in 0..<pixels {
      var light = SIMD3<Double>.zero
      for channel in 0..<3 {
        let mean = unit * lamps[lamp][channel]
        let noise = (mean * well + read * read).squareRoot() / well * random.normal()
        light[channel] = min(min(mean + noise, 1) * gains[channel], 1)
      }
      let codes = codes(light)
      sums += codes
      squares += codes * codes
      for channel in 0..<3 where codes[channel] < 0.5 || codes[channel] > 254.5 {
        ends[channel] += 1
      }
    }
    let mean = sums / Double(pixels)
    let variance = squares / Double(pixels) - mean * mean
    let deviation = variance.clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1e6)
    ).squareRoot()
    return Observation(
      lamp: lamp, settings: settings, exposure: exposure, codes: mean,
      errors: deviation / Double(pixels).squareRoot(), deviations: deviation,
      clipped: ends / Double(pixels))
  }

  /// The codes of a pixel from its linear values after the gains.
  private func codes(_ light: SIMD3<Double>) -> SIMD3<Double> {
    var mixed = light
    for (place, (row, column)) in MixingPrior.places.enumerated() {
      mixed[row] += matrix[place] * (light[column] - light[row])
    }
    let toned = SIMD3(tone(mixed.x), tone(mixed.y), tone(mixed.z))
    let luma = 0.299 * toned.x + 0.587 * toned.y + 0.114 * toned.z
    var factor = saturation
    if oddity == .lumaSaturation { factor *= 1 - 0.1 * (luma / 128 - 1) * (luma / 128 - 1) }
    let result = SIMD3(repeating: luma) + factor * (toned - SIMD3(repeating: luma))
    return (result + 0.5).rounded(.down).clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
  }
}
