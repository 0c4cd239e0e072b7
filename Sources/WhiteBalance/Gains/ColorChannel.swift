/// One of the three channels of a camera.
public enum ColorChannel: String, CaseIterable, Hashable, Sendable, Codable {
  /// The long-wave channel.
  case red
  /// The middle channel, to which gains are usually related.
  case green
  /// The short-wave channel.
  case blue
}
