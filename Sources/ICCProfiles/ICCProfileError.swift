#if ICC
/// A reason why bytes are not the ICC profile of a camera, or why a camera cannot have one.
public enum ICCProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is damaged; the value is the message of Little CMS.
  case damaged(String)
  /// The profile is of another class, such as `mntr`, that of displays.
  case notInput(String)
  /// The profile converts to XYZ by a table, or does not convert from RGB.
  case notAMatrix
  /// The profile has tone curves that are not linear.
  case notLinear
  /// The matrix and the lamp give no finite color for white.
  case noColors

  /// One sentence that states the reason.
  public var description: String {
    switch self {
    case .damaged(let reason): "the ICC profile is damaged: \(reason)"
    case .notInput(let name):
      "the class of the ICC profile is '\(name)'; that of a camera is 'scnr'"
    case .notAMatrix: "the ICC profile has no matrix from RGB to XYZ"
    case .notLinear: "the ICC profile has curves that are not linear"
    case .noColors:
      "the matrix and the light do not define an ICC profile: the light has no finite color"
    }
  }
}
#endif
