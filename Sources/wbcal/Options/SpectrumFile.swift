import ColorScience
import WhiteBalance

/// A measured spectrum: rows of wavelength in nanometers and relative power, at equal steps, and
/// perhaps a row with the light's class, such as `class,led`.
struct SpectrumFile {
  var spectrum: SpectralDistribution
  var lightClass: LightClass?

  init(path: String) throws { try self.init([UInt8](readFile(path)), path: path) }

  init(_ bytes: [UInt8], path: String) throws {
    func isHeader(_ fields: [some StringProtocol]) -> Bool {
      let name = fields[0].lowercased()
      return ["nm", "wave", "lambda", "λ"].contains { name.contains($0) }
    }
    func isClass(_ fields: [some StringProtocol]) -> Bool { fields[0].lowercased() == "class" }
    let rows = try TableRows.read(bytes, path: path) { fields in
      fields.count > 1
        && (isHeader(fields) || isClass(fields) || fields.allSatisfy { number($0) != nil })
    }
    var samples: [(wavelength: Double, value: Double)] = []
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
    do { spectrum = try SpectralDistribution(samples: samples) } catch {
      let isUneven = if case .unequalStep = error { true } else { false }
      throw Failure.badData(
        "\(path): \(error.description)"
          + (isUneven ? "; resample it to equal ones, such as of 1 nm" : ""))
    }
    guard samples[0].wavelength <= 400, samples[samples.count - 1].wavelength >= 700 else {
      throw Failure.badData(
        "\(path): the spectrum must reach from 400 nm or below to 700 nm or above")
    }
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
