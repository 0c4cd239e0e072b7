import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

extension Convert {
  /// Converts named lights: those with shots in the profile to the gains of these shots, others by
  /// their spectrum or, if that is not possible, by their chromaticity and class.
  func convertLights(with converter: Converter) throws {
    // An invalid name in an option is refused before anything is written.
    let lights = try light.map { try named($0, converter) }
    var rows = ConvertedRows()
    var output = ConvertedOutput()
    rows.text = to.columns(withErrors: uncertainty).joined(separator: ",") + "\n"
    for light in lights { append(light, converter, place: "\(light.name): ", to: &rows) }
    if given == .light {
      if number.isEmpty {
        var lines = TableLines(name: "standard input", more: TableLines.standardInput)
        while let (number, line) = try lines.next() {
          append(line, converter, number: number, to: &rows)
          guard !lines.haveMore || rows.text.utf8.count >= 1 << 16 else { continue }
          try output.show(rows)
          rows = ConvertedRows()
        }
      } else {
        for name in number { append(name, converter, place: "", to: &rows) }
      }
    }
    try output.show(rows)
    try output.end()
  }

  private func named(_ name: String, _ converter: Converter) throws -> Light {
    try converter.profile?.light(argument: name) ?? Light(argument: name, folder: nil)
  }

  /// Appends the light of a line, which may be in quotation marks; the first line may be a header.
  private func append(
    _ line: TableLines.Line, _ converter: Converter, number: Int, to rows: inout ConvertedRows
  ) {
    let place = "line \(number): "
    switch line {
    case .unreadable(let reason, text: _): fail("the line \(reason)", place: place, in: &rows)
    case .text(let text):
      var name = text.trimmed
      if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") {
        name = String(name.dropFirst().dropLast())
      }
      let isHeader = number == 1 && !noHeader && (header || name.lowercased() == "light")
      if !name.isEmpty, !isHeader { append(name, converter, place: place, to: &rows) }
    }
  }

  private func append(
    _ name: String, _ converter: Converter, place: String, to rows: inout ConvertedRows
  ) {
    do { append(try named(name, converter), converter, place: place, to: &rows) } catch {
      fail(Failure(error).message, place: place, in: &rows)
    }
  }

  private func append(
    _ light: Light, _ converter: Converter, place: String, to rows: inout ConvertedRows
  ) {
    do throws(Converter.RowError) {
      rows.append(try row(of: light, converter), place: place)
    } catch { fail("\(error)", place: place, in: &rows) }
  }

  private func fail(_ message: String, place: String, in rows: inout ConvertedRows) {
    rows.failed = true
    rows.messages.append("wbcal: " + place + message)
    let columns = to.columns(withErrors: uncertainty).count
    rows.text += String(repeating: ",", count: columns - 1) + "\n"
  }

  private func row(of light: Light, _ converter: Converter) throws(Converter.RowError)
    -> Converter.Row
  {
    var converter = converter
    converter.lightClass = lightClass ?? light.impliedClass
    let lamp = converter.profile?.model.lampGains(for: light, lightClass: converter.lightClass)
    guard to == .gains, let lamp else {
      let xy = [light.chromaticity.x, light.chromaticity.y]
      return try converter.convert(xy.map { Substring("\($0)") }, withErrors: uncertainty)
    }
    func numbers(_ off: SIMD2<Double>) -> [Double] {
      let moved = Gains(lamp.gains.vector * SIMD3(exp(off.x), 1, exp(off.y))).normalized(
        to: .smallest)
      return [moved.red, moved.green, moved.blue]
    }
    var row = numbers(.zero)
    if uncertainty { row += lamp.covariance.standardErrors(of: numbers) ?? [] }
    return Converter.Row(numbers: row)
  }
}
