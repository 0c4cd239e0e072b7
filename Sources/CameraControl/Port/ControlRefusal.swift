/// Why a camera refused one control; the camera itself goes on.
public enum ControlRefusal: Hashable, Sendable {
  /// An automatic mode governs it.
  case automatic
  /// The camera is not ready, another user holds it, or it cannot change during a stream.
  case busy
  /// The value is out of range, although the control's limits have it.
  case outOfRange
  /// It can only be read, or only be set.
  case notAllowed
  /// The camera has no such control, or no such choice.
  case unknown
  /// The camera did not answer in time.
  case timedOut
  /// The camera answered with a failure; the number is the operating system's, `errno`.
  case failed(number: Int, text: String)
}

extension ControlRefusal: CustomStringConvertible {
  /// What is wrong, as the end of a sentence.
  public var description: String {
    switch self {
    case .automatic: "an automatic mode governs it"
    case .busy: "the camera is not ready, or another program holds it"
    case .outOfRange: "the camera calls it out of range"
    case .notAllowed: "the driver does not allow it"
    case .unknown: "the camera does not know it"
    case .timedOut: "the camera did not answer"
    case .failed(_, let text): "the camera failed: \(text)"
    }
  }
}
