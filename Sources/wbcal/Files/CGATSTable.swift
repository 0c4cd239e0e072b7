import ColorScience
import WbcalFoundation

/// The first table of a CGATS file, as written by measuring instruments and ArgyllCMS.
///
/// Source: CGATS.17-2009.
struct CGATSTable {
  let fields: [String]
  let rows: [[String]]
  /// The keywords before the table, with their values.
  let keywords: [String: String]

  /// Indicates whether a text is such a file.
  static func isOne(_ lines: [String]) -> Bool { lines.contains { $0.trimmed == "BEGIN_DATA" } }

  /// - Parameter bad: returns the error for a reason.
  init(_ lines: [String], _ bad: (String) -> Failure) throws {
    let lines = lines.map(\.trimmed)
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
    let header = lines.prefix { $0 != "BEGIN_DATA_FORMAT" }.map(fields).filter { $0.count == 2 }
    keywords = Dictionary(header.map { ($0[0], $0[1]) }) { $1 }
  }

  /// Returns the spectra, one from each row.
  func spectra(_ bad: (String) -> Failure) throws -> [SpectralTable.Spectrum] {
    let bands = try bands(bad)
    guard bands.count >= 2 else {
      throw bad("no fields are named after wavelengths, such as 400 or SPECTRAL_NM_400")
    }
    let name = ["sample_name", "name", "sample_id"].lazy.compactMap { name in
      fields.firstIndex { $0.lowercased() == name }
    }.first
    return try rows.enumerated().map { index, row in
      guard row.count == fields.count else {
        throw bad(
          "row \(index + 1) has \(row.count) fields, but the header has \(fields.count)")
      }
      let samples = try bands.map { column, wavelength -> SpectralTable.Sample in
        guard let value = number(row[column]) else {
          throw bad("row \(index + 1): \(notANumber(row[column]))")
        }
        return (wavelength, value)
      }
      return SpectralTable.Spectrum(name: name.map { row[$0] }, samples: samples)
    }
  }

  /// Returns the columns of wavelengths: according to the names of the fields or, since those may
  /// be rounded, according to the keywords of ArgyllCMS.
  private func bands(
    _ bad: (String) -> Failure
  ) throws -> [(column: Int, wavelength: Double)] {
    let named = fields.enumerated().compactMap { column, field in
      SpectralTable.wavelength(named: field).map { (column: column, wavelength: $0) }
    }
    guard let start = keywords["SPECTRAL_START_NM"].flatMap({ number($0) }),
      let end = keywords["SPECTRAL_END_NM"].flatMap({ number($0) }), start < end, named.count > 1
    else { return named }
    let step = (end - start) / Double(named.count - 1)
    let bands = named.enumerated().map { index, band in
      (column: band.column, wavelength: start + step * Double(index))
    }
    if let count = keywords["SPECTRAL_BANDS"], count != "\(named.count)" {
      throw bad("SPECTRAL_BANDS is \(count), but there are \(named.count) fields of wavelengths")
    }
    for (band, name) in zip(bands, named) where abs(band.wavelength - name.wavelength) > 1.01 {
      throw bad(
        "\(fields[band.column]) is named after another wavelength than "
          + "\(fixed(band.wavelength, decimals: 1)) nm, which follows from SPECTRAL_START_NM and "
          + "SPECTRAL_END_NM")
    }
    return bands
  }
}
