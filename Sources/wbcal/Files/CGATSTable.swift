import WbcalFoundation

/// The first table of a CGATS file, such as measuring instruments and ArgyllCMS write.
///
/// Source: CGATS.17-2009.
struct CGATSTable {
  let fields: [String]
  let rows: [[String]]

  /// Whether a text is such a file.
  static func isOne(_ lines: [String]) -> Bool { lines.contains("BEGIN_DATA") }

  /// - Parameter bad: the error for a reason.
  init(_ lines: [String], _ bad: (String) -> Failure) throws {
    func block(_ name: String) throws -> [String] {
      guard let start = lines.firstIndex(of: "BEGIN_\(name)"),
        let end = lines.firstIndex(of: "END_\(name)"), start < end
      else { throw bad("there is no BEGIN_\(name) … END_\(name)") }
      return Array(lines[(start + 1)..<end])
    }
    func fields(_ line: String) -> [String] {
      // Text with spaces is in quotation marks.
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap {
        index, part in
        index.isMultiple(of: 2)
          ? part.split(whereSeparator: \.isWhitespace).map(String.init) : [String(part)]
      }
    }
    self.fields = try block("DATA_FORMAT").flatMap(fields)
    rows = try block("DATA").map(fields).filter { !$0.isEmpty }
  }

  /// The wavelength that the name of a field tells, in nanometers, such as `SPECTRAL_NM_400`,
  /// `SPEC_400` or `400`.
  static func wavelength(_ field: String) -> Double? {
    let digits = field.drop { !$0.isNumber }
    let word = field.dropLast(digits.count).lowercased()
    let known = ["", "nm", "spec_", "spectral_", "spectral_nm", "spectral_nm_", "nm_", "r_"]
    guard known.contains(word), let value = number(digits), 300...1100 ~= value else { return nil }
    return value
  }

  /// The columns of wavelengths, as the names of fields tell them.
  static func bands(_ fields: [String]) -> [(column: Int, wavelength: Double)] {
    fields.enumerated().compactMap { column, field in wavelength(field).map { (column, $0) } }
  }
}
