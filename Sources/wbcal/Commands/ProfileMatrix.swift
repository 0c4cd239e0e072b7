import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct ProfileMatrix: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Show the color matrix of a camera under a light.",
    discussion: """
      The matrix converts camera RGB that is balanced for the light, in which white
      is 1, 1, 1, to XYZ under that light, in which white has Y = 1. For an RGB space
      it converts to the colors that surfaces have under the space's white, D65, and
      its rows add up to 1.

      The matrices of a libcamera tuning convert to linear sRGB, which is their
      default; between their temperatures they are interpolated, as in libcamera.

      A camera that was calibrated under lights of known spectrum has a matrix for
      every such light, and an expected CIEDE2000: the mean over surfaces, and the
      value below which 95 % of them are. A chart makes the matrix as good as the
      camera allows.

      With --roots the matrix has three more columns, for the roots of red times
      green, green times blue and blue times red, which reduce the differences by a
      sixth and, like a matrix, keep colors at any exposure (Finlayson and others,
      2015).

        wbcal profile matrix camera.json --light FL11
        wbcal profile matrix camera.json --light spd:studio.csv --space srgb --json
        wbcal profile matrix camera.json --light A --space srgb --roots
        wbcal profile matrix libcamera:imx477 --light 5932K
      """)

  /// The destination of a matrix.
  enum Space: String, CaseIterable, ExpressibleByArgument {
    case xyz, srgb, rec2020

    var rgb: RGBColorSpace? {
      switch self {
      case .xyz: nil
      case .srgb: .sRGB
      case .rec2020: .bt2020
      }
    }
  }

  @Argument(help: ArgumentHelp(ProfileSource.help), completion: .profile)
  var source: String
  @Option(help: "The light, as for 'wbcal calibrate'.") var light: String
  @Option(
    name: .customLong("space"),
    help: "The matrix's linear output: xyz, srgb or rec2020 (default: xyz; for a tuning, srgb).")
  var chosenSpace: Space?
  @Flag(help: "Add columns for the roots of products of two channels.") var roots = false
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let colors = try ProfileColors(of: try ProfileSource(argument: source), light: light)
    let space = chosenSpace ?? (colors.profile.model.isCurve ? .srgb : .xyz)
    let (light, gains) = (colors.light, colors.gains)
    let camera = colors.profile.model.sensitivityEstimate
    let (shown, judged) = try shownAndJudged(colors, in: space)
    let expected = light.spectrum.flatMap { spectrum in
      camera?.expectedDifference(
        of: judged, under: spectrum,
        shownUnder: space.rgb.map { _ in StandardIlluminant.d65.spectrum })
    }
    if json {
      return try printJSON(
        Record(
          source: source, light: light.name, space: space.rawValue,
          matrix: Self.rows(of: shown.matrix), roots: roots ? Self.rows(of: shown.roots) : nil,
          gains: gains, expectedDeltaE: expected))
    }
    var lines = [
      "\(source) under \(light.name): balanced camera RGB to "
        + (space == .xyz ? "XYZ" : "linear \(space.rawValue)")
    ]
    lines.append(
      columns(
        zip(shown.matrix.rows, shown.roots.rows).map { row, rootRow -> [String] in
          func cells(_ row: SIMD3<Double>) -> [String] {
            (0..<3).map { fixed(row[$0], decimals: 4) }
          }
          return cells(row) + (roots ? cells(rootRow) : [])
        }))
    if let gains {
      lines.append(
        "gains "
          + [gains.red, gains.green, gains.blue].map { fixed($0, decimals: 4) }
          .joined(separator: ", "))
    }
    if let expected {
      lines.append(
        "expected CIEDE2000 on surfaces: mean \(fixed(expected.mean, decimals: 2)), 95 % below "
          + fixed(expected.p95, decimals: 2))
    }
    try StandardOutput.line(lines.joined(separator: "\n"))
  }

  /// Returns the colors in the requested space, and the same colors in XYZ.
  private func shownAndJudged(
    _ colors: ProfileColors, in space: Space
  ) throws -> (RootPolynomial, RootPolynomial) {
    guard let rgb = space.rgb else {
      let shown = roots ? colors.polynomial : RootPolynomial(matrix: colors.matrix)
      return (shown, shown)
    }
    let shown =
      roots
      ? try colors.polynomial(to: rgb) : RootPolynomial(matrix: try colors.matrix(to: rgb))
    return (shown, rgb.toXYZ * shown)
  }

  private static func rows(of matrix: Matrix3x3) -> [[Double]] {
    matrix.rows.map { [$0.x, $0.y, $0.z] }
  }

  private struct Record: JSONRecord {
    var source, light, space: String
    /// Three rows of three.
    var matrix: [[Double]]
    /// The columns for the roots, in rows too; missing without `--roots`.
    var roots: [[Double]]?
    /// The gains that balance the light, the smallest 1.
    var gains: Gains?
    /// Missing for imported profiles.
    var expectedDeltaE: SensitivityEstimate.ExpectedDifference?
  }
}
