#if GenICam
import CWbcalAravis

/// An error that states why a buffer holds no whole frame.
struct FrameDamage: Error {
  /// The defect, in a few words.
  var reason: String

  /// Returns the defect that the library has found; `nil` for a whole frame.
  static func reason(_ status: ArvBufferStatus) -> String? {
    switch status {
    case ARV_BUFFER_STATUS_SUCCESS: nil
    case ARV_BUFFER_STATUS_MISSING_PACKETS: "packets were lost"
    case ARV_BUFFER_STATUS_TIMEOUT: "its end did not arrive in time"
    case ARV_BUFFER_STATUS_SIZE_MISMATCH: "it is larger than the camera stated"
    case ARV_BUFFER_STATUS_WRONG_PACKET_ID: "packets came in the wrong order"
    case ARV_BUFFER_STATUS_FILLING, ARV_BUFFER_STATUS_ABORTED: "it was interrupted"
    default: "the library reports status \(status.rawValue)"
    }
  }
}
#endif
