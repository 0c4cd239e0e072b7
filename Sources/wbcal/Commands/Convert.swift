import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct Convert: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert between chromaticity, temperature and tint, and a camera's gains.",
    discussion: """
      Reads NUMBERs, or rows from standard input, and writes CSV with a header.
      Nothing is clamped. A row without a result has empty fields, and a message is
      printed; the exit code is then 65. All other rows are written.

      The fields of a row are separated by commas, semicolons, tabs or white space,
      like those of the first row, and may be in quotation marks. A first row with
      names such as x, cct, duv or tint is a header: columns are found by name in
      any order, and other columns are copied unchanged, before the results. A header
      without a column of --from is refused. Numbers have a decimal point;
      temperatures may end in K.

      Kinds: light (names as for 'wbcal calibrate', one per line; input only); xy;
      uv (CIE 1960); cct (kelvin; as input, on the locus); cct-duv (kelvin, Duv);
      mired-duv; temperature-tint (kelvin, tint = 3000 Duv, positive for green
      light); gains (red, green, blue, the smallest 1; requires --profile).
      Below 500 K and beyond infinite temperature, where temperatures are negative,
      the Planckian locus continues along its tangents.

      A --method other than exact gives the result of another program or paper:
      adobe-dng is the method of the DNG SDK (Lightroom, Camera Raw), and robertson is
      that method without the SDK's misprint near 3077 K. krystek, kang and daylight
      only convert from cct, hernandez-andres and mccamy only to cct.

        wbcal convert --from xy --to temperature-tint 0.3127 0.3290
        wbcal convert --from cct-duv --to xy -- 5000 -0.003
        wbcal convert --from xy --to gains --profile desk.json < lights.csv
        wbcal convert --light LED-B3 --to gains --profile desk.json
        wbcal convert --from light --to cct-duv < lamps.txt
        wbcal convert --from xy --to gains --profile desk.json --class led \\
            --uncertainty 0.44 0.40

      To see why Lightroom shows 6503 for exactly 6504 K:

        wbcal convert --from cct --to xy 6504 |
            wbcal convert --from xy --to temperature-tint --method adobe-dng
      """)

  @Option(name: .customLong("from"), help: "The kind of the input.") var given: Given?
  @Option(
    help: ArgumentHelp(
      "A light to convert, named as for 'wbcal calibrate', instead of --from and numbers; repeat "
        + "it for more. A light that has shots in the profile gets the gains of these shots.",
      valueName: "light"))
  var light: [String] = []
  @Option(help: "The kind of the result.") var to: LightCoordinates
  @Option(help: "The camera's profile, for gains.", completion: .profile)
  var profile: String?
  @Option(name: .customLong("class"), help: "With gains: the class of the light, if it is known.")
  var lightClass: LightClass?
  @Flag(help: "Append the standard error of each column, from the profile's fit.")
  var uncertainty = false
  @Option(help: "The second radiation constant, the scale of temperatures (default: cie).")
  var constant: Constant?
  @Option(help: "The method of conversion between chromaticity and temperature.")
  var method: TemperatureMethod = .exact
  @Flag(help: "Treat the first row as a header, even if none of its names is known.")
  var header = false
  @Flag(help: "Do not treat the first row as a header.") var noHeader = false
  @Argument(help: "The numbers, or rows such as 0.3127,0.3290.") var number: [String] = []

  /// The kind of input: numbers in some coordinates, or lights by their names.
  enum Given: String, CaseIterable, ExpressibleByArgument {
    case xy, uv, cct
    case cctDuv = "cct-duv"
    case miredDuv = "mired-duv"
    case temperatureTint = "temperature-tint"
    case gains, light

    /// `nil` for lights.
    var coordinates: LightCoordinates? { LightCoordinates(rawValue: rawValue) }
  }

  enum Constant: String, CaseIterable, ExpressibleByArgument { case cie, codata2018 }

  /// The coordinates of the input; a named light is known by its chromaticity.
  var from: LightCoordinates { given?.coordinates ?? .xy }

  func validate() throws {
    guard (given == nil) != light.isEmpty, light.isEmpty || number.isEmpty else {
      throw ValidationError("specify the input: --from and numbers, or lights with --light.")
    }
    try forbid(
      profile == nil && (from == .gains || to == .gains),
      "gains depend on the camera: name its profile with --profile.")
    if lightClass != nil || uncertainty, from != .gains && to != .gains {
      throw ValidationError(
        "--\(uncertainty ? "uncertainty" : "class") requires a conversion from or to gains.")
    }
    try forbid(header && noHeader, "--header and --no-header cannot be combined.")
    try forbid(
      (header || noHeader) && !number.isEmpty,
      "--header and --no-header require rows from standard input.")
    if let objection = method.objection(from: from, to: to) { throw ValidationError(objection) }
    try forbid(
      method != .exact && constant != nil,
      "\(method.rawValue) has its own radiation constant: omit --constant.")
  }

  func execute() async throws {
    let converter = Converter(
      from: from, to: to, method: method,
      locus: PlanckianLocus(constant: constant == .codata2018 ? .codata2018 : .cie),
      profile: try profile.map { try CameraProfile(source: $0) }, lightClass: lightClass)
    if !light.isEmpty || given == .light { return try convertLights(with: converter) }
    var rows = RowConversion(
      converter, withErrors: uncertainty, header: header ? .always : noHeader ? .never : .known)
    var output = ConvertedOutput()
    if !number.isEmpty {
      var converted = ConvertedRows()
      rows.convert(words: number, to: &converted)
      try output.show(converted)
    } else {
      var lines = TableLines(name: "standard input", more: TableLines.standardInput)
      do { try rows.convert(&lines) { try output.show($0) } } catch let error as Converter.RowError
      {
        throw Failure.badData("\(error)")
      }
    }
    try output.end()
  }
}
