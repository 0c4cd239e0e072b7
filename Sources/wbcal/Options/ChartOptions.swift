import ColorScience
import WbcalArguments

/// Shots of color charts, and which chart they show.
struct ChartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A shot of a ColorChecker Classic, full size or Passport: a picture, or a table (.csv) of 24 "
        + "rows r,g,b or r,g,b,name, linear, black subtracted, before any gain; repeat it for more.",
      valueName: "SOURCE@LIGHT"))
  var chart: [String] = []
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

  func validate() throws {
    if chart.isEmpty, chartEdition != nil || reflectances != nil || corners != nil {
      throw ValidationError("--chart-edition, --reflectances and --corners go with --chart.")
    }
    if chartEdition != nil, reflectances != nil {
      throw ValidationError("--reflectances are in place of those of --chart-edition: drop one.")
    }
    if corners != nil, chart.count > 1 {
      throw ValidationError("--corners are those of one picture: give one --chart.")
    }
  }

  /// The chart with its reflectances.
  func colorChart() throws -> ColorChart {
    if let reflectances { return try ColorChart(path: reflectances) }
    return ColorChart(chartEdition ?? .from2014)
  }
}

extension ColorChart.Edition: ExpressibleByArgument {}

private func parseCorners(_ text: String) throws -> [SIMD2<Double>] {
  guard let values = numbers(Substring(text), count: 8), values.allSatisfy(\.isFinite) else {
    throw ValidationError("the corners are eight numbers, such as 10,10,300,12,298,210,8,205.")
  }
  return (0..<4).map { SIMD2(values[2 * $0], values[2 * $0 + 1]) }
}
