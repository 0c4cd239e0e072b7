internal import ColorScience

/// A monotone map of 0…1 onto itself: the shape of a tone curve, or of a control's law. The
/// logarithm of its slope is a sum of cosines. Its tables are filled again for each set of
/// coefficients.
struct MonotoneWarp {
  private static let intervals = 64
  /// The functions of the sum, each at every node.
  private let basis: [Double]
  private let count: Int
  private var slopes: [Double]
  private var rises: [Double]
  private var isIdentity = true

  /// - Parameter startsWithLine: `true` if the first of the functions is a line: slopes that grow
  ///   by the same factor throughout.
  init(count: Int, startsWithLine: Bool) {
    let nodes = Self.intervals + 1
    self.count = count
    basis = (0..<count * nodes).map { index in
      let (k, x) = (index / nodes, Double(index % nodes) / Double(Self.intervals))
      if startsWithLine { return k == 0 ? 2 * x - 1 : cosine(Double.pi * Double(k) * x) }
      return cosine(Double.pi * Double(k + 1) * x)
    }
    slopes = [Double](repeating: 1, count: nodes)
    rises = [Double](repeating: 0, count: nodes)
  }

  /// Takes the coefficients from the parameters that start at an index.
  mutating func setCoefficients(_ parameters: [Double], from first: Int) {
    isIdentity = (0..<count).allSatisfy { parameters[first + $0] == 0 }
    if isIdentity { return }
    let n = Self.intervals
    for node in 0...n { slopes[node] = 0 }
    for k in 0..<count {
      let coefficient = parameters[first + k]
      if coefficient == 0 { continue }
      for node in 0...n { slopes[node] += coefficient * basis[k * (n + 1) + node] }
    }
    var sum = 0.0
    for node in 0...n {
      slopes[node] = exponential(slopes[node])
      if node > 0 { sum += (slopes[node - 1] + slopes[node]) / Double(2 * n) }
      rises[node] = sum
    }
    for node in 0...n {
      rises[node] /= sum
      slopes[node] /= sum * Double(n)
    }
  }

  /// The map at a position within 0…1.
  @inline(__always) func callAsFunction(_ place: Double) -> Double {
    if isIdentity { return place }
    let n = Self.intervals
    let i = min(max(Int(place * Double(n)), 0), n - 1)
    let t = place * Double(n) - Double(i)
    let (d0, d1, rise) = (slopes[i], slopes[i + 1], rises[i + 1] - rises[i])
    return rises[i] + t * (d0 + t * (3 * rise - 2 * d0 - d1 + t * (d0 + d1 - 2 * rise)))
  }

  /// The map's slope at a position.
  @inline(__always) func slope(at place: Double) -> Double {
    if isIdentity { return 1 }
    let n = Self.intervals
    let i = min(max(Int(place * Double(n)), 0), n - 1)
    let t = place * Double(n) - Double(i)
    return Double(n) * (slopes[i] + t * (slopes[i + 1] - slopes[i]))
  }
}
