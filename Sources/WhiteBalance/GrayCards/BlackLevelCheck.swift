import ColorScience

/// A test of whether gray patches of different reflectance have the same color, and the black level
/// with which they would.
///
/// Under one light, all neutral patches have the same red/green and blue/green. A wrong black level
/// changes the ratios of a dark patch more than those of a bright one. Another light on one patch,
/// or a patch that is not neutral, changes them in another way.
///
/// The level is found by least squares on the logarithms of the ratios, weighted by each patch's
/// standard error and `tolerance`. The verdicts are χ² tests. The patches disagree if the
/// probability of such differences by chance is below 1 in 100. A black level explains the
/// disagreement if it is plausible, if it fits better than the layout's own level by 3 standard
/// deviations, and if chance explains the remaining differences with a probability of at least 1 in
/// 20.
public struct BlackLevelCheck: Hashable, Sendable {
  /// The conclusion from all patches.
  public enum Verdict: Hashable, Sendable {
    /// The ratios are equal within their errors.
    case agreement
    /// The ratios are equal with this black level, in code values, which has this standard error.
    case blackLevel(Double, standardError: Double)
    /// No plausible black level clearly makes the ratios equal: one patch is under another lamp, or
    /// is not neutral.
    case disagreement
  }

  /// The range of the patches' ratios: the largest natural logarithm minus the smallest.
  public struct Spread: Hashable, Sendable {
    /// The range of ln(red/green).
    public let red: Double
    /// The range of ln(blue/green).
    public let blue: Double
  }

  /// The conclusion from all patches.
  public let verdict: Verdict
  /// The spread with the black level of the estimates.
  public let spread: Spread
  /// The plausible black level that makes the patches agree best, in code values.
  public let fittedLevel: Double
  /// The standard error of `fittedLevel`; larger than any level if all patches have the same
  /// brightness, because the level is then unknown.
  public let standardError: Double
  /// The spread with the fitted level.
  public let remainingSpread: Spread

  /// Returns the plausible black levels: those within a 64th of the range around the layout's
  /// level. A layout's level of 0 may not have been stated, and the plausible levels then reach
  /// from 0 to a sixth of white.
  public static func plausibleLevels(for layout: FrameLayout) -> ClosedRange<Double> {
    let black = layout.blackLevel
    guard black != 0 else { return 0...layout.whiteLevel / 6 }
    let margin = (layout.whiteLevel - black) / 64
    return max(min(0, black), black - margin)...black + margin
  }

  /// Checks two or more estimates of patches of different brightness, from frames of one layout.
  ///
  /// - Parameters:
  ///   - patches: the estimates of the patches.
  ///   - layout: the layout of the frames.
  ///   - tolerance: the relative standard deviation of a patch's ratios from neutral; about 1 % for
  ///     real gray patches.
  /// - Returns: `nil` if there are fewer than two patches or one cannot be used as a mean, if the
  ///   tolerance is not positive, or if the layout is not linear, so that a black level is not a
  ///   plain offset.
  public init?(patches: [GrayCardEstimate], layout: FrameLayout, tolerance: Double = 0.01) {
    guard patches.count >= 2, patches.allSatisfy(\.isUsableAsMean), tolerance > 0,
      tolerance.isFinite,
      layout.transfer == .linear
    else { return nil }
    let scale = layout.whiteLevel - layout.blackLevel
    let fit = OffsetFit(
      responses: patches.map { $0.response.vector * scale },
      variances: patches.map {
        let error = SIMD2($0.standardError.red, $0.standardError.blue)
        return error * error + tolerance * tolerance
      })
    let plausible = Self.plausibleLevels(for: layout)
    let offset = fit.bestOffset(
      in: plausible.lowerBound - layout.blackLevel...plausible.upperBound - layout.blackLevel)
    let error = fit.standardError(at: offset)
    let before = fit.spread(at: 0)
    let after = fit.spread(at: offset)
    spread = Spread(red: before.x, blue: before.y)
    remainingSpread = Spread(red: after.x, blue: after.y)
    fittedLevel = layout.blackLevel + offset
    standardError = error
    let freedom = 2 * Double(patches.count - 1)
    let (atZero, atBest) = (fit.chiSquare(at: 0), fit.chiSquare(at: offset))
    let (rare, unusual) = (2.326_348, 1.644_854)
    if atZero <= chiSquareQuantile(freedom, deviate: rare) {
      verdict = .agreement
    } else if atBest <= chiSquareQuantile(freedom - 1, deviate: unusual), atZero - atBest > 9 {
      verdict = .blackLevel(fittedLevel, standardError: error)
    } else {
      verdict = .disagreement
    }
  }
}

/// The patches' ratios as functions of an offset that all channels share.
private struct OffsetFit {
  /// Mean responses in code values above black.
  var responses: [SIMD3<Double>]
  /// Variances of the logarithms of red/green and blue/green.
  var variances: [SIMD2<Double>]

  /// Returns the offset in an interval with the least sum of squares.
  ///
  /// There may be several minima, since all ratios tend to 1 for an offset far below zero. A scan
  /// finds the lowest, and ternary search refines it.
  func bestOffset(in interval: ClosedRange<Double>) -> Double {
    let darkest = responses.map { $0.min() }.min() ?? 0
    // An offset above the darkest response would lead to the logarithm of a negative number.
    let end = min(interval.upperBound, darkest * (1 - 1e-9))
    let step = (end - interval.lowerBound) / 256
    func offset(_ index: Int) -> Double { interval.lowerBound + Double(index) * step }
    let best = (0...256).min { chiSquare(at: offset($0)) < chiSquare(at: offset($1)) } ?? 0
    var (low, high) = (offset(max(0, best - 1)), offset(min(256, best + 1)))
    for _ in 0..<80 {
      let third = (high - low) / 3
      if chiSquare(at: low + third) < chiSquare(at: high - third) {
        high -= third
      } else {
        low += third
      }
    }
    return (low + high) / 2
  }

  /// Returns the standard error of an offset, from the Fisher information in the slopes of the
  /// ratios.
  func standardError(at offset: Double) -> Double {
    let slopes = centered(
      responses.map { response in
        let inverse = 1 / (response - offset)
        return SIMD2(inverse.y - inverse.x, inverse.y - inverse.z)
      })
    let information = zip(slopes, variances).reduce(0) { $0 + ($1.0 * $1.0 / $1.1).sum() }
    return 1 / information.squareRoot()
  }

  func chiSquare(at offset: Double) -> Double {
    let deviations = centered(logRatios(at: offset))
    return zip(deviations, variances).reduce(0) { $0 + ($1.0 * $1.0 / $1.1).sum() }
  }

  func spread(at offset: Double) -> SIMD2<Double> {
    let ratios = logRatios(at: offset)
    return ratios.reduce(ratios[0], pointwiseMax) - ratios.reduce(ratios[0], pointwiseMin)
  }

  private func logRatios(at offset: Double) -> [SIMD2<Double>] {
    responses.map { LinearRGB($0 - offset).logRatios }
  }

  /// Returns the deviations from the weighted mean, which is the estimate of the light's own
  /// ratios.
  private func centered(_ values: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let weight = variances.reduce(SIMD2<Double>.zero) { $0 + 1 / $1 }
    let mean = zip(values, variances).reduce(SIMD2<Double>.zero) { $0 + $1.0 / $1.1 } / weight
    return values.map { $0 - mean }
  }
}

/// Returns the χ² that has the same quantile as a normal deviate (E. B. Wilson, M. M. Hilferty, The
/// distribution of chi-square, Proceedings of the National Academy of Sciences 17, 1931), within
/// 3 % for the deviates used here.
private func chiSquareQuantile(_ freedom: Double, deviate: Double) -> Double {
  let spread = 2 / (9 * freedom)
  let root = 1 - spread + deviate * spread.squareRoot()
  return freedom * root * root * root
}
