import ColorScience
import WbcalFoundation
import WbcalSystem
import WhiteBalance

/// A table of shots, one in each row.
struct ShotTable {
  private enum Column: String, CaseIterable {
    case red = "r"
    case green = "g"
    case blue = "b"
    case image, region, light
    case lightClass = "class"
    case noise, uncertainty, note

    init?(name: some StringProtocol) {
      let name = name.lowercased()
      let longNames: [String: Column] = ["red": .red, "green": .green, "blue": .blue]
      guard let column = Column(rawValue: name) ?? longNames[name] else { return nil }
      self = column
    }
  }

  let shots: [RequestedShot]

  /// - Throws: `Failure` with the first line that cannot be read, or with an unknown column.
  init(path: String) throws { try self.init([UInt8](readFile(path)), path: path) }

  init(_ bytes: [UInt8], path: String) throws {
    let rows = try TableRows.read(bytes, path: path) { fields in
      fields.contains { Column(name: $0) == .light }
    }
    guard let header = rows.first else {
      throw Failure.badData("\(path) is empty; it needs the columns r,g,b,light or image,light")
    }
    let columns = try Self.columns(header.fields) {
      Failure.badData("\(path), line \(header.line): \($0)")
    }
    let folder = URL(filePath: path.located).deletingLastPathComponent()
    shots = try rows.dropFirst().map { row in
      try Self.shot(row.fields, columns, place: "\(path), line \(row.line)", folder: folder)
    }
  }

  /// Returns the columns that a header names; `nil` for one without a name.
  private static func columns(
    _ names: [String], _ bad: (String) -> Failure
  ) throws -> [Column?] {
    let columns = names.map { Column(name: $0) }
    func has(_ column: Column) -> Bool { columns.contains(column) }
    guard has(.light), has(.image) || has(.red) && has(.green) && has(.blue) else {
      throw bad("the columns must be r,g,b,light or image,light, and optionally class")
    }
    for (index, name) in names.enumerated() where !name.isEmpty {
      guard let column = columns[index] else {
        throw bad(
          "the column '\(name)' is unknown; the columns are "
            + Column.allCases.map(\.rawValue).joined(separator: ", "))
      }
      guard columns.firstIndex(of: column) == index else {
        throw bad("the column \(column.rawValue) occurs twice")
      }
    }
    return columns
  }

  private static func shot(
    _ fields: [String], _ columns: [Column?], place: String, folder: URL
  ) throws -> RequestedShot {
    func bad(_ message: String) -> Failure { Failure.badData("\(place): \(message)") }
    guard fields.count <= columns.count else {
      throw bad(
        "there are \(fields.count) fields but \(columns.count) columns; put a field that contains "
          + "commas, such as xy:0.31,0.33, in quotation marks")
    }
    var cells: [Column: String] = [:]
    for (column, field) in zip(columns, fields) where !field.isEmpty {
      guard let column else { throw bad("'\(field)' is in a column without a name") }
      cells[column] = field
    }
    guard let light = cells[.light] else { throw bad("the shot has no light") }
    func share(_ column: Column) throws -> Double? {
      guard let text = cells[column] else { return nil }
      guard let value = number(text), value >= 0, value.isFinite else {
        throw bad("the \(column.rawValue) '\(text)' is not a number of 0 or more")
      }
      return value
    }
    var lightClass = try cells[.lightClass].map { try LightClass(tableField: $0, bad) }
    do {
      let (light, measuredClass) = try Light.read(
        argument: light, folder: folder, uncertainty: try share(.uncertainty) ?? 0,
        lightClass: lightClass)
      if let measuredClass, let lightClass, lightClass != measuredClass {
        throw bad(
          "the class is \(lightClass.rawValue) here but \(measuredClass.rawValue) in the file of "
            + "the spectrum")
      }
      lightClass = lightClass ?? measuredClass
      return RequestedShot(
        source: try source(cells, folder: folder, bad), light: light, lightClass: lightClass,
        noise: try share(.noise), place: place,
        spectrum: Light.spectrumFile(argument: light.name, folder: folder))
    } catch {
      var failure = Failure(error)
      if !failure.message.hasPrefix(place) { failure.message = "\(place): \(failure.message)" }
      throw failure
    }
  }

  private static func source(
    _ cells: [Column: String], folder: URL, _ bad: (String) -> Failure
  ) throws -> RequestedShot.Source {
    let rgb = [Column.red, .green, .blue].map { cells[$0] }
    if let image = cells[.image] {
      guard rgb.allSatisfy({ $0 == nil }) else {
        throw bad("the shot has both a picture and a response; remove one")
      }
      var region: GrayCardEstimator.Region?
      if let text = cells[.region] {
        do { region = try GrayCardEstimator.Region(argument: text) } catch {
          var fact = "\(error)"
          if fact.last == "." { fact.removeLast() }
          throw bad("the region '\(text)' is not valid: \(fact)")
        }
      }
      return .picture(
        image.hasPrefix("/") ? image : folder.appending(path: image).path, region: region)
    }
    guard cells[.region] == nil else { throw bad("a region requires a picture; the shot has none") }
    let numbers = rgb.map { $0.flatMap { number($0) } }
    guard let r = numbers[0], let g = numbers[1], let b = numbers[2] else {
      let wrong = rgb.compactMap(\.self).first { number($0) == nil }
      throw bad(
        "the response '\(rgb.map { $0 ?? "" }.joined(separator: ","))' is not three numbers"
          + (wrong.map { ": " + notANumber($0) } ?? ""))
    }
    return .response(LinearRGB(red: r, green: g, blue: b))
  }
}
