import ColorScience

/// Whether gray patches of different reflectance agree, and the black level that would make them.
///
/// Under one light all neutral patches have the same red/green and blue/green. A black level that is off
/// adds the same code values to all three channels, which changes the ratios of a dark patch more than
/// those of a bright one; another light on one of them, or a tint, does so in another way.
///
/// The level is found by least squares on the logarithms of the ratios, each weighted by the patch's
/// standard error and `tolerance`. Both verdicts are tests of χ²: patches disagree where their ratios
/// would by chance in one of 100 cases; a level explains that only if what is left would in one of 20, if
/// it removes a disagreement beyond one of 100, and if it is plausible.
public struct BlackLevelCheck: Hashable, Sendable {
  /// What the patches say together.
  public enum Verdict: Hashable, Sendable {
    /// Their ratios are equal within their errors.
    case agreement
    /// They would be with this black level, in code values, give or take its standard error.
    case blackLevel(Double, standardError: Double)
    /// No plausible black level makes them equal: another lamp, or a patch that is not neutral.
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
  /// The black level that makes the spread least, in code values, plausible or not.
  public let fittedLevel: Double
  /// The standard error of `fittedLevel`; beyond all levels where the patches are of one brightness.
  public let standardError: Double
  /// The spread that the fitted level leaves.
  public let remainingSpread: Spread

  /// The levels that are taken for possible: up to a sixth of white where a layout says 0, which may
  /// mean that nobody has told; else within a 64th of the range around what it says.
  public static func plausibleLevels(for layout: FrameLayout) -> ClosedRange<Double> {
    let black = layout.blackLevel
    guard black != 0 else { return 0...layout.whiteLevel / 6 }
    let margin = (layout.whiteLevel - black) / 64
    return max(min(0, black), black - margin)...black + margin
  }

  /// A check of two or more estimates from frames of one layout.
  ///
  /// - Parameter tolerance: the relative standard deviation of a patch's ratios from neutral; real gray
  ///   patches' is about 1 %.
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
    let offset = fit.bestOffset
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
      atZero - atBest > chiSquareQuantile(1, deviate: rare),
      Self.plausibleLevels(for: layout).contains(fittedLevel)
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

  /// The sum of squares has one minimum between far below and the darkest response, where logarithms
  /// end; Gauss–Newton, its steps halved where they would go up or too far.
  var bestOffset: Double {
    let limit = responses.map { $0.min() }.min() ?? 0
    var offset = 0.0
    var square = chiSquare(at: 0)
    for _ in 0..<60 {
      let derived = derivatives(at: offset)
      guard derived.curvature > 0 else { break }
      var step = -derived.slope / derived.curvature
      while offset + step >= limit || chiSquare(at: offset + step) > square {
        step /= 2
        if abs(step) < 1e-9 * limit { return offset }
      }
      offset += step
      square = chiSquare(at: offset)
    }
    return offset
  }

  func standardError(at offset: Double) -> Double {
    1 / derivatives(at: offset).curvature.squareRoot()
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

  /// Half the sums of squares' slope, and the information on the offset.
  private func derivatives(at offset: Double) -> (slope: Double, curvature: Double) {
    let values = centered(logRatios(at: offset))
    let slopes = centered(
      responses.map { response in
        let inverse = 1 / (response - offset)
        return SIMD2(inverse.y - inverse.x, inverse.y - inverse.z)
      })
    var sum = (slope: 0.0, curvature: 0.0)
    for index in values.indices {
      sum.slope += (values[index] * slopes[index] / variances[index]).sum()
      sum.curvature += (slopes[index] * slopes[index] / variances[index]).sum()
    }
    return sum
  }

  /// Deviations from the weighted mean, which stands for the light's own ratios.
  private func centered(_ values: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let weight = variances.reduce(SIMD2<Double>.zero) { $0 + 1 / $1 }
    let mean = zip(values, variances).reduce(SIMD2<Double>.zero) { $0 + $1.0 / $1.1 } / weight
    return values.map { $0 - mean }
  }
}

/// The χ² of some degrees of freedom that a normal deviate corresponds to (E. B. Wilson, M. M. Hilferty,
/// The distribution of chi-square, Proceedings of the National Academy of Sciences 17, 1931); within 3 %
/// at the deviates used here.
private func chiSquareQuantile(_ freedom: Double, deviate: Double) -> Double {
  let spread = 2 / (9 * freedom)
  let root = 1 - spread + deviate * spread.squareRoot()
  return freedom * root * root * root
}
