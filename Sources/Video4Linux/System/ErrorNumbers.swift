import CameraControl
import Glibc
import WbcalSystem

/// Indicates whether an error means that the camera is gone, and not only that a request failed.
private func meansVanished(_ number: CInt) -> Bool { [ENODEV, ENXIO, ESHUTDOWN].contains(number) }

extension CameraError {
  /// Creates the error that a failed call means for the camera as a whole.
  init(call: String, number: CInt, camera: String) {
    switch number {
    case _ where meansVanished(number): self = .vanished(camera: camera)
    case EBUSY: self = .busy(camera: camera)
    default: self = .system(call: call, number: Int(number), text: systemErrorText(number))
    }
  }

  /// Throws if a call returned the negative number of an error.
  static func check(_ result: CInt, _ call: String, _ camera: String) throws(CameraError) {
    if result < 0 { throw CameraError(call: call, number: -result, camera: camera) }
  }
}

extension ControlRefusal {
  /// Creates the reason for a failed write or read of one control; `nil` if the camera is gone.
  ///
  /// uvcvideo's "wrong state" is `EILSEQ` before Linux 6.12, and `EACCES` since then; `EACCES` also
  /// means that the driver knows that an automatic mode is on.
  init?(number: CInt, isRead: Bool = false) {
    switch number {
    case _ where meansVanished(number): return nil
    case EACCES where isRead: self = .notAllowed
    case EACCES, EILSEQ: self = .automatic
    case EBUSY: self = .busy
    case ERANGE: self = .outOfRange
    case EINVAL, ENOTTY: self = .unknown
    case ETIMEDOUT: self = .timedOut
    default: self = .failed(number: Int(number), text: systemErrorText(number))
    }
  }
}
