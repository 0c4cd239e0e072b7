import CalibrationTargets
import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

/// Photographed charts that tell a camera's colors.
struct ChartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A shot of a ColorChecker Classic, full size or Passport: a picture, or a table (.csv) of 24 "
        + "rows r,g,b or r,g,b,name, linear, black subtracted, before any gain; repeat it for more.",
      valueName: "SOURCE@LIGHT"))
  var chart: [String] = []
  @OptionGroup var sheet: ChartSheetOptions

  func validate() throws {
    try sheet.requireChart(!chart.isEmpty)
    if sheet.corners != nil, chart.count > 1 {
      throw ValidationError("--corners are those of one picture: give one --chart.")
    }
  }
}

/// Which chart it is, and where it lies.
struct ChartSheetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When the chart was made: from2014 (November 2014 or later, the default) or before2014.",
      valueName: "edition"))
  var chartEdition: ColorChart.Edition?
  @Option(
    help: ArgumentHelp(
      "The reflectances of your own chart, in place of an edition's: CGATS, or CSV with the header "
        + "name,380,390,…", valueName: "file"),
    completion: .file(extensions: ["csv", "txt", "cgats"]))
  var reflectances: String?
  @Option(
    help: ArgumentHelp(
      "The outer corners of the chart's four corner patches, one after the other around it, where it "
        + "is not found by itself.", valueName: "X,Y,X,Y,X,Y,X,Y"),
    transform: parseCorners)
  var corners: [SIMD2<Double>]?

  /// Refuses options that contradict each other, or for which there is no chart.
  func requireChart(_ isThere: Bool) throws {
    if !isThere, chartEdition != nil || reflectances != nil || corners != nil {
      throw ValidationError("--chart-edition, --reflectances and --corners go with --chart.")
    }
    if chartEdition != nil, reflectances != nil {
      throw ValidationError("--reflectances are in place of those of --chart-edition: drop one.")
    }
  }

  /// The chart with its reflectances.
  func colorChart() throws -> ColorChart {
    if let reflectances { return try ColorChart(path: reflectances) }
    return ColorChart(chartEdition ?? .from2014)
  }

  /// What the patches of a table say.
  static func reading(table path: String) throws -> ChartReading {
    guard let table = String(data: try readFile(path), encoding: .utf8) else {
      throw Failure.badData("\(path) is not text in UTF-8")
    }
    do { return try ChartReading(table: table) } catch {
      throw Failure.badData("\(path): \(error)")
    }
  }

  /// What the patches of the chart in a picture say.
  ///
  /// - Parameter isDeveloped: whether the picture's own colors are asked for, not the light's.
  func reading(
    of frame: Frame, path: String, isDeveloped: Bool = false
  ) throws -> ChartReading {
    Progress.shared.show("looking for the chart in \(shown(path))")
    do {
      let finder = ChartFinder()
      let chart =
        try corners.map { try finder.chart(corners: $0, in: frame) } ?? finder.chart(in: frame)
      var reader = ChartReader()
      reader.isDeveloped = isDeveloped
      return try reader.read(chart, in: frame)
    } catch {
      throw Failure.badData(
        "\(path): \(error)"
          + (corners == nil && error is ChartFinderError ? "; --corners names its place" : ""))
    }
  }

  /// Whether a file is a table of patches.
  static func isTable(_ path: String) -> Bool { path.lowercased().hasSuffix(".csv") }
}

extension ChartReading {
  /// The patches that can be read; the others are named.
  func responses(remarkingOn path: String) -> [LinearRGB?] {
    for patch in patches where !patch.isReadable {
      let problems = patch.problems.map { $0.sentence(about: patch.name) }
      remark("\(path): \(problems.joined(separator: "; ")); it is left out.")
    }
    return patches.map { $0.isReadable ? $0.response : nil }
  }
}

extension ColorChart.Edition: ExpressibleByArgument {}

private func parseCorners(_ text: String) throws -> [SIMD2<Double>] {
  guard let values = numbers(Substring(text), count: 8), values.allSatisfy(\.isFinite) else {
    throw ValidationError("the corners are eight numbers, such as 10,10,300,12,298,210,8,205.")
  }
  return (0..<4).map { SIMD2(values[2 * $0], values[2 * $0 + 1]) }
}
