/// The reason why a file cannot be read as a camera profile.
public enum CameraProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is of another kind.
  case notAProfile(format: String?)
  /// The file has a version that this program cannot read.
  case version(Int)

  /// One sentence that states the error.
  public var description: String {
    switch self {
    case .notAProfile(let format):
      "it is not a camera profile"
        + (format.map { " (its format is '\($0)')" } ?? " (it states no format)")
    case .version(let version):
      "the profile has version \(version); this program reads version \(CameraProfile.version)"
    }
  }
}
