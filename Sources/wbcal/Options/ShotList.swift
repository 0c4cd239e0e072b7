import CameraControl
import ColorScience
import Foundation
import WhiteBalance

/// A requested shot: where its response comes from, and its light.
struct RequestedShot {
  enum Source {
    case response(LinearRGB)
    case picture(String)
    case device(DeviceSpecification)
  }
  var source: Source
  var light: Light
  var lightClass: LightClass?
  /// The standard deviation of the response's ratios, if it is known.
  var noise: Double?
  /// Where it was requested, for messages.
  var place: String
  var spectrum: String?

  var files: [String] {
    let picture: String? = if case .picture(let path) = source { path } else { nil }
    return [picture, spectrum].compactMap(\.self)
  }
}

extension RequestedShot {
  /// A shot from `SOURCE@LIGHT`.
  init(argument: String) throws {
    guard let at = argument.lastIndex(of: "@") else {
      throw Failure(
        message: "the shot '\(argument)' names no light; write SOURCE@LIGHT, such as card.dng@D65",
        code: .usage)
    }
    let source = String(argument[..<at])
    place = "shot \(argument)"
    let light = String(argument[argument.index(after: at)...])
    self.light = try Light(argument: light, folder: nil)
    spectrum = Light.spectrumFile(argument: light, folder: nil)
    if source.hasPrefix("rgb:") {
      guard let rgb = numbers(source.dropFirst(4), count: 3) else {
        throw Failure.badData("'\(source)' is not rgb:R,G,B, three numbers")
      }
      self.source = .response(LinearRGB(red: rgb[0], green: rgb[1], blue: rgb[2]))
    } else if DeviceSpecification.isDevice(source) {
      self.source = .device(try DeviceSpecification(argument: source))
    } else {
      self.source = .picture(source)
    }
  }

  /// The shots of a table: columns `r`, `g`, `b` or `image`, then `light` and optionally `class`,
  /// `noise` and `uncertainty` (of the light's x and y).
  static func table(path: String) throws -> [RequestedShot] {
    try table(String(decoding: try readFile(path), as: UTF8.self), path: path)
  }

  static func table(_ text: String, path: String) throws -> [RequestedShot] {
    func bad(_ line: Int, _ message: String) -> Failure {
      Failure.badData("\(path), line \(line): \(message)")
    }
    let rows = CommaSeparatedText.rows(text)
    guard let header = rows.first else {
      throw Failure.badData("\(path) is empty; it needs the columns r,g,b,light or image,light")
    }
    let names = header.cells.map { $0.lowercased() }
    func column(_ name: String) -> Int? { names.firstIndex(of: name) }
    let rgb = ["r", "g", "b"].compactMap(column)
    guard let lightColumn = column("light"), rgb.count == 3 || column("image") != nil else {
      throw bad(header.line, "the columns must be r,g,b,light or image,light, and optionally class")
    }
    let folder = URL(filePath: path).deletingLastPathComponent()
    return try rows.dropFirst().map { row in
      func cell(_ index: Int) -> String { index < row.cells.count ? row.cells[index] : "" }
      let light = cell(lightColumn)
      guard !light.isEmpty else { throw bad(row.line, "the shot names no light") }
      let source: Source
      if let image = column("image"), !cell(image).isEmpty {
        source = .picture(
          cell(image).hasPrefix("/") ? cell(image) : folder.appending(path: cell(image)).path)
      } else {
        let numbers = rgb.map { number(cell($0)) }
        guard numbers.count == 3, let r = numbers[0], let g = numbers[1], let b = numbers[2] else {
          throw bad(
            row.line, "the response '\(rgb.map(cell).joined(separator: ","))' is not three numbers")
        }
        source = .response(LinearRGB(red: r, green: g, blue: b))
      }
      let kind = column("class").map(cell) ?? ""
      let lightClass = LightClass(rawValue: kind)
      guard kind.isEmpty || lightClass != nil else {
        throw bad(
          row.line,
          "'\(kind)' is no class of light; there are "
            + LightClass.allCases.map(\.rawValue).joined(separator: ", "))
      }
      func share(_ name: String) throws -> Double? {
        guard let text = column(name).map(cell), !text.isEmpty else { return nil }
        guard let value = number(text), value >= 0, value.isFinite else {
          throw bad(row.line, "the \(name) '\(text)' is not a number of 0 or more")
        }
        return value
      }
      let (noise, uncertainty) = (try share("noise"), try share("uncertainty") ?? 0)
      do {
        return RequestedShot(
          source: source,
          light: try Light(
            argument: light, folder: folder, uncertainty: uncertainty),
          lightClass: lightClass, noise: noise, place: "\(path), line \(row.line)",
          spectrum: Light.spectrumFile(argument: light, folder: folder))
      } catch {
        var failure = bad(row.line, Failure(error).message)
        failure.code = Failure(error).code
        throw failure
      }
    }
  }
}

extension Light {
  /// A light from its name, or from a measured spectrum (`spd:FILE.csv`).
  init(argument: String, folder: URL?, uncertainty: Double = 0) throws {
    guard let path = Self.spectrumFile(argument: argument, folder: folder) else {
      try self.init(named: argument, uncertainty: uncertainty)
      return
    }
    try self.init(name: argument, spectrum: try SpectrumFile.read(path), uncertainty: uncertainty)
  }

  /// The file that a light is read from; `nil` where it has a name.
  static func spectrumFile(argument: String, folder: URL?) -> String? {
    guard argument.hasPrefix("spd:") else { return nil }
    let file = String(argument.dropFirst(4))
    return file.hasPrefix("/") ? file : folder?.appending(path: file).path ?? file
  }
}

/// Rows of cells, which are quoted where they contain a comma (RFC 4180, but one line for each
/// row).
enum CommaSeparatedText {
  static func rows(_ text: String) -> [(line: Int, cells: [String])] {
    withoutByteOrderMark(text)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .compactMap { index, line in
        let cells = cells(line)
        return cells.allSatisfy(\.isEmpty) ? nil : (index + 1, cells)
      }
  }

  /// A cell as it is written: in quotation marks where it holds what ends a cell.
  static func cell(_ text: String) -> String {
    text.contains { ",\"".contains($0) || $0.isNewline }
      ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  private static func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var quoted = false
    for character in line {
      switch character {
      case "\"": quoted.toggle()
      case "," where !quoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
