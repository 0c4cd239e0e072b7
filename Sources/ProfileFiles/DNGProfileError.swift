/// Why bytes cannot be read as a camera profile, or a profile cannot be written, and where.
public struct DNGProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What can be wrong with a field.
  public enum Defect: Hashable, Sendable {
    /// The header is neither that of a DNG file nor that of a camera profile.
    case notProfile
    /// The field reaches beyond the end of the file.
    case truncated(length: Int)
    /// The field is not there.
    case missing
    /// The field occurs twice.
    case duplicate
    /// The values have a type, by TIFF's number, that the field cannot have.
    case type(UInt16)
    /// The field has a wrong number of values, this one.
    case count(Int)
    /// A fraction's denominator is zero.
    case zeroDenominator
    /// The light has a number that stands for none in Exif.
    case unknownIlluminant(UInt16)
    /// The light is not described by x and y but, say, a spectrum; DNG's number of the form.
    case illuminantData(UInt16)
    /// The number cannot be written as a fraction of 32-bit numbers.
    case notRepresentable(Double)
    /// The text has a character of value zero.
    case zeroInText
  }

  /// The field as DNG names it, such as ColorMatrix2; or `header`, `directory`.
  public let field: String
  /// The field's offset in the file; `nil` for a profile that is being written.
  public let offset: Int?
  /// What is wrong.
  public let defect: Defect

  /// An error from its parts.
  public init(field: String, offset: Int?, defect: Defect) {
    self.field = field
    self.offset = offset
    self.defect = defect
  }

  init(_ field: DNGField, at offset: Int? = nil, _ defect: Defect) {
    self.init(field: field.name, offset: offset, defect: defect)
  }

  /// One sentence that says what is wrong and where.
  public var description: String {
    field + (offset.map { " at byte \($0)" } ?? "") + " "
      + {
        switch defect {
        case .notProfile: "is not that of a DNG file or a camera profile"
        case .truncated(let length): "reaches beyond the end of the file, \(length) bytes"
        case .missing: "is missing"
        case .duplicate: "is there twice"
        case .type(let type): "has values of type \(type), which it cannot have"
        case .count(let count): "has \(count) values, which is the wrong number"
        case .zeroDenominator: "has a fraction with the denominator zero"
        case .unknownIlluminant(let code): "is \(code), which is no light that Exif knows"
        case .illuminantData(let kind):
          "describes the light in the way \(kind); only x and y, 0, are read"
        case .notRepresentable(let value): "has the value \(value), which no fraction can hold"
        case .zeroInText: "has a character of value zero"
        }
      }()
  }
}
