import ColorScience

/// The reason why pictures cannot be used as flat fields, with its place in pixels.
public enum FlatFieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The frame has no colors, or too few bytes.
  case frame(FrameError)
  /// The picture has too few pixels.
  case tooSmall(width: Int, height: Int)
  /// Pixels of a channel are at the white level in this share of the picture.
  case clipped(ColorChannel, share: Double, PixelRectangle)
  /// This share of the picture is near the black level.
  case dark(share: Double, PixelRectangle)
  /// There is an edge or an object, which differs from its surroundings by this share.
  case structure(difference: Double, PixelRectangle)
  /// The brightness changes by this share from one side to the other, more than by a lens.
  case gradient(Double, direction: Direction, isTurned: Bool)
  /// The pictures differ by this share more than by turning the surface.
  case notTurned(difference: Double)
  /// Two pictures differ in size.
  case sizes(width: Int, height: Int, otherWidth: Int, otherHeight: Int)
  /// Two pictures differ in the arrangement of their pixels' colors.
  case formats
  /// Turns are stated for some pictures, and not for others.
  case turnsMissing

  /// The direction in which a picture becomes brighter.
  public enum Direction: String, Hashable, Sendable {
    /// The side of the picture that is brighter.
    case left, right, top, bottom
  }

  /// A sentence that states the reason, then what helps.
  public var description: String {
    func percent(_ share: Double) -> String {
      shortNumber(100 * share, digits: 2) + " %"
    }
    func place(_ r: PixelRectangle) -> String { "at \(r.x),\(r.y),\(r.width),\(r.height)" }
    switch self {
    case .frame(let error): return "\(error)"
    case .tooSmall(let width, let height):
      return "\(width)×\(height) pixels are too few for a flat field"
    case .clipped(let channel, let share, let r):
      return "the flat field is clipped: \(channel.rawValue) is at the white level in "
        + "\(percent(share)) of the picture, \(place(r)); lower the exposure"
    case .dark(let share, let r):
      return "the flat field is too dark in \(percent(share)) of the picture, \(place(r)); raise "
        + "the exposure"
    case .structure(let difference, let r):
      return "the surface is not even: it differs from its surroundings by \(percent(difference)) "
        + "\(place(r)); fill the picture with one plain surface, out of focus"
    case .gradient(let change, let direction, false):
      return "the picture becomes \(percent(change)) brighter towards the \(direction.rawValue), "
        + "which is the light rather than the lens; light the surface evenly, and add a picture "
        + "with the surface and its light turned by 180°"
    case .gradient(let change, let direction, true):
      return "the pictures become \(percent(change)) brighter towards the \(direction.rawValue) "
        + "although the surface was turned; turn its light as well, or light it evenly"
    case .notTurned(let difference):
      return "the pictures differ by \(percent(difference)), more than turning the surface "
        + "explains; keep the light, and turn the surface as stated"
    case .sizes(let width, let height, let otherWidth, let otherHeight):
      return "one picture has \(width)×\(height) pixels and another \(otherWidth)×\(otherHeight); "
        + "take them in one format"
    case .formats:
      return "the pictures differ in the arrangement of their pixels; take them in one format"
    case .turnsMissing:
      return "the turn of the surface is stated for some pictures only; state it for all of them"
    }
  }
}
