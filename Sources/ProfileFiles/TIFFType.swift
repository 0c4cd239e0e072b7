/// The TIFF types of the values of DNG's fields.
enum TIFFType: UInt16 {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case undefined = 7
  case signedRational = 10
  case float = 11
  case double = 12

  /// The size of one value, in bytes.
  var size: Int {
    switch self {
    case .byte, .ascii, .undefined: 1
    case .short: 2
    case .long, .float: 4
    case .rational, .signedRational, .double: 8
    }
  }
}
