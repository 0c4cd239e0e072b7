public import ColorScience

/// The uncertainty of predicted gains.
///
/// For each class of light, and for lights of unknown class, a table contains the expected square
/// of the error at reciprocal temperatures. An entry is a mean over the reference lamps of about
/// this temperature: the square of the fit's residual at a lamp, plus the remaining variance of
/// this camera's gains under it.
public struct GainUncertainty: Hashable, Sendable, Codable {
  /// The variances and covariance of the logarithms of the red and the blue gain, relative to
  /// green.
  public struct Covariance: Hashable, Sendable, Codable {
    /// The variance of the logarithm of the red gain.
    public let red: Double
    /// The variance of the logarithm of the blue gain.
    public let blue: Double
    /// The covariance of the two logarithms.
    public let redBlue: Double

    /// The covariance of independent relative errors of red and blue.
    package init(errors red: Double, _ blue: Double) {
      self.init(red: red * red, blue: blue * blue, redBlue: 0)
    }

    init(red: Double, blue: Double, redBlue: Double) {
      (self.red, self.blue, self.redBlue) = (red, blue, redBlue)
    }

    /// The covariance of the sum of two independent errors.
    package static func + (one: Self, other: Self) -> Self {
      Self(
        red: one.red + other.red, blue: one.blue + other.blue,
        redBlue: one.redBlue + other.redBlue)
    }

    /// The relative standard errors of red and of blue: 0.01 is 1 %.
    public var standardErrors: (red: Double, blue: Double) { (red.squareRoot(), blue.squareRoot()) }

    /// The standard errors of numbers that depend on the gains; `nil` if `numbers` returns `nil`.
    ///
    /// - Parameter numbers: the numbers after the logarithms of the red and the blue gain change by
    ///   the argument, which is ±1e-6 in one of them.
    public func standardErrors(of numbers: (SIMD2<Double>) -> [Double]?) -> [Double]? {
      let step = 1e-6
      guard let redUp = numbers(SIMD2(step, 0)), let redDown = numbers(SIMD2(-step, 0)),
        let blueUp = numbers(SIMD2(0, step)), let blueDown = numbers(SIMD2(0, -step))
      else { return nil }
      return redUp.indices.map { index in
        let byRed = (redUp[index] - redDown[index]) / (2 * step)
        let byBlue = (blueUp[index] - blueDown[index]) / (2 * step)
        return (byRed * byRed * red + byBlue * byBlue * blue + 2 * byRed * byBlue * redBlue)
          .squareRoot()
      }
    }
  }

  /// The abscissas of the tables, in mired.
  private static let places = stride(from: 40.0, through: 560, by: 40).map { $0 }

  private let general: [Covariance]
  private let byClass: [String: [Covariance]]

  /// The standard deviation, in mired, of the weights by which lamps are averaged.
  private static let width = 60.0

  init(_ regression: LampRegression, model: ClassifiedCameraModel) {
    func table(_ lightClass: LightClass?) -> [Covariance] {
      // Real lamps only: the errors under ideal radiators are smaller.
      let squares = (0..<ReferenceLamps.real.count).compactMap {
        index -> (Double, Covariance2x2)? in
        let lamp = ReferenceLamps.all[index]
        guard lightClass == nil || lamp.lightClass == lightClass,
          let mired = CorrelatedColorTemperature(lamp.chromaticity)?.mired,
          let response = model.response(to: lamp.chromaticity, lightClass: lightClass)
        else { return nil }
        let (expected, covariance) = regression.lamps[index]
        let missed = expected - response.logGains
        return (mired, Covariance2x2.square(missed) + covariance)
      }
      return Self.places.map { place in
        var (sum, total) = (Covariance2x2.zero, 0.0)
        for (mired, square) in squares {
          let z = (mired - place) / Self.width
          // A small weight for every lamp, so that no entry far from most lamps depends on a single
          // one.
          let weight = exponential(-z * z / 2) + 1e-3
          sum = sum + square * weight
          total += weight
        }
        return Covariance(red: sum.rr / total, blue: sum.bb / total, redBlue: sum.rb / total)
      }
    }
    general = table(nil)
    byClass = Dictionary(uniqueKeysWithValues: LightClass.allCases.map { ($0.rawValue, table($0)) })
  }

  /// The expected square of the error of predicted gains for a light: linear between the entries of
  /// the table, constant beyond 40 and 560 mired; `nil` if the light has no temperature.
  ///
  /// 95 % of gains lie within 1.96 standard errors (`EvaluationTests`), for lights within
  /// 1800…20 000 K and |Duv| ≤ 0.03.
  public func covariance(at light: Chromaticity, lightClass: LightClass? = nil) -> Covariance? {
    guard let mired = CorrelatedColorTemperature(light)?.mired else { return nil }
    let table = lightClass.flatMap { byClass[$0.rawValue] } ?? general
    let last = Self.places.count - 1
    guard table.count > last else { return nil }
    let position = max(0, min((mired - Self.places[0]) / 40, Double(last)))
    let index = min(Int(position), last - 1)
    let share = position - Double(index)
    func mix(_ value: (Covariance) -> Double) -> Double {
      value(table[index]) * (1 - share) + value(table[index + 1]) * share
    }
    return Covariance(red: mix(\.red), blue: mix(\.blue), redBlue: mix(\.redBlue))
  }
}
