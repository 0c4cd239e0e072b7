/// One of the three channels of a camera.
public enum ColorChannel: String, CaseIterable, Hashable, Sendable, Codable {
  /// The long-wave channel.
  case red
  /// The middle channel, which gains are commonly divided by.
  case green
  /// The short-wave channel.
  case blue
}
