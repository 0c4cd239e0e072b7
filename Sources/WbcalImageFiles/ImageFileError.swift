import WbcalSystem

/// An error in reading a picture file or in writing it again.
package struct ImageFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let problem: ImageFileProblem

  package init(path: String, problem: ImageFileProblem) {
    self.path = path
    self.problem = problem
  }

  /// The problem and its remedy.
  package var description: String {
    switch problem {
    case .notFound: "\(path) does not exist; check the name"
    case .noPermission: "\(path) is not readable; change its permissions"
    case .directory: "\(path) is a directory; give a picture in it"
    case .inputOutput(let number):
      "\(path) could not be read (\(systemErrorText(number))); check the disk or the connection"
    case .fileTooLong(let limit):
      "\(path) is larger than \(limit >> 20) MiB; use a smaller picture"
    case .empty: "\(path) is empty; create the picture again"
    case .unknownFormat:
      "\(path) is not in a supported format; use a PNG, JPEG, TIFF, PPM or raw file"
    case .mislabelled(_, let content):
      "\(path) is a \(content.rawValue) file by its content; "
        + "rename it\(content == .raw ? "" : " to end in .\(content.extensions[0])"), "
        + "or use the intended picture"
    case .truncated(let format, let words):
      "\(path), a \(format.rawValue) file, is truncated (\(words)); copy it again"
    case .corrupt(let format, let words):
      "\(path), a \(format.rawValue) file, is corrupt (\(words)); copy or create it again"
    case .noColor(.raw):
      "\(path) is from a monochrome sensor, which has no color to balance; use a color picture"
    case .noColor(let format):
      "\(path), a \(format.rawValue) file, has no color; use a color picture"
    case .unsupported(.raw, let words):
      "\(path), a raw photograph, cannot be used (\(words)); "
        + "develop it into an RGB file of 8 or 16 bits"
    case .unsupported(let format, let words):
      "\(path), a \(format.rawValue) file, cannot be used (\(words)); "
        + "save it as an RGB file of 8 or 16 bits"
    case .tooLarge(let format, let width, let height):
      "\(path), a \(format.rawValue) file, declares \(width)×\(height) pixels; "
        + "use one with at most 2^20 a side and 2^29 in total"
    case .unwritable(let format, let words):
      "\(path), a \(format.rawValue)\(format == .raw ? "" : " file"), cannot be written "
        + "(\(words)); convert it to another format"
    }
  }
}

/// A problem of a picture file.
package enum ImageFileProblem: Error, Hashable, Sendable {
  case notFound
  case noPermission
  case directory
  /// The system could not read the file; the C library's `errno`.
  case inputOutput(errno: Int32)
  /// The file is longer than the limit in bytes.
  case fileTooLong(limit: Int)
  case empty
  /// The first bytes are not those of a supported format.
  case unknownFormat
  /// The format that the name promises is not that of the content: it may be the wrong picture.
  case mislabelled(promised: ImageFormat, content: ImageFormat)
  /// The file ends before the picture does; with the message of the library that reads it.
  case truncated(ImageFormat, String)
  /// The content is inconsistent or violates its format; with the message of the library that reads
  /// it.
  case corrupt(ImageFormat, String)
  /// The picture is gray.
  case noColor(ImageFormat)
  /// The file may be valid, but contains a feature that this module does not read.
  case unsupported(ImageFormat, String)
  /// The file claims more than 2²⁰ pixels a side or 2²⁹ in total.
  case tooLarge(ImageFormat, width: Int, height: Int)
  /// The picture cannot be encoded; with the message of the library that writes the format.
  case unwritable(ImageFormat, String)
}
