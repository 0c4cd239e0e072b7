import ColorScience
import Foundation

extension ColorChart {
  /// A chart of 24 patches from a file of their reflectances, in the order of the ColorChecker
  /// Classic: CGATS with fields such as `SPECTRAL_NM_400`, or CSV with wavelengths in its header.
  ///
  /// Reflectances above 2 are percent. A patch far from the color that it has on any ColorChecker
  /// Classic is refused: rows of measuring programs may be in another order.
  init(path: String) throws {
    func bad(_ reason: String) -> Failure { Failure.badData("\(path): \(reason)") }
    guard let text = String(data: try readFile(path), encoding: .utf8) else {
      throw bad("it is not text in UTF-8")
    }
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let table = try lines.contains("BEGIN_DATA") ? Self.cgats(lines, bad) : Self.csv(lines, bad)
    guard table.rows.count == 24 else {
      throw bad("there are \(table.rows.count) patches; a ColorChecker Classic has 24")
    }
    let bands = table.fields.enumerated().compactMap { column, field in
      Self.wavelength(field).map { (column, $0) }
    }
    guard bands.count >= 2 else {
      throw bad("no fields are named by wavelengths, such as 400 or SPECTRAL_NM_400")
    }
    let names = table.fields.firstIndex { ["name", "sample_name"].contains($0.lowercased()) }
    let classic = ColorChart.classicFrom2014.patches
    var patches: [Patch] = []
    for (row, fields) in table.rows.enumerated() {
      guard fields.count == table.fields.count else {
        throw bad(
          "patch \(row + 1) has \(fields.count) fields and not \(table.fields.count), as the header has"
        )
      }
      let name = names.map { fields[$0] } ?? classic[row].name
      var samples: [(wavelength: Double, value: Double)] = []
      for (column, wavelength) in bands {
        guard let value = number(fields[column]) else {
          throw bad("patch \(row + 1) (\(name)): \(notANumber(fields[column]))")
        }
        samples.append((wavelength, value))
      }
      do {
        patches.append(Patch(name: name, reflectance: try SpectralDistribution(samples: samples)))
      } catch { throw bad("patch \(row + 1) (\(name)): \(error)") }
    }
    let brightest = patches.flatMap(\.reflectance.values).max() ?? 0
    if brightest > 2 {
      patches = patches.map {
        Patch(
          name: $0.name,
          reflectance: SpectralDistribution(
            first: $0.reflectance.firstWavelength, step: $0.reflectance.step,
            values: $0.reflectance.values.map { $0 / 100 }))
      }
    }
    do { try self.init(patches: patches) } catch { throw bad("\(error)") }
    for (row, (own, usual)) in zip(patches, classic).enumerated() {
      let difference = Self.color(of: own).ciede2000(to: Self.color(of: usual))
      guard difference < 15 else {
        throw bad(
          "patch \(row + 1) (\(own.name)) is not like \(usual.name) (CIEDE2000 "
            + "\(fixed(difference, decimals: 0))); rows go from dark skin to bluish green, then from "
            + "orange on")
      }
    }
  }

  private typealias Table = (fields: [String], rows: [[String]])

  private static func cgats(_ lines: [String], _ bad: (String) -> Failure) throws -> Table {
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
    return (
      try block("DATA_FORMAT").flatMap(fields), try block("DATA").map(fields).filter { !$0.isEmpty }
    )
  }

  private static func csv(_ lines: [String], _ bad: (String) -> Failure) throws -> Table {
    let rows = lines.map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }.filter { $0.contains { !$0.isEmpty } }
    guard let header = rows.first else { throw bad("it is empty") }
    return (header, Array(rows.dropFirst()))
  }

  private static func wavelength(_ field: String) -> Double? {
    let digits = field.drop { !$0.isNumber }
    let word = field.dropLast(digits.count).lowercased()
    let known = ["", "nm", "spec_", "spectral_", "spectral_nm", "spectral_nm_", "nm_", "r_"]
    guard known.contains(word), let value = number(digits), 300...1100 ~= value else { return nil }
    return value
  }

  /// The color under D50.
  private static func color(of patch: Patch) -> LabColor {
    func xyz(_ reflectance: (Double) -> Double) -> SIMD3<Double> {
      let values = stride(from: 380.0, through: 780, by: 5).map {
        StandardIlluminant.d50.spectrum[$0] * reflectance($0)
      }
      return SpectralDistribution(first: 380, step: 5, values: values).xyz.vector
    }
    let white = xyz { _ in 1 }
    return LabColor(
      XYZ(xyz { patch.reflectance[$0] } / white.y), white: XYZ(white / white.y))
  }
}
