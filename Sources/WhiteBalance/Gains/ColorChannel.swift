/// One of the three channels of a camera.
public enum ColorChannel: String, CaseIterable, Hashable, Sendable, Codable {
  /// The long-wave channel.
  case red
  /// The middle channel, by which gains are commonly divided.
  case green
  /// The short-wave channel.
  case blue
}
