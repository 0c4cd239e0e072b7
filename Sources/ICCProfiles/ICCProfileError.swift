#if ICC
/// A reason why an ICC profile cannot be written.
public enum ICCProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Little CMS reported an error; the value is its message.
  case littleCMS(String)
  /// The matrix and the lamp give no finite color for white.
  case noColors

  /// One sentence that states the reason.
  public var description: String {
    switch self {
    case .littleCMS(let message): "Little CMS cannot write the ICC profile: \(message)"
    case .noColors:
      "the matrix and the light do not define an ICC profile: the light has no finite color"
    }
  }
}
#endif
