#if hasFeature(Embedded)
/// A stand-in for `Codable`, which Embedded Swift lacks; conformance to it has no effect.
typealias Codable = Any
#else
extension Decoder {
  /// Decodes a name and returns the value that `find` has for it; throws if it has none.
  func value<Value>(_ type: String, named find: (String) -> Value?) throws -> Value {
    let name = try String(from: self)
    guard let value = find(name) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "there is no \(type) '\(name)'"))
    }
    return value
  }

  /// Decodes a list of exactly `count` numbers.
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
