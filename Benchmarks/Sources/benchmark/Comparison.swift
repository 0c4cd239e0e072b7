import Dispatch

/// Something whose speed is measured: `body` does the work for `count` points.
struct Work {
  var name: String
  var count: Int
  var body: () -> Void

  /// Nanoseconds for one point.
  func time() -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
  }
}

/// How two works compare when they are run in turn: a noisy machine slows both.
struct Comparison {
  /// Medians over the pairs, in nanoseconds for one point.
  var first, second: Double
  /// The median over the pairs of second/first, and its 95 % interval by bootstrap.
  var ratio, low, high: Double

  init(_ a: Work, _ b: Work, pairs: Int = 101) {
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

/// Steele, Lea and Flood's SplitMix64.
struct Generator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in 0…1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}
