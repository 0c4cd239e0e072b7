import WbcalArguments
import CameraControl
import ColorScience
import WhiteBalance

struct Convert: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert between chromaticity, temperature and tint, and a camera's gains.",
    discussion: """
      Reads NUMBERs, or rows from standard input (commas or white space, an
      optional header), and writes CSV with a header. Nothing is clamped. A row
      that has no answer becomes empty fields and a message, and the exit code is
      65; the other rows are all there.

      Kinds: xy; uv (CIE 1960); cct (kelvin; as input, on the locus); cct-duv
      (kelvin, Duv); mired-duv; temperature-tint (kelvin, tint = 3000 Duv, positive
      for green light); gains (red, green, blue, the smallest 1; needs --profile).
      Temperatures below 500 K and negative ones, beyond infinite, lie on the
      tangents of the Planckian locus.

      A --method other than exact shows the number another program shows:
      adobe-dng is the DNG SDK's (Lightroom, Camera Raw), robertson the same without
      its misprint near 3077 K. krystek, kang and daylight go from cct only,
      hernandez-andres and mccamy to cct only.

        wbcal convert --from xy --to temperature-tint 0.3127 0.3290
        wbcal convert --from cct-duv --to xy -- 5000 -0.003
        wbcal convert --from xy --to gains --profile desk.json < lights.csv
        wbcal convert --light LED-B3 --to gains --profile desk.json
        wbcal convert --from xy --to gains --profile desk.json --class led --uncertainty 0.44 0.40

      Why Lightroom shows 6503 for what is exactly 6504 K:

        wbcal convert --from cct --to xy 6504 |
            wbcal convert --from xy --to temperature-tint --method adobe-dng
      """)

  @Option(name: .customLong("from"), help: "What goes in.") var given: LightCoordinates?
  @Option(
    help: ArgumentHelp(
      "A light that goes in, by its name as 'wbcal calibrate' takes it, in place of --from and "
        + "numbers; repeat it for more. One that was shot has the gains of its own shots.",
      valueName: "light"))
  var light: [String] = []
  @Option(help: "What comes out.") var to: LightCoordinates
  @Option(help: "The camera's profile, for gains.", completion: .json)
  var profile: String?
  @Option(name: .customLong("class"), help: "The kind of the light, if it is known; for gains.")
  var lightClass: LightClass?
  @Flag(help: "Append the standard error of each column, from the profile's fit.")
  var uncertainty = false
  @Option(help: "The second radiation constant, the scale of temperatures (default: cie).")
  var constant: Constant?
  @Option(help: "How to get between chromaticity and temperature.")
  var method: TemperatureMethod = .exact
  @Argument(help: "Numbers; write negative ones after --.") var number: [String] = []

  enum Constant: String, CaseIterable, ExpressibleByArgument { case cie, codata2018 }

  /// A light that was named is known by its chromaticity.
  var from: LightCoordinates { given ?? .xy }

  func validate() throws {
    guard (given == nil) != light.isEmpty, light.isEmpty || number.isEmpty else {
      throw ValidationError("name what goes in: --from and numbers, or lights by --light.")
    }
    if profile == nil, from == .gains || to == .gains {
      throw ValidationError("gains are a camera's own: name its profile with --profile.")
    }
    if lightClass != nil || uncertainty, from != .gains && to != .gains {
      throw ValidationError(
        "--\(uncertainty ? "uncertainty" : "class") is for conversions from or to gains.")
    }
    if let objection = method.objection(from: from, to: to) { throw ValidationError(objection) }
    if method != .exact, constant != nil {
      throw ValidationError("\(method.rawValue) has its own radiation constant: drop --constant.")
    }
  }

  func execute() async throws {
    let converter = Converter(
      from: from, to: to, method: method,
      locus: PlanckianLocus(constant: constant == .codata2018 ? .codata2018 : .cie),
      profile: try profile.map { try CameraProfile(path: $0) }, lightClass: lightClass)
    if !light.isEmpty { return try convertLights(with: converter) }
    var output = StandardOutput()
    var failed = false
    let columns = to.columns + (uncertainty ? to.columns.map { $0 + "_se" } : [])
    try output.write(columns.joined(separator: ",") + "\n")
    func convert(_ fields: [Substring], place: String) throws {
      let row: [Double]
      do throws(Converter.RowError) {
        let isUnique: Bool
        (row, isUnique) = try converter.convert(fields, withErrors: uncertainty)
        if !isUnique {
          remark("\(place)two points of the locus have a normal through this; the nearer is given")
        }
      } catch {
        failed = true
        try output.write(String(repeating: ",", count: columns.count - 1) + "\n")
        return complain("\(place)\(error)")
      }
      for (index, value) in row.enumerated() {
        if index > 0 { try output.write(",") }
        // The shortest form that reads back to the same number.
        try output.write(value.description)
      }
      try output.write("\n")
    }
    if !number.isEmpty {
      let fields = number.flatMap { Self.fields($0[...]) }
      let width = from.columns.count
      for start in stride(from: 0, to: fields.count, by: width) {
        try convert(Array(fields[start..<min(start + width, fields.count)]), place: "")
      }
    } else {
      var lineNumber = 0
      var lines = InputLines()
      while let line = try lines.next(atPause: { try output.flush() }) {
        lineNumber += 1
        let text = lineNumber == 1 ? withoutByteOrderMark(line) : line
        let fields = Self.fields(text[...])
        if fields == [""] { continue }
        if lineNumber == 1, fields.allSatisfy(Self.isName) { continue }
        try convert(fields, place: "line \(lineNumber): ")
      }
    }
    try output.flush()
    if failed { throw ExitCode.badData }
  }

  /// The fields of a line, separated by commas if it has any, or else by white space. Between
  /// commas a field may be empty; it is then no number.
  ///
  /// Works on bytes: finding the characters of a million rows would take as long as all else.
  static func fields(_ line: Substring) -> [Substring] {
    let bytes = line.utf8
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard bytes.contains(UInt8(ascii: ",")) else {
      let fields = bytes.split(whereSeparator: isSpace).map { Substring($0) }
      return fields.isEmpty ? [""] : fields
    }
    return bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      let start = $0.drop(while: isSpace)
      let end = start.lastIndex { !isSpace($0) }
      return end.map { Substring(start[...$0]) } ?? ""
    }
  }

  /// Whether a field can only be the name of a column, and is no misspelled number.
  private static func isName(_ field: Substring) -> Bool {
    field.contains(where: \.isLetter) && !field.contains { ".;".contains($0) }
      && Double(field) == nil
  }
}
