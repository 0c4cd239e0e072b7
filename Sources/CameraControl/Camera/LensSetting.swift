/// The result of moving a lens.
public struct LensSetting: Hashable, Sendable {
  /// The value of `ControlID.focusPosition`.
  public var value: Int
  /// The focus position, from 0 (nearest) to 1 (farthest).
  public var position: Double
  /// Indicates whether the picture's sharpness changed significantly; if not, the lens had time to
  /// move, but nothing verifies that it did.
  public var wasSeen: Bool
}
