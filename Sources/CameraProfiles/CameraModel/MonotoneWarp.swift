internal import ColorScience

/// A monotone map of 0…1 onto itself: the shape of a tone curve, or of a control's law. The
/// logarithm of its slope is a sum of cosines. Its tables are filled again for each set of
/// coefficients.
struct MonotoneWarp {
  private static let intervals = 64
  /// The values of the sum's functions at every node, one function after the other.
  private let basis: [Double]
  private let count: Int
  private var slopes: [Double]
  private var rises: [Double]
  /// The derivatives of `slopes` and `rises` by each coefficient, as `setDerivatives()` left them.
  private var slopeChanges: [Double] = []
  private var riseChanges: [Double] = []
  private var isIdentity = true

  /// Creates the identity.
  ///
  /// - Parameter basis: The functions of the sum.
  init(_ basis: Basis) {
    self.basis = basis.values
    count = basis.count
    slopes = [Double](repeating: 0, count: Self.intervals + 1)
    rises = slopes
    setIdentity()
  }

  private mutating func setIdentity() {
    for node in 0...Self.intervals {
      slopes[node] = 1 / Double(Self.intervals)
      rises[node] = Double(node) / Double(Self.intervals)
    }
  }

  /// The functions whose sum is the logarithm of a map's slope, at every node.
  struct Basis {
    let count: Int
    fileprivate let values: [Double]

    /// For tone curves: cosines.
    static let tone = Basis(count: ParameterLayout.toneCount) { k, x in
      cosine(Double.pi * Double(k + 1) * x)
    }

    /// For laws: a line, with which the slope is an exponential function, and cosines.
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
    if isIdentity { return setIdentity() }
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

  /// Computes the derivatives of the map by its coefficients. The derivative of a slope is the
  /// slope times the difference of the coefficient's function from its mean over the map.
  mutating func setDerivatives() {
    let n = Self.intervals
    if slopeChanges.isEmpty {
      slopeChanges = [Double](repeating: 0, count: basis.count)
      riseChanges = slopeChanges
    }
    for first in stride(from: 0, to: basis.count, by: n + 1) {
      var sum = 0.0
      for node in 0...n {
        slopeChanges[first + node] = slopes[node] * basis[first + node]
        if node > 0 { sum += (slopeChanges[first + node - 1] + slopeChanges[first + node]) / 2 }
        riseChanges[first + node] = sum
      }
      for node in 0...n {
        slopeChanges[first + node] -= sum * slopes[node]
        riseChanges[first + node] -= sum * rises[node]
      }
    }
  }

  /// The map at a position within 0…1.
  @inline(__always) func callAsFunction(_ place: Double) -> Double {
    isIdentity ? place : Piece(slopes, rises, 0, place).height
  }

  /// The map's slope at a position.
  @inline(__always) func slope(at place: Double) -> Double {
    isIdentity ? 1 : Piece(slopes, rises, 0, place).slope
  }

  /// The derivative of the map at a position by a coefficient.
  @inline(__always) func derivative(by coefficient: Int, at place: Double) -> Double {
    Piece(slopeChanges, riseChanges, coefficient * (Self.intervals + 1), place).height
  }

  /// The derivative of the map's slope at a position by a coefficient.
  @inline(__always) func slopeDerivative(by coefficient: Int, at place: Double) -> Double {
    Piece(slopeChanges, riseChanges, coefficient * (Self.intervals + 1), place).slope
  }

  /// The cubic through the values at two nodes, with the slopes there.
  private struct Piece {
    private let value, rise, d0, d1, t: Double

    /// The piece at a position, of the functions that start at an index of the tables.
    @inline(__always) init(
      _ slopes: [Double], _ values: [Double], _ first: Int, _ place: Double
    ) {
      let i = min(max(Int(place * Double(MonotoneWarp.intervals)), 0), MonotoneWarp.intervals - 1)
      let node = first + i
      t = place * Double(MonotoneWarp.intervals) - Double(i)
      (d0, d1) = (slopes[node], slopes[node + 1])
      value = values[node]
      rise = values[node + 1] - value
    }

    @inline(__always) var height: Double {
      value + t * (d0 + t * (3 * rise - 2 * d0 - d1 + t * (d0 + d1 - 2 * rise)))
    }

    @inline(__always) var slope: Double {
      Double(MonotoneWarp.intervals)
        * (d0 + t * (2 * (3 * rise - 2 * d0 - d1) + 3 * t * (d0 + d1 - 2 * rise)))
    }
  }
}
