/// A record of the settings written to a camera and of its pictures of a gray card, frame by frame.
///
/// It holds what is needed to analyze the camera on another machine: its controls, every setting,
/// the mean codes of the card in every frame, and a picture of the card's region of a few dozen
/// squares. It contains nothing of the scene beyond the region.
///
/// ```swift
/// import CameraProfiles
///
/// func settingsTried(_ recording: CameraRecording) -> Int {
///   recording.events.count { if case .set = $0 { true } else { false } }
/// }
/// ```
public struct CameraRecording: Hashable, Sendable {
  /// The camera.
  public var camera: Header
  /// The events, in their order.
  public var events: [Event]

  /// Creates a recording of a camera.
  public init(camera: Header, events: [Event] = []) {
    self.camera = camera
    self.events = events
  }

  /// The camera at the start of a recording.
  public struct Header: Hashable, Sendable {
    /// The version of the format, 1.
    public var version: Int
    /// The identity of the camera.
    public var identity: CameraIdentity
    /// The camera's controls.
    public var controls: [ControlDescription]
    /// The initial settings of the controls.
    public var settings: [ControlValue]

    /// Creates the header of a recording.
    public init(
      identity: CameraIdentity, controls: [ControlDescription], settings: [ControlValue]
    ) {
      version = 1
      self.identity = identity
      self.controls = controls
      self.settings = settings
    }
  }

  /// An event of a recording.
  public enum Event: Hashable, Sendable, Codable {
    /// Controls were set together.
    case set([ControlValue])
    /// The camera refused to set controls together; the text is the reason.
    case refused([ControlValue], String)
    /// The camera reported another value of a control than it was set to, or than was known.
    case read(ControlValue)
    /// From now on this light is on the card; the user gave its name.
    case light(String)
    /// The stream was stopped; the next frame starts it again.
    case streamStopped
    /// A frame arrived.
    case frame(Frame)
  }

  /// The measurements of the card's region in one frame.
  ///
  /// Codes are those of the frame's red, green and blue on a scale from 0 to 255, where 255 is
  /// white for any number of bits, rounded to a thousandth; luma and chroma are converted to red,
  /// green and blue first.
  public struct Frame: Hashable, Sendable, Codable {
    /// The frame's number, counted by the camera.
    public var sequence: Int
    /// The time of capture, in seconds on the camera's clock.
    public var seconds: Double
    /// The format's V4L2 name, such as `YUYV`; empty if it has none.
    public var format: String
    /// The mean codes of the pixels that are not clipped.
    public var codes: [Double]
    /// The standard deviations of their codes.
    public var deviations: [Double]
    /// The fractions of pixels at the white level in red, green and blue, 0…1.
    public var clipped: [Double]
    /// The number of pixels in the region.
    public var pixels: Int
    /// The mean codes of `pictureColumns`×`pictureRows` squares, row by row, in whole numbers.
    public var picture: [Int]

    /// The number of squares in a row of a picture.
    public static let pictureColumns = 8
    /// The number of rows in a picture.
    public static let pictureRows = 6

    /// Creates the measurements of a frame.
    public init(
      sequence: Int, seconds: Double, format: String, codes: [Double], deviations: [Double],
      clipped: [Double], pixels: Int, picture: [Int]
    ) {
      self.sequence = sequence
      self.seconds = seconds
      self.format = format
      self.codes = codes
      self.deviations = deviations
      self.clipped = clipped
      self.pixels = pixels
      self.picture = picture
    }
  }
}

extension CameraRecording.Header: Codable {
  private enum CodingKeys: String, CodingKey { case version, identity, controls, settings, modes }

  /// Encodes the camera, with the values that turn its automatic modes off and on as `modes`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(version, forKey: .version)
    try values.encode(identity, forKey: .identity)
    try values.encode(controls, forKey: .controls)
    try values.encode(settings, forKey: .settings)
    let modes = controls.compactMap { control in control.automatic.map { (control.id, $0) } }
    try values.encode(
      Dictionary(modes.map { ($0.0.rawValue, $0.1) }, uniquingKeysWith: { $1 }), forKey: .modes)
  }

  /// Decodes a camera. Without `modes`, which earlier versions did not write, automatic modes have
  /// V4L2's values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    version = try values.decode(Int.self, forKey: .version)
    identity = try values.decode(CameraIdentity.self, forKey: .identity)
    settings = try values.decode([ControlValue].self, forKey: .settings)
    let modes = try values.decodeIfPresent(
      [String: ControlDescription.Automatic].self, forKey: .modes)
    controls = try values.decode([ControlDescription].self, forKey: .controls).map { control in
      control.with(modes.map { $0[control.id.rawValue] } ?? Self.definedModes[control.id])
    }
  }

  private static let definedModes: [ControlID: ControlDescription.Automatic] = [
    .autoWhiteBalance: .init(off: 0, on: 1), .whiteBalancePreset: .init(off: 0, on: 1),
    .exposureMode: .init(off: 1, on: 3), .autoGain: .init(off: 0, on: 1),
  ]
}

extension CameraRecording.Frame {
  private enum CodingKeys: String, CodingKey {
    case sequence, seconds, format, codes, deviations, clipped, pixels, picture
  }

  /// Decodes the measurements of a frame, and checks their sizes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sequence = try values.decode(Int.self, forKey: .sequence)
    seconds = try values.decode(Double.self, forKey: .seconds)
    format = try values.decode(String.self, forKey: .format)
    pixels = try values.decode(Int.self, forKey: .pixels)
    picture = try values.decode([Int].self, forKey: .picture)
    func channels(_ key: CodingKeys, upTo largest: Double) throws -> [Double] {
      let found = try values.decode([Double].self, forKey: key)
      guard found.count == 3, found.allSatisfy({ (0...largest).contains($0) }) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values,
          debugDescription: "there must be three numbers from 0 to \(Int(largest))")
      }
      return found
    }
    codes = try channels(.codes, upTo: 255)
    deviations = try channels(.deviations, upTo: 255)
    clipped = try channels(.clipped, upTo: 1)
    let count = 3 * Self.pictureColumns * Self.pictureRows
    guard pixels >= 0, picture.count == count, picture.allSatisfy({ 0...255 ~= $0 }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .picture, in: values,
        debugDescription: "a picture must have \(count) codes of 0…255")
    }
  }
}

extension CameraRecording.Event {
  private enum CodingKeys: String, CodingKey {
    case set, refused, read, light, streamStopped, frame, why
  }

  /// Encodes the event under its name: `{"light":"D65"}`; a refusal has its reason next to it, as
  /// `why`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .set(let controls): try values.encode(controls, forKey: .set)
    case .refused(let controls, let reason):
      try values.encode(controls, forKey: .refused)
      try values.encode(reason, forKey: .why)
    case .read(let value): try values.encode(value, forKey: .read)
    case .light(let name): try values.encode(name, forKey: .light)
    case .streamStopped: try values.encode(true, forKey: .streamStopped)
    case .frame(let frame): try values.encode(frame, forKey: .frame)
    }
  }

  /// Decodes an event.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch values.allKeys.first(where: { $0 != .why }) {
    case .set: self = .set(try values.decode([ControlValue].self, forKey: .set))
    case .refused:
      self = .refused(
        try values.decode([ControlValue].self, forKey: .refused),
        try values.decode(String.self, forKey: .why))
    case .read: self = .read(try values.decode(ControlValue.self, forKey: .read))
    case .light: self = .light(try values.decode(String.self, forKey: .light))
    case .streamStopped: self = .streamStopped
    case .frame: self = .frame(try values.decode(CameraRecording.Frame.self, forKey: .frame))
    case .why, nil:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "an event must be set, refused, read, light, streamStopped or frame"))
    }
  }
}
