internal import ColorScience

/// A change of the light on a scene: the common shift of the colors of its parts.
public struct SceneLightChange: Hashable, Sendable, Codable {
  /// The change of ln(red/green) of a neutral surface.
  public let red: Double
  /// The change of ln(blue/green) of a neutral surface.
  public let blue: Double
  /// The standard error of `red`, from the scatter between the parts of the scene and between
  /// frames.
  public let redError: Double
  /// The standard error of `blue`, from the same scatter.
  public let blueError: Double
  /// The primaries of the ratios.
  public let colors: LightChangeDetector.Colors
  /// The share of the visible parts of the scene that have shifted alike, 0…1.
  public let agreement: Double

  /// The difference from neutral that a gray surface has now if it was neutral before.
  public let ciede2000: Double
  /// The standard error of `ciede2000`: that of the shift, and 30 % because a shift does not
  /// determine the light (`LightChangeDetectorTests.statedSizes`).
  public let ciede2000Error: Double

  init(
    _ shift: SIMD2<Double>, error: SIMD2<Double>, agreement: Double,
    of colors: LightChangeDetector.Colors
  ) {
    (red, blue, redError, blueError) = (shift.x, shift.y, error.x, error.y)
    (self.agreement, self.colors) = (agreement, colors)
    (ciede2000, ciede2000Error) = Self.size(of: shift, error: error, in: colors)
  }

  /// Returns the difference from neutral of a gray surface whose log-ratios have shifted, and its
  /// standard error.
  static func size(
    of shift: SIMD2<Double>, error: SIMD2<Double>, in colors: LightChangeDetector.Colors
  ) -> (ciede2000: Double, error: Double) {
    let size = ciede2000(of: shift, in: colors)
    let alongRed = ciede2000(of: shift + SIMD2(error.x, 0), in: colors) - size
    let alongBlue = ciede2000(of: shift + SIMD2(0, error.y), in: colors) - size
    let ofSpectra = spectralError * size
    let square = alongRed * alongRed + alongBlue * alongBlue + ofSpectra * ofSpectra
    return (size, square.squareRoot())
  }

  /// The relative standard error of a size because sensors and lamps differ.
  private static let spectralError = 0.3

  /// Returns this change and an earlier one together: its size is 0 if the light is as before.
  ///
  /// - Precondition: both have the same primaries.
  public func following(_ earlier: SceneLightChange) -> SceneLightChange {
    precondition(colors == earlier.colors, "both changes must have the same primaries")
    let errors = SIMD4(redError, blueError, earlier.redError, earlier.blueError)
    let squares = errors * errors
    return SceneLightChange(
      SIMD2(red + earlier.red, blue + earlier.blue),
      error: (squares.lowHalf + squares.highHalf).squareRoot(),
      agreement: min(agreement, earlier.agreement), of: colors)
  }

  /// Returns the difference from neutral of a gray surface whose log-ratios have shifted.
  static func ciede2000(
    of shift: SIMD2<Double>, in colors: LightChangeDetector.Colors
  ) -> Double {
    var shift = shift
    if colors == .sensor {
      shift = SIMD2(1.48 * shift.x - 0.56 * shift.y, 1.44 * shift.y - 0.18 * shift.x)
    }
    let gray = 0.18 * SIMD3(exponential(shift.x), 1, exponential(shift.y))
    let lab = LabColor(LinearRGB(gray), in: .sRGB)
    return lab.ciede2000(to: lab.neutral)
  }
}
