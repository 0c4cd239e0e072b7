/// The result of moving a lens.
public struct LensSetting: Hashable, Sendable {
  /// The value of `ControlID.focusPosition`.
  public var value: Int
  /// The focus position, from 0 (nearest) to 1 (farthest).
  public var position: Double
  /// Indicates whether the picture's sharpness changed significantly. If it did not, the lens has
  /// had time to move, but the picture does not show whether it did.
  public var wasSeen: Bool
}
