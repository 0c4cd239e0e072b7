/// Builds a `ParsableArguments` value from parsed values, through its synthesized `Decodable`.
struct ArgumentDecoder: Decoder {
  let values: ArgumentValues
  var path: [String] = []

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedArguments(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unsupported }

  /// Returns the parsed value of the property that is being decoded.
  static func value<Value>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
    guard let decoder = decoder as? ArgumentDecoder, let stored = decoder.values[decoder.path],
      let value = stored as? Value
    else { throw unsupported }
    return value
  }

  fileprivate static var unsupported: DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: [],
        debugDescription: "Only commands and their properties decode from arguments."))
  }
}

private struct KeyedArguments<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ArgumentDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) -> Bool {
    decoder.values[decoder.path + [key.stringValue]] == nil
  }

  /// Decodes a property: plain properties keep their initial value, property wrappers decode
  /// themselves.
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let path = decoder.path + [key.stringValue]
    if let stored = decoder.values[path], let value = stored as? Value { return value }
    return try Value(from: ArgumentDecoder(values: decoder.values, path: path))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw ArgumentDecoder.unsupported }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw ArgumentDecoder.unsupported
  }

  func superDecoder() throws -> any Decoder { throw ArgumentDecoder.unsupported }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw ArgumentDecoder.unsupported }
}
