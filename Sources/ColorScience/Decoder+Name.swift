#if !hasFeature(Embedded)
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
}
#endif
