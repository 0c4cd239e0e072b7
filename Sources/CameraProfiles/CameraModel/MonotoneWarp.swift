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

  /// Creates the identity.
  ///
  /// - Parameter basis: The functions of the sum.
  init(_ basis: Basis) {
    self.basis = basis.values
    count = basis.count
    slopes = [Double](repeating: 1, count: Self.intervals + 1)
    rises = [Double](repeating: 0, count: Self.intervals + 1)
  }

  /// The functions whose sum is the logarithm of a map's slope, at every node.
  struct Basis {
    let count: Int
    fileprivate let values: [Double]

    /// For tone curves: cosines.
    static let tone = Basis(count: ParameterLayout.toneCount) { k, x in
      cosine(Double.pi * Double(k + 1) * x)
    }

    /// For laws: a line, by which slopes grow by the same factor throughout, and cosines.
    static let law = Basis(count: ParameterLayout.warpCount) { k, x in
      k == 0 ? 2 * x - 1 : cosine(Double.pi * Double(k) * x)
    }

    private init(count: Int, _ function: (_ k: Int, _ x: Double) -> Double) {
      self.count = count
      let nodes = MonotoneWarp.intervals + 1
      values = (0..<count * nodes).map {
        function($0 / nodes, Double($0 % nodes) / Double(MonotoneWarp.intervals))
      }
    }
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
