/// The covariances of one pair of logarithms with another: red with red, red with blue, and so on.
/// It is symmetric for a pair with itself.
struct Covariance2x2: Hashable, Sendable {
  var rr, rb, br, bb: Double

  static let zero = Covariance2x2(rr: 0, rb: 0, br: 0, bb: 0)

  /// v·vᵀ.
  static func square(_ v: SIMD2<Double>) -> Self {
    Self(rr: v.x * v.x, rb: v.x * v.y, br: v.x * v.y, bb: v.y * v.y)
  }

  static func + (a: Self, b: Self) -> Self {
    Self(rr: a.rr + b.rr, rb: a.rb + b.rb, br: a.br + b.br, bb: a.bb + b.bb)
  }

  static func * (a: Self, factor: Double) -> Self {
    Self(rr: a.rr * factor, rb: a.rb * factor, br: a.br * factor, bb: a.bb * factor)
  }
}
