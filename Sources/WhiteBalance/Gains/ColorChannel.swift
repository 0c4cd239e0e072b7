/// One of the three channels of a camera.
public enum ColorChannel: String, CaseIterable, Hashable, Sendable, Codable {
  /// The long-wavelength channel.
  case red
  /// The medium-wavelength channel, by which gains are commonly divided.
  case green
  /// The short-wavelength channel.
  case blue
}
