/// Why a file is not a camera profile that can be read.
public enum CameraProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another kind of file.
  case notAProfile(format: String?)
  /// A version that this program does not know.
  case version(Int)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .notAProfile(let format):
      "it is not a camera profile"
        + (format.map { " (its format is '\($0)')" } ?? " (it names no format)")
    case .version(let version):
      "it is a profile of version \(version), and this program reads version "
        + "\(CameraProfile.version)"
    }
  }
}
