/// The reason why a camera refused a control; the camera itself still works.
public enum ControlRefusal: Hashable, Sendable {
  /// An automatic mode governs the control.
  case automatic
  /// The camera is not ready, another user has it, or the control cannot change during a stream.
  case busy
  /// The camera rejects the value although it is within the control's limits.
  case outOfRange
  /// The control is read-only or write-only.
  case notAllowed
  /// The camera does not have this control or this menu item.
  case unknown
  /// The camera did not answer in time.
  case timedOut
  /// The camera reported a failure; the number is the operating system's `errno`.
  case failed(number: Int, text: String)
}

extension ControlRefusal: CustomStringConvertible {
  /// The reason as a clause for the end of a sentence.
  public var description: String {
    switch self {
    case .automatic: "an automatic mode governs it"
    case .busy: "the camera is not ready, or another program is using it"
    case .outOfRange: "the camera reports that it is out of range"
    case .notAllowed: "the driver does not allow it"
    case .unknown: "the camera does not have it"
    case .timedOut: "the camera did not answer"
    case .failed(_, let text): "the camera failed: \(text)"
    }
  }
}
