import ColorScience

/// Whether gray patches of different reflectance agree, and the black level that would make them.
///
/// Under one light all neutral patches have the same red/green and blue/green. A black level that
/// is off adds the same code values to all three channels, which changes the ratios of a dark patch
/// more than those of a bright one; another light on one of them, or a tint, does so in another
/// way.
///
/// The level is found by least squares on the logarithms of the ratios, each weighted by the
/// patch's standard error and `tolerance`. Both verdicts are tests of χ²: patches disagree where
/// their ratios would by chance in one of 100 cases; a level explains that only if it is plausible,
/// if what is left would by chance in one of 20, and if it is 3 standard deviations better than the
/// layout's own.
public struct BlackLevelCheck: Hashable, Sendable {
  /// What the patches say together.
  public enum Verdict: Hashable, Sendable {
    /// Their ratios are equal within their errors.
    case agreement
    /// They would be with this black level, in code values, give or take its standard error.
    case blackLevel(Double, standardError: Double)
    /// No plausible black level clearly makes them equal: another lamp, or a patch that is not
    /// neutral.
    case disagreement
  }

  /// How far the patches' red/green and blue/green are apart, as logarithms: largest less smallest.
  public struct Spread: Hashable, Sendable {
    /// Of red/green.
    public let red: Double
    /// Of blue/green.
    public let blue: Double
  }

  /// What the patches say together.
  public let verdict: Verdict
  /// The spread with the black level that the estimates were made with.
  public let spread: Spread
  /// The plausible black level that makes the patches agree best, in code values.
  public let fittedLevel: Double
  /// The standard error of `fittedLevel`; beyond all levels where the patches are of one
  /// brightness.
  public let standardError: Double
  /// The spread that the fitted level leaves.
  public let remainingSpread: Spread

  /// The levels that are taken for possible: up to a sixth of white where a layout says 0, which
  /// may mean that nobody has told; else within a 64th of the range around what it says.
  public static func plausibleLevels(for layout: FrameLayout) -> ClosedRange<Double> {
    let black = layout.blackLevel
    guard black != 0 else { return 0...layout.whiteLevel / 6 }
    let margin = (layout.whiteLevel - black) / 64
    return max(min(0, black), black - margin)...black + margin
  }

  /// A check of two or more estimates from frames of one layout.
  ///
  /// - Parameters:
  ///   - patches: the estimates, of patches of different brightness.
  ///   - layout: that of the frames.
  ///   - tolerance: the relative standard deviation of a patch's ratios from neutral; real gray
  ///     patches' is about 1 %.
  /// - Returns: `nil` for fewer than two patches, one that is no fair mean, a tolerance that is not
  ///   positive, or a layout that is not linear, where code values do not add.
  public init?(
    patches: [GrayCardEstimate], layout: FrameLayout, tolerance: Double = 0.01
  ) {
    guard patches.count >= 2, patches.allSatisfy(\.isFairMean), tolerance > 0, tolerance.isFinite,
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
    } else if atBest <= chiSquareQuantile(freedom - 1, deviate: unusual),
      atZero - atBest > 9
    {
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

  /// The offset in an interval at which the sum of squares is least. Far below, where all ratios
  /// are 1, every patch agrees with every other, and there may be several minima: the lowest of a
  /// scan is refined by thirds.
  func bestOffset(in interval: ClosedRange<Double>) -> Double {
    let darkest = responses.map { $0.min() }.min() ?? 0
    // Logarithms end at the darkest response.
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

  /// From the information that the slopes of the ratios carry.
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
    responses.map { response in
      let light = response - offset
      return SIMD2(logarithm(light.x / light.y), logarithm(light.z / light.y))
    }
  }

  /// Deviations from the weighted mean, which stands for the light's own ratios.
  private func centered(_ values: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let weight = variances.reduce(SIMD2<Double>.zero) { $0 + 1 / $1 }
    let mean = zip(values, variances).reduce(SIMD2<Double>.zero) { $0 + $1.0 / $1.1 } / weight
    return values.map { $0 - mean }
  }
}

/// The χ² of some degrees of freedom that a normal deviate corresponds to (E. B. Wilson, M. M.
/// Hilferty, The distribution of chi-square, Proceedings of the National Academy of Sciences 17,
/// 1931); within 3 % at the deviates used here.
private func chiSquareQuantile(_ freedom: Double, deviate: Double) -> Double {
  let spread = 2 / (9 * freedom)
  let root = 1 - spread + deviate * spread.squareRoot()
  return freedom * root * root * root
}
