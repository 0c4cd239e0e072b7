import Dispatch
import Foundation

/// A piece of work whose speed is measured.
public struct Work {
  /// The name in a table.
  public var name: String
  /// Runs the work, and returns its time for one point in nanoseconds.
  public let time: () -> Double

  /// Creates work from `body`, which processes `count` points.
  public init(name: String, count: Int, body: @escaping () -> Void) {
    self.init(name: name) {
      let start = DispatchTime.now().uptimeNanoseconds
      body()
      return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
    }
  }

  /// Creates work that measures its own time, such as that of another process.
  public init(name: String, time: @escaping () -> Double) {
    self.name = name
    self.time = time
  }
}

/// A comparison of two pieces of work that run alternately, so that a noisy machine slows both.
public struct Comparison {
  /// The medians over the pairs, in nanoseconds for one point.
  public var first, second: Double
  /// The median over the pairs of second/first, and its 95 % interval by bootstrap.
  public var ratio, low, high: Double

  /// Runs both a number of times.
  public init(_ a: Work, _ b: Work, pairs: Int = 101) {
    var random = Generator(state: 0x5EED)
    _ = (a.time(), b.time())
    let times = (0..<pairs).map { _ -> (Double, Double) in
      if random.next() & 1 == 0 {
        let first = a.time()
        return (first, b.time())
      }
      let second = b.time()
      return (a.time(), second)
    }
    let ratios = times.map { $0.1 / $0.0 }
    let medians = (0..<1000).map { _ in
      Self.median((0..<pairs).map { _ in ratios[Int(random.next() % UInt64(pairs))] })
    }.sorted()
    first = Self.median(times.map(\.0))
    second = Self.median(times.map(\.1))
    ratio = Self.median(ratios)
    (low, high) = (medians[25], medians[974])
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// The generator SplitMix64 of Steele, Lea and Flood.
public struct Generator {
  var state: UInt64

  /// Creates a generator from a seed.
  public init(state: UInt64) { self.state = state }

  /// Returns 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a uniform number in 0…1.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Returns the processor and the compiler target.
public func machine() -> String {
  let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
  let line = info.split(separator: "\n").first { $0.hasPrefix("model name") }
  let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  return
    "\(name ?? "Unknown processor"), one core, Swift's default target for it (baseline x86-64 on Intel "
    + "and AMD), release build."
}
