import WbcalArguments
import CameraControl
import ColorScience
import Foundation
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
      for green light); gains (red, green, blue; needs --profile). Temperatures
      below 500 K and negative ones, beyond infinite, lie on the tangents of the
      Planckian locus.

      A --method other than exact shows the number another program shows:
      adobe-dng is the DNG SDK's (Lightroom, Camera Raw), robertson the same without
      its misprint near 3077 K. krystek, kang and daylight go from cct only,
      hernandez-andres and mccamy to cct only.

        wbcal convert --from xy --to temperature-tint 0.3127 0.3290
        wbcal convert --from cct-duv --to xy -- 5000 -0.003
        wbcal convert --from xy --to gains --profile desk.json < lights.csv
        wbcal convert --from xy --to gains --profile desk.json --class led --uncertainty 0.44 0.40

      Why Lightroom shows 6503 for what is exactly 6504 K:

        wbcal convert --from cct --to xy 6504 |
            wbcal convert --from xy --to temperature-tint --method adobe-dng
      """)

  @Option(help: "What goes in.") var from: Kind
  @Option(help: "What comes out.") var to: Kind
  @Option(help: "The camera's profile, for gains.", completion: .file(extensions: ["json"]))
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

  enum Constant: String, CaseIterable, ExpressibleByArgument {
    case cie
    case codata2018
  }

  func validate() throws {
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
      profile: try profile.map { try CameraProfile(path: $0) },
      lightClass: lightClass)
    var output = StandardOutput()
    var failed = false
    let columns = to.columns + (uncertainty ? to.columns.map { $0 + "_se" } : [])
    try output.write(columns.joined(separator: ",") + "\n")
    func convert(_ fields: [Substring], place: String) throws {
      let row: [Double]
      do throws(Converter.Problem) {
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

  /// Between commas, if there are any, a field may be empty, and is then missing.
  ///
  /// Bytes, not characters: a million rows are read in the time that finding their characters
  /// takes.
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

  /// Whether a field can only be the name of a column, and no number that was misspelled.
  private static func isName(_ field: Substring) -> Bool {
    field.contains(where: \.isLetter) && !field.contains { ".;".contains($0) }
      && Double(field) == nil
  }
}

enum Kind: String, CaseIterable, ExpressibleByArgument {
  case xy
  case uv
  case cct
  case cctDuv = "cct-duv"
  case miredDuv = "mired-duv"
  case temperatureTint = "temperature-tint"
  case gains

  var columns: [String] {
    switch self {
    case .xy: ["x", "y"]
    case .uv: ["u", "v"]
    case .cct: ["cct"]
    case .cctDuv: ["cct", "duv"]
    case .miredDuv: ["mired", "duv"]
    case .temperatureTint: ["temperature", "tint"]
    case .gains: ["red", "green", "blue"]
    }
  }

  /// Whether the Planckian locus lies between it and a chromaticity.
  var isTemperature: Bool {
    switch self {
    case .xy, .uv, .gains: false
    case .cct, .cctDuv, .miredDuv, .temperatureTint: true
    }
  }
}

/// One row of numbers to another.
struct Converter {
  var from, to: Kind
  var method: TemperatureMethod
  var locus: PlanckianLocus
  var profile: CameraProfile?
  var lightClass: LightClass?

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  /// The row, and whether it is the only one, which it is but for temperatures below the evolute.
  func convert(
    _ fields: [Substring], withErrors: Bool
  ) throws(Problem) -> (row: [Double], isUnique: Bool) {
    let numbers = fields.compactMap { number($0) }
    guard numbers.count == fields.count else {
      let bad = fields.first { number($0) == nil } ?? ""
      throw Problem(description: "'\(bad.prefix(40))' is not a number")
    }
    guard numbers.count == from.columns.count else {
      let count = from.columns.count
      throw Problem(
        description: "\(from.rawValue) takes \(count) number\(count == 1 ? "" : "s") "
          + "(\(from.columns.joined(separator: ", "))), not \(numbers.count)")
    }
    let light = try read(numbers)
    let temperature = to.isTemperature ? temperature(of: light) : nil
    let result = write(light, temperature)
    // An infinite temperature is an answer; NaN, or a chromaticity that is not finite, is none.
    guard var result, result.allSatisfy({ !$0.isNaN }),
      [.cct, .cctDuv, .temperatureTint].contains(to) || result.allSatisfy(\.isFinite)
    else {
      throw Problem(
        description: "\(from.rawValue) \(fields.joined(separator: ",")) has no \(to.rawValue)"
          + (method.domain.map { "; \(method.rawValue) holds for \($0)" } ?? ""))
    }
    if withErrors {
      guard let errors = standardErrors(light, numbers) else {
        throw Problem(
          description: "there is no standard error for \(fields.joined(separator: ","))")
      }
      result += errors
    }
    if method == .exact, case .chromaticity = light, let temperature {
      return (result, locus.isUnique(temperature))
    }
    return (result, true)
  }

  /// A light, in the coordinates it was given in: the locus costs precision only where it is
  /// crossed.
  private enum Light {
    case chromaticity(Chromaticity)
    case temperature(CorrelatedColorTemperature)
  }

  private func read(_ n: [Double]) throws(Problem) -> Light {
    switch from {
    case .xy: return .chromaticity(Chromaticity(x: n[0], y: n[1]))
    case .uv: return .chromaticity(Chromaticity(UCS1960(u: n[0], v: n[1])))
    case .cct: return .temperature(CorrelatedColorTemperature(kelvin: n[0], duv: 0))
    case .cctDuv: return .temperature(CorrelatedColorTemperature(kelvin: n[0], duv: n[1]))
    case .miredDuv: return .temperature(CorrelatedColorTemperature(mired: n[0], duv: n[1]))
    case .temperatureTint:
      return .temperature(
        CorrelatedColorTemperature(TemperatureAndTint(temperature: n[0], tint: n[1])))
    case .gains:
      let gains = Gains(red: n[0], green: n[1], blue: n[2])
      let light: Chromaticity?
      do {
        light = try profile?.model.reading(of: gains, lightClass: lightClass)?.chromaticity
      } catch {
        throw Problem(description: error.description)
      }
      guard let light else {
        throw Problem(description: "no light needs the gains \(n[0]), \(n[1]), \(n[2])")
      }
      return .chromaticity(light)
    }
  }

  /// The standard errors of the columns, from those of the camera's gains.
  private func standardErrors(_ light: Light, _ numbers: [Double]) -> [Double]? {
    guard let xy = chromaticity(of: light),
      let covariance = profile?.calibration?.uncertainty.covariance(at: xy, lightClass: lightClass)
    else { return nil }
    return covariance.standardErrors { off in
      func moved(_ gains: Gains) -> Gains {
        Gains(
          red: gains.red * exp(off.x), green: gains.green, blue: gains.blue * exp(off.y))
      }
      if to == .gains {
        return profile?.model.gains(for: xy, lightClass: lightClass)
          .map { moved($0).normalized() }.map { [$0.red, $0.green, $0.blue] }
      }
      let gains = moved(Gains(red: numbers[0], green: numbers[1], blue: numbers[2]))
      guard let xy = profile?.calibration?.chromaticity(for: gains, lightClass: lightClass) else {
        return nil
      }
      let light = Light.chromaticity(xy)
      return write(light, to.isTemperature ? temperature(of: light) : nil)
    }
  }

  private func chromaticity(of light: Light) -> Chromaticity? {
    switch light {
    case .chromaticity(let value): value
    case .temperature(let value): method.chromaticity(of: value, on: locus)
    }
  }

  private func temperature(of light: Light) -> CorrelatedColorTemperature? {
    switch light {
    case .chromaticity(let value): method.temperature(of: value, on: locus)
    case .temperature(let value): value
    }
  }

  /// - Parameter temperature: that of the light, if it is to be written.
  private func write(_ light: Light, _ temperature: CorrelatedColorTemperature?) -> [Double]? {
    var xy: Chromaticity? { chromaticity(of: light) }
    switch to {
    case .xy: return xy.map { [$0.x, $0.y] }
    case .uv: return xy.map { UCS1960($0) }.map { [$0.u, $0.v] }
    case .cct: return temperature.map { [$0.kelvin] }
    case .cctDuv: return temperature.map { [$0.kelvin, $0.duv] }
    case .miredDuv: return temperature.map { [$0.mired, $0.duv] }
    case .temperatureTint:
      return temperature.map(TemperatureAndTint.init).map { [$0.temperature, $0.tint] }
    case .gains:
      return xy.flatMap { profile?.model.gains(for: $0, lightClass: lightClass) }
        .map { [$0.red, $0.green, $0.blue] }
    }
  }
}
