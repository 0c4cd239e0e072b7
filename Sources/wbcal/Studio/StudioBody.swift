import WbcalFoundation
import WhiteBalance

/// A JSON value.
enum JSONValue: Decodable, Sendable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let object = try? container.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .number(try container.decode(Double.self))
    }
  }
}

/// The object that a page sends with an action; unknown keys are refused.
struct StudioBody: Sendable {
  private let values: [String: JSONValue]

  /// The largest accepted number of bytes, more than any action needs.
  static let limit = 1 << 16

  init(_ bytes: [UInt8]) throws(StudioProblem) {
    guard bytes.count <= Self.limit else {
      throw StudioProblem(
        413, "usage", .usage, "the body must have at most \(Self.limit) bytes")
    }
    let value: JSONValue
    do { value = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) } catch {
      let reason = (error as? DecodingError)?.sentence(of: bytes) ?? "it is not valid JSON"
      throw .usage("the body cannot be read: \(reason)")
    }
    guard case .object(let object) = value else {
      throw .usage("the body is not a JSON object, such as {\"temperature\":5000,\"tint\":0}")
    }
    values = object.filter { if case .null = $1 { false } else { true } }
  }

  /// Refuses all other keys.
  func allow(_ keys: String...) throws(StudioProblem) {
    if let key = values.keys.sorted().first(where: { !keys.contains($0) }) {
      throw .usage(
        "the key '\(printable(key))' is unknown here; "
          + (keys.isEmpty ? "there are none" : "the keys are " + keys.joined(separator: ", ")))
    }
  }

  func number(_ key: String) throws(StudioProblem) -> Double? {
    guard let value = values[key] else { return nil }
    guard case .number(let number) = value, number.isFinite else {
      throw .usage("'\(key)' must be a number")
    }
    return number
  }

  func integer(_ key: String) throws(StudioProblem) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let integer = Int(exactly: number) else {
      throw .usage("'\(key)' must be a whole number")
    }
    return integer
  }

  func flag(_ key: String) throws(StudioProblem) -> Bool? {
    guard let value = values[key] else { return nil }
    guard case .flag(let flag) = value else { throw .usage("'\(key)' must be true or false") }
    return flag
  }

  func text(_ key: String) throws(StudioProblem) -> String? {
    guard let value = values[key] else { return nil }
    guard case .text(let text) = value, !text.isEmpty, text.utf8.count <= 4096,
      !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { throw .usage("'\(key)' must be text of one line") }
    return text
  }

  func numbers(_ key: String, count: Int) throws(StudioProblem) -> [Double]? {
    guard let value = values[key] else { return nil }
    guard case .list(let list) = value, list.count == count else {
      throw .usage("'\(key)' must be a list of \(count) numbers")
    }
    var numbers: [Double] = []
    for item in list {
      guard case .number(let number) = item, number.isFinite else {
        throw .usage("'\(key)' must be a list of \(count) numbers")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns whole numbers by their names.
  func integers(_ key: String) throws(StudioProblem) -> [String: Int]? {
    guard let value = values[key] else { return nil }
    guard case .object(let object) = value else {
      throw .usage("'\(key)' must be an object of whole numbers")
    }
    var integers: [String: Int] = [:]
    for (name, value) in object {
      guard case .number(let number) = value, let integer = Int(exactly: number) else {
        throw .usage("'\(key)' must be an object of whole numbers")
      }
      integers[name] = integer
    }
    return integers
  }

  /// Returns a rectangle in pixels.
  func region(_ key: String = "region") throws(StudioProblem) -> PixelRectangle? {
    guard let numbers = try numbers(key, count: 4) else { return nil }
    let places = numbers.compactMap { Int(exactly: $0.rounded()) }
    guard places.count == 4, places.allSatisfy({ 0...(1 << 20) ~= $0 }), places[2] > 0,
      places[3] > 0
    else {
      throw .usage(
        "'\(key)' must be [x, y, width, height] in pixels, from 0 and with a size above 0")
    }
    return PixelRectangle(x: places[0], y: places[1], width: places[2], height: places[3])
  }
}
