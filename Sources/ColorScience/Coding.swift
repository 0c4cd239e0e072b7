#if hasFeature(Embedded)
/// Embedded Swift has no `Codable`: there, to declare it says nothing.
typealias Codable = Any
#else
extension Decoder {
  /// What a decoded name stands for; an error for a name that stands for none of its type.
  func value<Value>(_ type: String, named find: (String) -> Value?) throws -> Value {
    let name = try String(from: self)
    guard let value = find(name) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "there is no \(type) '\(name)'"))
    }
    return value
  }

  /// A list of that many numbers.
  func numbers(_ count: Int) throws -> [Double] {
    var values = try unkeyedContainer()
    let numbers = try (0..<count).map { _ in try values.decode(Double.self) }
    guard values.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: values, debugDescription: "more than \(count) numbers")
    }
    return numbers
  }
}
#endif
