import ColorScience
import WbcalFoundation
import WhiteBalance

/// A measured spectrum: rows of wavelength in nanometers and relative power, at equal steps, and
/// perhaps a row with the light's class, such as `class,led`; or a file of CGATS, such as ArgyllCMS
/// writes (`.sp`), or of IES TM-27 (`.spdx`).
struct SpectrumFile {
  var spectrum: SpectralDistribution
  var lightClass: LightClass?

  init(path: String) throws { try self.init([UInt8](readFile(path)), path: path) }

  private typealias Sample = (wavelength: Double, value: Double)

  init(_ bytes: [UInt8], path: String) throws {
    func bad(_ reason: String) -> Failure { Failure.badData("\(path): \(reason)") }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let samples: [Sample]
    if CGATSTable.isOne(lines) {
      samples = try Self.samples(of: try CGATSTable(lines, bad), bad)
    } else if text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" {
      samples = try Self.samples(ofTM27: text, bad)
    } else {
      (samples, lightClass) = try Self.samples(ofRows: bytes, path: path)
    }
    do { spectrum = try SpectralDistribution(samples: samples) } catch {
      let isUneven = if case .unequalStep = error { true } else { false }
      throw bad(
        error.description
          + (isUneven ? "; resample it to equal ones, such as of 1 nm" : ""))
    }
    guard samples[0].wavelength <= 400, samples[samples.count - 1].wavelength >= 700 else {
      throw Failure.badData(
        "\(path): the spectrum must reach from 400 nm or below to 700 nm or above")
    }
  }

  /// The one spectrum of a table.
  private static func samples(
    of table: CGATSTable, _ bad: (String) -> Failure
  ) throws -> [Sample] {
    guard table.rows.count == 1 else {
      throw bad("it has \(table.rows.count) spectra; keep one")
    }
    let row = table.rows[0]
    guard row.count == table.fields.count else {
      throw bad("its spectrum has \(row.count) fields and not \(table.fields.count)")
    }
    return try CGATSTable.bands(table.fields).map { column, wavelength in
      guard let power = number(row[column]) else { throw bad(notANumber(row[column])) }
      return (wavelength, power)
    }
  }

  /// The elements `SpectralData` of a file of IES TM-27, whose attribute is the wavelength.
  private static func samples(
    ofTM27 text: String, _ bad: (String) -> Failure
  ) throws -> [Sample] {
    let plain = text.replacing(#/<!--.*?-->/#.dotMatchesNewlines(), with: "")
    let element = #/<(?:\w+:)?SpectralData\s+wavelength\s*=\s*["']([^"']*)["']\s*>([^<]*)</#
    let samples = try plain.matches(of: element).map { match -> Sample in
      let power = match.2.trimmed
      guard let wavelength = number(match.1), let value = number(power) else {
        throw bad(notANumber(number(match.1) == nil ? String(match.1) : power))
      }
      return (wavelength, value)
    }
    guard !samples.isEmpty else {
      throw bad("it is XML without SpectralData, and no spectrum of IES TM-27")
    }
    return samples
  }

  private static func samples(
    ofRows bytes: [UInt8], path: String
  ) throws -> ([Sample], LightClass?) {
    func isHeader(_ fields: [some StringProtocol]) -> Bool {
      let name = fields[0].lowercased()
      return ["nm", "wave", "lambda", "λ"].contains { name.contains($0) }
    }
    func isClass(_ fields: [some StringProtocol]) -> Bool { fields[0].lowercased() == "class" }
    let rows = try TableRows.read(bytes, path: path) { fields in
      fields.count > 1
        && (isHeader(fields) || isClass(fields) || fields.allSatisfy { number($0) != nil })
    }
    var samples: [Sample] = []
    var lightClass: LightClass?
    var hasHeader = false
    for (line, fields) in rows {
      func bad(_ reason: String) -> Failure {
        Failure.badData("\(path), line \(line): \(reason)")
      }
      guard fields.count > 1, fields.dropFirst(2).allSatisfy(\.isEmpty) else {
        throw bad(
          "a row is a wavelength and a power, and this one has \(fields.count) "
            + "field\(fields.count == 1 ? "" : "s")")
      }
      if isClass(fields) {
        let given = try LightClass(tableField: fields[1], bad)
        guard lightClass == nil || lightClass == given else { throw bad("there are two classes") }
        lightClass = given
      } else if samples.isEmpty, !hasHeader, isHeader(fields) {
        hasHeader = true
      } else {
        let wrong = fields.first { number($0) == nil && !$0.isEmpty } ?? ""
        guard let wavelength = number(fields[0]), let power = number(fields[1]) else {
          throw bad("the row is not a wavelength and a power: \(notANumber(wrong))")
        }
        samples.append((wavelength, power))
      }
    }
    return (samples, lightClass)
  }

  /// What is to be said of wide steps, between which narrow lines are lost; `nil` for 5 nm, and for
  /// light that has none.
  func doubt(of lightClass: LightClass?) -> String? {
    let isSmooth = [.thermal, .daylight, .led].contains(self.lightClass ?? lightClass)
    if isSmooth || spectrum.step < 5.5 { return nil }
    return
      "in steps of \(fixed(spectrum.step, decimals: 0)) nm the lines of a lamp are lost, and x "
      + "and y may be up to 0.06 wrong; measure a lamp with lines every 5 nm or less, or name its "
      + "class"
  }
}

extension LightClass {
  /// The class that a table's field names.
  init(tableField word: String, _ bad: (String) -> Failure) throws {
    guard let known = LightClass(rawValue: word.lowercased()) else {
      throw bad(
        "'\(word)' is no class of light; there are "
          + LightClass.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = known
  }
}
