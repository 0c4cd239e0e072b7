import CalibrationTargets
import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

/// Photographed charts that show a camera's colors.
struct ChartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A shot of a ColorChecker Classic, full size or Passport: a picture, or a table (.csv, .tsv, "
        + ".txt) with the columns r,g,b and optionally name, in any order, and 24 rows of linear "
        + "values, with black subtracted and without gains; repeat it for more.",
      valueName: "SOURCE@LIGHT"))
  var chart: [String] = []
  @OptionGroup var sheet: ChartSheetOptions

  func validate() throws {
    try sheet.requireChart(!chart.isEmpty)
    try forbid(sheet.corners != nil && chart.count > 1, "--corners requires a single --chart.")
  }
}

/// The edition of the chart and its position in the picture.
struct ChartSheetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The chart's edition: from2014 (made in November 2014 or later) or before2014; by default "
        + "determined from its patches.",
      valueName: "edition"))
  var chartEdition: ColorChart.Edition?
  @Option(
    help: ArgumentHelp(
      "The reflectances of your own chart, instead of an edition's: CGATS, or a table with a row "
        + "for each patch, such as name,380,390,…, or for each wavelength.", valueName: "file"),
    completion: .file(extensions: ["csv", "tsv", "txt", "cgats"]))
  var reflectances: String?
  @Option(
    help: ArgumentHelp(
      "The outer corners of the chart's four corner patches, in order around the chart, if it is "
        + "not found automatically.", valueName: "X,Y,X,Y,X,Y,X,Y"),
    transform: parseCorners)
  var corners: [SIMD2<Double>]?

  /// Refuses options that contradict each other, or that need a chart where there is none.
  func requireChart(_ isThere: Bool) throws {
    try forbid(
      !isThere && (chartEdition != nil || reflectances != nil || corners != nil),
      "--chart-edition, --reflectances and --corners require --chart.")
    try forbid(
      chartEdition != nil && reflectances != nil,
      "--reflectances and --chart-edition cannot be combined.")
  }

  /// `true` if nothing states the edition of the chart.
  var isEditionOpen: Bool { chartEdition == nil && reflectances == nil }

  /// Returns the chart with its reflectances.
  func colorChart() throws -> ColorChart {
    if let reflectances { return try ColorChart(path: reflectances) }
    return ColorChart(chartEdition ?? .from2014)
  }

  /// Reads the patches of a chart from a table.
  static func reading(table path: String) throws -> ChartReading {
    let rows = try TableRows.read([UInt8](readFile(path)), path: path) { fields in
      ChartReading.isHeader(fields.map(String.init))
    }
    do { return try ChartReading(rows: rows.map(\.fields)) } catch {
      throw Failure.badData("\(path): \(error)")
    }
  }

  /// A chart in a picture.
  struct Found {
    var proposal: ChartProposal
    var reading: ChartReading
    /// The transfer function of the codes with which the chart was read.
    var transfer: TransferFunction
  }

  /// Finds the chart in a picture, at given corners or anywhere.
  ///
  /// If nothing states the curve of the picture, the chart decides between that of sRGB and none:
  /// with the wrong one, its grays do not have their brightnesses relative to each other.
  ///
  /// - Parameter isDeveloped: `true` if the colors of the picture are wanted, not those of the
  ///   light.
  static func find(
    in frame: Frame, corners: [SIMD2<Double>]? = nil, isCurveAssumed: Bool = false,
    isDeveloped: Bool = false
  ) throws -> Found {
    func found(in frame: Frame) throws -> Found {
      let finder = ChartFinder()
      let chart =
        try corners.map { try finder.chart(corners: $0, in: frame) } ?? finder.chart(in: frame)
      var reader = ChartReader()
      reader.isDeveloped = isDeveloped
      return Found(
        proposal: chart, reading: try reader.read(chart, in: frame),
        transfer: frame.layout.transfer)
    }
    func deviation(_ result: Result<Found, any Error>) -> Double {
      (try? result.get())?.reading.grayDeviation ?? .infinity
    }
    let stated = Result { try found(in: frame) }
    guard isCurveAssumed, deviation(stated) > 0.2 else { return try stated.get() }
    let linear = Result {
      var frame = frame
      frame.layout = try frame.layout.replacing(transfer: .linear)
      return try found(in: frame)
    }
    return try deviation(linear) < deviation(stated) ? linear.get() : stated.get()
  }

  /// Reads the patches of the chart in a picture, and returns them with the transfer function that
  /// was used.
  func reading(
    of frame: Frame, path: String, isCurveAssumed: Bool, isDeveloped: Bool = false
  ) throws -> (ChartReading, TransferFunction) {
    Progress.shared.show("looking for the chart in \(shown(path))")
    do {
      let found = try Self.find(
        in: frame, corners: corners, isCurveAssumed: isCurveAssumed, isDeveloped: isDeveloped)
      found.remark(about: path, isCurveAssumed: isCurveAssumed)
      return (found.reading, found.transfer)
    } catch {
      throw Failure.badData(
        "\(path): \(error)"
          + (corners == nil && error is ChartFinderError ? "; give its place with --corners" : ""))
    }
  }

  /// Indicates whether a file is a table of patches.
  static func isTable(_ path: String) -> Bool {
    [".csv", ".tsv", ".tab", ".txt"].contains { path.lowercased().hasSuffix($0) }
  }
}

extension ChartSheetOptions.Found {
  /// Remarks that the chart has shown a linear curve, if nothing else states the curve.
  func remark(about path: String, isCurveAssumed: Bool) {
    guard isCurveAssumed, transfer == .linear else { return }
    wbcal.remark(
      "\(shown(path)): its grays match those of a chart if the values are linear, but not if they "
        + "are sRGB, so it is read as with --transfer linear.")
  }
}

extension ChartReading {
  /// Returns the responses of the readable patches, and remarks on the others.
  func responses(remarkingOn path: String) -> [LinearRGB?] {
    for patch in patches where !patch.isReadable {
      let problems = patch.problems.map { $0.sentence(about: patch.name) }
      remark("\(path): \(problems.joined(separator: "; ")); it is not used.")
    }
    return patches.map { $0.isReadable ? $0.response : nil }
  }
}

extension ColorChart.Edition: ExpressibleByArgument {}

private func parseCorners(_ text: String) throws -> [SIMD2<Double>] {
  guard let values = numbers(Substring(text), count: 8), values.allSatisfy(\.isFinite) else {
    throw ValidationError("the corners must be eight numbers, such as 10,10,300,12,298,210,8,205.")
  }
  return (0..<4).map { SIMD2(values[2 * $0], values[2 * $0 + 1]) }
}
