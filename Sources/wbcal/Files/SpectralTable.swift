import WbcalFoundation

/// The spectra of a file in any of these layouts: CGATS, as written by ArgyllCMS and measuring
/// programs; IES TM-27; or rows and columns, with a row for each wavelength or for each spectrum.
struct SpectralTable {
  typealias Sample = (wavelength: Double, value: Double)

  struct Spectrum {
    /// The name in the file.
    var name: String?
    var samples: [Sample]
  }

  var spectra: [Spectrum]

  /// - Parameter bad: returns the error for a reason.
  init(_ bytes: [UInt8], _ bad: (String) -> Failure) throws {
    let text = Self.text(of: bytes)
    let lines = Self.lines(of: text)
    if CGATSTable.isOne(lines) {
      spectra = try CGATSTable(lines, bad).spectra(bad)
    } else if Self.isXML(text) {
      spectra = try Self.spectra(ofTM27: text, bad)
    } else {
      spectra = try Self.spectra(ofRows: lines, bad)
    }
  }

  /// Indicates whether the layout of the file states the meaning of its numbers.
  static func isMarked(_ bytes: [UInt8]) -> Bool {
    let text = text(of: bytes)
    return isXML(text) || CGATSTable.isOne(lines(of: text))
  }

  private static func isXML(_ text: String) -> Bool {
    text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.first == "<"
  }

  /// Indicates whether a file is XML.
  static func isXML(_ bytes: [UInt8]) -> Bool { isXML(text(of: bytes)) }

  /// Indicates whether a text has rows of wavelengths and numbers that are long enough to be
  /// distinguished from other lines.
  static func hasRows(_ bytes: [UInt8]) -> Bool {
    hasTable(in: lines(of: text(of: bytes)))
  }

  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  /// Returns a file as text. Programs that come with instruments write UTF-16 and, in words that
  /// are not numbers, other encodings too.
  private static func text(of bytes: [UInt8]) -> String {
    func units(_ high: Int) -> [UInt16] {
      stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
      }
    }
    if bytes.starts(with: [0xFF, 0xFE]) { return String(decoding: units(1), as: UTF16.self) }
    if bytes.starts(with: [0xFE, 0xFF]) { return String(decoding: units(0), as: UTF16.self) }
    return withoutByteOrderMark(String(decoding: bytes, as: UTF8.self))
  }

  /// Reads the `SpectralDistribution` elements of an IES TM-27 file, or all of it if there are
  /// none.
  private static func spectra(
    ofTM27 text: String, _ bad: (String) -> Failure
  ) throws -> [Spectrum] {
    let plain = text.replacing(#/<!--.*?-->/#.dotMatchesNewlines(), with: "")
    let end = #/<\/(?:\w+:)?SpectralDistribution\s*>/#
    let element = #/<(?:\w+:)?SpectralData\s+wavelength\s*=\s*["']([^"']*)["']\s*>([^<]*)</#
    var spectra: [Spectrum] = []
    for part in plain.split(separator: end) {
      let samples = try part.matches(of: element).map { match -> Sample in
        let power = match.2.trimmed
        guard let wavelength = number(match.1.trimmed), let value = number(power) else {
          throw bad(notANumber(number(match.1.trimmed) == nil ? String(match.1) : power))
        }
        return (wavelength, value)
      }
      if !samples.isEmpty { spectra.append(Spectrum(samples: samples)) }
    }
    guard !spectra.isEmpty else {
      throw bad("it is XML without SpectralData, not a spectrum of IES TM-27")
    }
    return spectra
  }

  /// Returns the wavelength in nanometers that a name states, such as `400`, `400nm`, `SPEC_400`,
  /// `SPECTRAL_NM_400` or `Spectral Data 400[nm]`.
  static func wavelength(named name: some StringProtocol) -> Double? {
    let isUnit = { (character: Character) in "nmNM[]() ".contains(character) }
    var digits = name[...]
    while let last = digits.last, isUnit(last) { digits.removeLast() }
    let unit = name[digits.endIndex...].lowercased()
    let start = digits.lastIndex { !$0.isASCII || !($0.isNumber || ".,".contains($0)) }
    let word = start.map { digits[...$0] } ?? ""
    digits = digits[(start.map { digits.index(after: $0) } ?? digits.startIndex)...]
    // A comma within a field is a decimal comma.
    let decimal = String(digits).replacing(",", with: ".")
    let known = [
      "", "nm", "spec_", "spectral_", "spectral_nm", "spectral_nm_", "nm_", "r_", "r", "x", "w",
    ]
    guard decimal.first != ".", let value = number(decimal), 200...2600 ~= value,
      unit.isEmpty || unit.contains("nm") || word.isEmpty,
      known.contains(word.lowercased()) || unit.contains("nm")
    else { return nil }
    return value
  }
}
