internal import ColorScience

/// A random generator with a seed that records its choices in words.
struct Dice {
  private var random: SplitMix64
  /// The recorded words, in order.
  private(set) var words: [String] = []

  init(seed: UInt64) { random = SplitMix64(state: (seed &+ 1) &* 0xD134_2543_DE82_EF95) }

  /// Returns `true` with a probability.
  mutating func chance(_ probability: Double) -> Bool { random.uniform() < probability }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * random.uniform()
  }

  /// Returns a random number whose logarithm is distributed uniformly.
  mutating func scale(_ range: ClosedRange<Double>) -> Double {
    exponential(number(logarithm(range.lowerBound)...logarithm(range.upperBound)))
  }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(random.next() % UInt64(range.count))
  }

  mutating func normal(_ deviation: Double) -> Double { deviation * random.normal() }

  mutating func one<Element>(of list: [Element]) -> Element {
    list[Int(random.next() % UInt64(list.count))]
  }

  /// Returns an element of a list, with probabilities in proportion to the weights.
  mutating func weighted<Element>(_ list: [(weight: Double, element: Element)]) -> Element {
    var rest = random.uniform() * list.map(\.weight).reduce(0, +)
    for (weight, element) in list {
      rest -= weight
      if rest < 0 { return element }
    }
    return list[list.count - 1].element
  }

  mutating func note(_ text: String) { words.append(text) }
}

/// Returns a number with a count of significant digits, for recorded words.
func rounded(_ value: Double, digits: Int = 2) -> String {
  guard value != 0, value.isFinite else { return "0" }
  let places = max(0, digits - 1 - Int((logarithm(abs(value)) / logarithm(10)).rounded(.down)))
  let factor = power(10, Double(places))
  let text = String((value * factor).rounded() / factor)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
