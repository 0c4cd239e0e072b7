/// An error in reading or writing a camera profile: the field, its offset and the defect.
public struct DNGProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A defect of a field.
  public enum Defect: Hashable, Sendable {
    /// The header is neither that of a DNG file nor that of a camera profile.
    case notProfile
    /// The field reaches beyond the end of the file.
    case truncated(length: Int)
    /// The field is missing.
    case missing
    /// The field occurs twice.
    case duplicate
    /// The values have a type, by TIFF's number, that the field does not allow.
    case type(UInt16)
    /// The field has a wrong number of values, which is given.
    case count(Int)
    /// A fraction's denominator is zero.
    case zeroDenominator
    /// The illuminant has a number that Exif does not define.
    case unknownIlluminant(UInt16)
    /// The illuminant is not described by x and y but, say, by a spectrum; DNG's number of the form
    /// is given.
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
  /// The defect.
  public let defect: Defect

  /// Creates an error from its parts.
  public init(field: String, offset: Int?, defect: Defect) {
    self.field = field
    self.offset = offset
    self.defect = defect
  }

  init(_ field: some TIFFTag, at offset: Int? = nil, _ defect: Defect) {
    self.init(field: field.name, offset: offset, defect: defect)
  }

  /// A sentence that states the defect and its place.
  public var description: String {
    field + (offset.map { " at byte \($0)" } ?? "") + " "
      + {
        switch defect {
        case .notProfile: "is not that of a DNG file or a camera profile"
        case .truncated(let length): "reaches beyond the end of the file, \(length) bytes"
        case .missing: "is missing"
        case .duplicate: "occurs twice"
        case .type(let type): "has values of type \(type), which is not allowed"
        case .count(let count): "has the wrong number of values, \(count)"
        case .zeroDenominator: "has a fraction with the denominator zero"
        case .unknownIlluminant(let code): "is \(code), which is not a light source defined by Exif"
        case .illuminantData(let kind):
          "describes the light in form \(kind); only form 0, x and y, is supported"
        case .notRepresentable(let value):
          "has the value \(value), which cannot be stored as a fraction"
        case .zeroInText: "contains a NUL character"
        }
      }()
  }
}
