import ColorScience
import WbcalFoundation

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
    let table = try Self.table(lines, bad)
    guard table.rows.count == 24 else {
      throw bad("there are \(table.rows.count) patches; a ColorChecker Classic has 24")
    }
    let bands = CGATSTable.bands(table.fields)
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

  private static func table(_ lines: [String], _ bad: (String) -> Failure) throws -> Table {
    if CGATSTable.isOne(lines) {
      let table = try CGATSTable(lines, bad)
      return (table.fields, table.rows)
    }
    let rows = lines.map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    }.filter { $0.contains { !$0.isEmpty } }
    guard let header = rows.first else { throw bad("it is empty") }
    return (header, Array(rows.dropFirst()))
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
