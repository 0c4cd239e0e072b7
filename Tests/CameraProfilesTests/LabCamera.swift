import CameraProfiles
import ColorScience
import Foundation

/// A camera of the camera lab: its observations of a card under A and D65, and its true gains
/// (`Fixtures/README.md`).
struct LabCamera: Sendable {
  let name: String
  let law: String
  let controls: BalanceControls
  private(set) var traits: [String: Double] = [:]
  private(set) var looks: [Observation] = []
  /// The true gains of red and blue at each observation, before any crosstalk, as the lab recorded
  /// them.
  private(set) var recordedGains: [[Double]] = []

  static let lamps = ["A", "D65"]
  static let all: [LabCamera] = read().cameras
  static let lights: [String: [Double]] = read().lights

  private static func read() -> (cameras: [LabCamera], lights: [String: [Double]]) {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/lab-looks.txt")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return ([], [:]) }
    var (cameras, lights): ([LabCamera], [String: [Double]]) = ([], [:])
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "lamp": lights[words[1]] = words[2...].compactMap(Double.init)
      case "camera": cameras.append(LabCamera(words))
      default: cameras[cameras.count - 1].add(words)
      }
    }
    return (cameras, lights)
  }

  private init(_ words: [String]) {
    name = words[1]
    law = words[2]
    let limits = words[3].split(separator: ",").compactMap { Int($0) }
    func control(_ id: ControlID) -> ControlDescription {
      ControlDescription(
        id: id, minimum: limits[0], maximum: limits[1], step: limits[2], defaultValue: limits[3])
    }
    controls =
      ["kelvin10", "mired"].contains(law)
      ? .temperature(control(.whiteBalanceTemperature))
      : .balances(red: control(.redBalance), blue: control(.blueBalance))
    for word in words[4...] {
      let parts = word.split(separator: "=")
      traits[String(parts[0])] = Double(parts[1]) ?? 0
    }
  }

  private mutating func add(_ words: [String]) {
    let values = words[1].split(separator: ",").compactMap { Int($0) }
    let numbers = words[2...].compactMap(Double.init)
    func triple(_ first: Int) -> SIMD3<Double> {
      SIMD3(numbers[first], numbers[first + 1], numbers[first + 2])
    }
    looks.append(
      Observation(
        lamp: Self.lamps.firstIndex(of: words[0]) ?? 0, settings: settings(values),
        exposure: numbers[0] / 400, codes: triple(1), errors: triple(4), deviations: triple(7),
        clipped: triple(10)))
    recordedGains.append(Array(numbers[13...]))
  }

  func settings(_ values: [Int]) -> [ControlID: Int] {
    Dictionary(zip(controls.descriptions.map(\.id), values), uniquingKeysWith: { $1 })
  }

  func values(_ settings: [ControlID: Int]) -> [Double] {
    controls.descriptions.map { Double(settings[$0.id] ?? $0.defaultValue) }
  }

  /// The first observations, half of them under each lamp.
  func looks(_ count: Int) -> [Observation] {
    let first = looks.filter { $0.lamp == 0 }
    let second = looks.filter { $0.lamp == 1 }
    return Array(first.prefix(count - count / 2)) + Array(second.prefix(count / 2))
  }

  // The true properties of the camera follow.

  /// The card's mean through the lens, whose corners are darker.
  private var lens: [Double] {
    guard let shading = traits["shading"] else { return [1, 1, 1] }
    var (red, green, count) = (0.0, 0.0, 0.0)
    for y in 12..<36 {
      for x in 16..<48 {
        let (u, v) = (2 * Double(x) / 64 - 1, 2 * Double(y) / 48 - 1)
        let zone = min(((u * u + v * v) / 2 * 6).rounded(.down), 5)
        let q = (zone + 0.5) / 6
        let dark = 1 - 3 * shading * q
        red += dark * (1 - shading * q)
        green += dark
        count += 1
      }
    }
    return [red / count, green / count, green / count]
  }

  private static let maker = [1 / lights["D50"]![0], 1 / lights["D50"]![2]]

  /// The gains of red and blue at values of the controls.
  func gains(_ values: [Double]) -> [Double] {
    let v = values
    var gains: [Double]
    if controls.descriptions.count == 1 {
      let x = Foundation.log((law == "kelvin10" ? v[0] : 1e6 / v[0]) / 5000)
      gains = [
        Foundation.exp(0.52 * x - 0.22 * x * x) * Self.maker[0],
        Foundation.exp(-0.70 * x + 0.20 * x * x) * Self.maker[1],
      ]
    } else {
      gains = v.enumerated().map { gain($1) * (law == "additive" ? Self.maker[$0] : 1) }
    }
    gains[1] *= Foundation.pow(gains[0], traits["crosstalk"] ?? 0)
    return gains
  }

  private func gain(_ v: Double) -> Double {
    switch law {
    case "exponential": Foundation.pow(2, (v - 128) / 64)
    case "reciprocal": 256 / (512 - v)
    case "inverse": 256 / v
    case "quadratic": 0.5 + 2 * (v / 255) * (v / 255)
    case "v256": v / 256
    case "v512": (v + 37) / 512
    default: 1 + v / 128
    }
  }

  /// The CIEDE2000 difference between the card and gray after the camera's matrix.
  func distance(_ lamp: String, _ values: [Double]) -> Double {
    let (g, w, strength, lens) = (gains(values), Self.lights[lamp]!, traits["ccm"] ?? 0, lens)
    let x = [g[0], 1, g[1]].enumerated().map { min(0.18 * w[$0] * lens[$0] * $1, 1) }
    let rows = [[0.70, -0.50, -0.20], [-0.25, 0.50, -0.25], [0, -0.60, 0.60]]
    let mixed = (0..<3).map { i in
      min(max(x[i] + strength * (0..<3).reduce(0) { $0 + rows[i][$1] * x[$1] }, 0), 1)
    }
    let lab = LabColor(
      LinearRGB(red: mixed[0], green: mixed[1], blue: mixed[2]), in: .sRGB)
    return lab.ciede2000(to: lab.neutral)
  }

  /// The smallest CIEDE2000 difference at any setting.
  func leastDistance(_ lamp: String) -> Double {
    let control = controls.descriptions[0]
    let first = law == "additive" ? -127 : control.minimum
    let all = stride(from: first, through: control.maximum, by: control.step).map(Double.init)
    if controls.descriptions.count == 1 { return all.map { distance(lamp, [$0]) }.min()! }
    let (w, lens) = (Self.lights[lamp]!, lens)
    func off(_ v: [Double], _ c: Int, _ k: Int) -> Double {
      abs(Foundation.log(gains(v)[c] * lens[k] * w[k] / lens[1]))
    }
    let red = all.min { off([$0, $0], 0, 0) < off([$1, $1], 0, 0) }!
    let blue = all.min { off([red, $0], 1, 2) < off([red, $1], 1, 2) }!
    return all.filter { abs($0 - red) <= 4 }.flatMap { r in
      all.filter { abs($0 - blue) <= 4 }.map { distance(lamp, [r, $0]) }
    }.min()!
  }

  /// Settings of each channel at which the true gains are between those of both lamps' neutrals,
  /// and up to 0.25 in the natural logarithm beyond; the other channel is at its default.
  func reachable() -> [[[ControlID: Int]]] {
    [(0, 0), (1, 2)].map { channel, k in
      let control = controls.descriptions[min(channel, controls.descriptions.count - 1)]
      let wanted = Self.lamps.map {
        Foundation.log(Self.lights[$0]![1] * lens[1] / Self.lights[$0]![k] / lens[k])
      }
      let inside = (0...512).map { control.value(atShare: Double($0) / 512) }.filter {
        let gain = Foundation.log(max(gains(at(control, $0))[channel], 1e-6))
        return gain > wanted.min()! - 0.25 && gain < wanted.max()! + 0.25
      }.sorted()
      let (low, high) = (Double(inside[0]), Double(inside[inside.count - 1]))
      return (0..<9).map {
        settings(
          at(control, control.nearestValue(to: low + (high - low) * Double($0) / 8)).map { Int($0) }
        )
      }
    }
  }

  private func at(_ control: ControlDescription, _ value: Int) -> [Double] {
    controls.descriptions.map { Double($0.id == control.id ? value : $0.defaultValue) }
  }
}
