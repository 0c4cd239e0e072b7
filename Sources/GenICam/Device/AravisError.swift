#if GenICam
import CWbcalAravis
import CameraControl

/// An error that Aravis reports.
struct AravisError: Error {
  enum Code: Equatable {
    case device(ArvDeviceError)
    case node(ArvGcError)
    case other(CInt)
  }
  let code: Code
  let text: String

  /// The error for a write by a program that does not control the camera.
  static let foreignControl = AravisError(
    code: .device(ARV_DEVICE_ERROR_NOT_CONTROLLER), text: "another program controls the camera")

  /// The number of the code.
  var number: Int {
    switch code {
    case .device(let code): Int(code.rawValue)
    case .node(let code): Int(code.rawValue)
    case .other(let code): Int(code)
    }
  }

  /// Calls a function of the library, and throws the error that it stores.
  static func check<Result>(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
  ) throws(AravisError) -> Result {
    var error: UnsafeMutablePointer<GError>? = nil
    let result = unsafe call(&error)
    guard let error = unsafe error else { return result }
    defer { unsafe g_error_free(error) }
    let code: Code
    if unsafe carv_is_device_error(error) {
      code = .device(ArvDeviceError(rawValue: UInt32(unsafe error.pointee.code)))
    } else if unsafe carv_is_node_error(error) {
      code = .node(ArvGcError(rawValue: UInt32(unsafe error.pointee.code)))
    } else {
      code = .other(unsafe error.pointee.code)
    }
    throw AravisError(
      code: code, text: unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "")
  }

  /// Indicates that the camera did not answer, although it was asked several times.
  var isUnanswered: Bool {
    let codes = [
      ARV_DEVICE_ERROR_TIMEOUT, ARV_DEVICE_ERROR_NOT_CONNECTED, ARV_DEVICE_ERROR_TRANSFER_ERROR,
    ]
    return codes.contains { code == .device($0) }
  }

  /// Indicates that another program controls the camera.
  var isForeignControl: Bool {
    let codes = [
      ARV_DEVICE_ERROR_NOT_CONTROLLER, ARV_DEVICE_ERROR_PROTOCOL_ERROR_ACCESS_DENIED,
    ]
    return codes.contains { code == .device($0) }
  }

  /// The reason that the camera refused one control, which still leaves the others usable.
  var refusal: ControlRefusal {
    switch code {
    case .device(ARV_DEVICE_ERROR_PROTOCOL_ERROR_BUSY),
      .device(ARV_DEVICE_ERROR_PROTOCOL_ERROR_ACCESS_DENIED):
      .busy
    case .device(ARV_DEVICE_ERROR_PROTOCOL_ERROR_WRITE_PROTECT), .node(ARV_GC_ERROR_READ_ONLY):
      .notAllowed
    case .device(ARV_DEVICE_ERROR_PROTOCOL_ERROR_INVALID_PARAMETER),
      .node(ARV_GC_ERROR_OUT_OF_RANGE):
      .outOfRange
    case .device(ARV_DEVICE_ERROR_FEATURE_NOT_FOUND),
      .device(ARV_DEVICE_ERROR_PROTOCOL_ERROR_INVALID_ADDRESS),
      .device(ARV_DEVICE_ERROR_PROTOCOL_ERROR_NOT_IMPLEMENTED):
      .unknown
    default: .failed(number: number, text: text)
    }
  }
}
#endif
