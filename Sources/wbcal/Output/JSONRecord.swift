/// A record that is written as JSON: each stored property under its name, without those that are
/// `nil`. The compiler writes no code for each record, of which there are many.
protocol JSONRecord: Encodable {}

extension JSONRecord {
  func encode(to encoder: any Encoder) throws { try encodeProperties(of: self, to: encoder) }
}

/// Encodes the stored properties of a value. The function is `dynamic` so that it is compiled once.
private dynamic func encodeProperties(of record: Any, to encoder: any Encoder) throws {
  var values = encoder.container(keyedBy: PropertyName.self)
  for (name, value) in Mirror(reflecting: record).children {
    guard let name, let value = value as? any Encodable else {
      preconditionFailure("\(type(of: record)) has a property that cannot be encoded.")
    }
    if (value as? any OptionalValue)?.isMissing == true { continue }
    try values.encode(value, forKey: PropertyName(stringValue: name))
  }
}

private struct PropertyName: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private protocol OptionalValue { var isMissing: Bool { get } }

extension Optional: OptionalValue { fileprivate var isMissing: Bool { self == nil } }
