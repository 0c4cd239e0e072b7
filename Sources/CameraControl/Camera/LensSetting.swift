/// What came of moving a lens.
public struct LensSetting: Hashable, Sendable {
  /// The value of `ControlID.focusPosition`.
  public var value: Int
  /// The same as a share of the range: 0 the nearest, 1 the farthest.
  public var position: Double
  /// Whether the picture's sharpness changed, beyond what noise does; if not, the lens has had its
  /// time, and nothing shows that it moved.
  public var wasSeen: Bool
}
