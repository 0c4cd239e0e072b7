#if GenICam
import CWbcalAravis
import CameraControl
import CameraProfiles
import Dispatch

/// An open device of the library, closed with its last reference.
///
/// Only the thread of the camera's actor uses it.
@safe final class AravisDevice: @unchecked Sendable {
  /// The kind of a node's value.
  enum Kind {
    case integer, float, choice, boolean, command
  }

  let camera: UnsafeMutablePointer<ArvCamera>
  private let device: UnsafeMutablePointer<ArvDevice>
  /// The name of the camera in messages.
  let name: String

  /// Opens the device with an identifier or an address; control of it is taken if nobody has it.
  init(opening id: String, name: String) throws(CameraError) {
    let camera: UnsafeMutablePointer<ArvCamera>?
    do { unsafe camera = try unsafe AravisError.check { unsafe arv_camera_new(id, $0) } } catch {
      switch error.code {
      case .device(ARV_DEVICE_ERROR_NOT_FOUND): throw .notFound(name)
      case .device(ARV_DEVICE_ERROR_GENICAM_NOT_FOUND):
        throw .notACamera(name, reason: "it does not describe its controls (\(error.text))")
      default:
        if error.isUnanswered { throw .notFound(name) }
        throw .system(call: "opening \(name)", number: error.number, text: error.text)
      }
    }
    guard let camera = unsafe camera, let device = unsafe arv_camera_get_device(camera) else {
      throw .notFound(name)
    }
    unsafe self.camera = unsafe camera
    unsafe self.device = unsafe device
    self.name = name
  }

  deinit { unsafe release(UnsafeMutableRawPointer(camera)) }

  /// `true` from the moment when the camera no longer answers.
  private(set) var isGone = false

  /// Releases an object of the library. Each access to a camera that is gone takes seconds, which
  /// nobody should wait for.
  func release(_ object: UnsafeMutableRawPointer) {
    guard isGone else { return unsafe g_object_unref(object) }
    let address = UInt(bitPattern: object)
    DispatchQueue.global().async {
      unsafe g_object_unref(UnsafeMutableRawPointer(bitPattern: address))
    }
  }

  // MARK: - Control of the camera

  /// Throws `CameraError.busy` if another program controls the camera.
  func requireControl() throws(CameraError) {
    if isGone { throw .vanished(camera: name) }
    if unsafe carv_has_control(device) { return }
    if unsafe carv_take_control(device) { return }
    throw lostControl
  }

  /// Indicates whether this program controls the camera.
  var hasControl: Bool { unsafe carv_has_control(device) }

  /// Returns the identity that the camera at an address reports.
  func identity(at address: String) throws(CameraError) -> CameraIdentity {
    let camera = unsafe camera
    return CameraDirectory.identity(
      bus: unsafe arv_camera_is_gv_device(camera) != 0 ? "GigEVision" : "USB3Vision",
      maker: try unsafe text("maker") { unsafe arv_camera_get_vendor_name(camera, $0) },
      model: try unsafe text("model") { unsafe arv_camera_get_model_name(camera, $0) },
      serial: try unsafe text("serial number") {
        unsafe arv_camera_get_device_serial_number(camera, $0)
      }, address: address)
  }

  private func text(
    _ property: String,
    _ read: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> UnsafePointer<CChar>?
  ) throws(CameraError) -> String {
    let text = try unsafe perform("reading its \(property)", read)
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }

  /// Indicates whether the camera answers.
  var answers: Bool {
    if !isGone { isGone = unsafe !carv_answers(device) }
    return !isGone
  }

  /// The error for a camera that this program no longer controls.
  var lostControl: CameraError {
    guard answers else { return .vanished(camera: name) }
    if unsafe carv_is_controlled(device) { return .busy(camera: name) }
    return .system(
      call: "keeping control of \(name)", number: Int(ARV_DEVICE_ERROR_TIMEOUT.rawValue),
      text: "the camera has ended it, as it does when heartbeats get lost")
  }

  /// Returns the error that a failed call means for the camera as a whole; `nil` if it means that
  /// the camera refused this call only.
  func failure(_ error: AravisError) -> CameraError? {
    // The controller itself is denied what cannot be changed at present.
    if error.isForeignControl { return hasControl ? nil : lostControl }
    guard error.isUnanswered else { return nil }
    // A camera ignores what a program asks that does not control it.
    return lostControl
  }

  /// Calls the library for the camera as a whole.
  func perform<Result>(
    _ call: String, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
  ) throws(CameraError) -> Result {
    do { return try unsafe AravisError.check(body) } catch {
      throw failure(error) ?? .system(call: call, number: error.number, text: error.text)
    }
  }

  // MARK: - Nodes

  /// Returns the kind of the node with a name; `nil` if there is none, or it is not available.
  func kind(of node: String) -> Kind? {
    guard unsafe arv_device_is_feature_available(device, node, nil) != 0 else { return nil }
    return switch unsafe carv_kind(device, node) {
    case CARV_INTEGER: .integer
    case CARV_FLOAT: .float
    case CARV_CHOICE: .choice
    case CARV_BOOLEAN: .boolean
    case CARV_COMMAND: .command
    default: nil
    }
  }

  /// Returns what may be done with a node at present.
  func flags(of node: String) -> ControlFlags {
    var flags: ControlFlags = []
    switch unsafe carv_access(device, node) {
    case ARV_GC_ACCESS_MODE_RO: flags.insert(.readOnly)
    case ARV_GC_ACCESS_MODE_WO: flags.insert(.writeOnly)
    default: break
    }
    if unsafe carv_is_locked(device, node) { flags.insert(.grabbed) }
    return flags
  }

  /// Returns the names of a choice that are available.
  func choices(of node: String) throws(AravisError) -> [String] {
    var count: guint = 0
    let names = try unsafe AravisError.check { error in
      unsafe arv_device_dup_available_enumeration_feature_values_as_strings(
        device, node, &count, error)
    }
    guard let names = unsafe names else { return [] }
    defer { unsafe g_free(names) }
    return unsafe UnsafeBufferPointer(start: names, count: Int(count)).compactMap {
      unsafe $0.map { unsafe String(cString: $0) }
    }
  }

  /// Returns the text of a node, or the name of the present choice.
  func text(of node: String) throws(AravisError) -> String {
    let text = try unsafe AravisError.check {
      unsafe arv_device_get_string_feature_value(device, node, $0)
    }
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }

  /// Makes a choice.
  func set(_ choice: String, of node: String) throws(AravisError) {
    try unsafe AravisError.check {
      unsafe arv_device_set_string_feature_value(device, node, choice, $0)
    }
  }

  func boolean(of node: String) throws(AravisError) -> Bool {
    try unsafe AravisError.check {
      unsafe arv_device_get_boolean_feature_value(device, node, $0)
    } != 0
  }

  func set(_ value: Bool, of node: String) throws(AravisError) {
    try unsafe AravisError.check {
      unsafe arv_device_set_boolean_feature_value(device, node, value ? 1 : 0, $0)
    }
  }

  /// Carries out a command.
  func execute(_ node: String) throws(AravisError) {
    try unsafe AravisError.check { unsafe arv_device_execute_command(device, node, $0) }
  }

  /// Returns the number of a node of integers or floating-point numbers.
  func number(of node: String, _ kind: Kind) throws(AravisError) -> Double {
    try unsafe AravisError.check {
      kind == .float
        ? unsafe arv_device_get_float_feature_value(device, node, $0)
        : Double(unsafe arv_device_get_integer_feature_value(device, node, $0))
    }
  }

  /// Writes a number, which the library does not check.
  func set(_ value: Double, of node: String, _ kind: Kind) throws(AravisError) {
    try unsafe AravisError.check {
      if kind == .float {
        unsafe arv_device_set_float_feature_value(device, node, value, $0)
      } else {
        unsafe arv_device_set_integer_feature_value(device, node, Int(value.rounded()), $0)
      }
    }
  }

  /// Returns the smallest and largest number that a node accepts at present.
  func bounds(of node: String, _ kind: Kind) throws(AravisError) -> (low: Double, high: Double) {
    try unsafe AravisError.check { error in
      if kind == .float {
        var (low, high) = (0.0, 0.0)
        unsafe arv_device_get_float_feature_bounds(device, node, &low, &high, error)
        return (low, high)
      }
      var (low, high) = (0, 0)
      unsafe arv_device_get_integer_feature_bounds(device, node, &low, &high, error)
      return (Double(low), Double(high))
    }
  }

  /// Returns the increment that a node states; `nil` if it states none.
  func increment(of node: String, _ kind: Kind) -> Double? {
    let value = try? unsafe AravisError.check {
      kind == .float
        ? unsafe arv_device_get_float_feature_increment(device, node, $0)
        : Double(unsafe arv_device_get_integer_feature_increment(device, node, $0))
    }
    // The library returns the smallest number for none.
    return value.flatMap { $0.isNormal && $0 > 1e-300 ? $0 : nil }
  }
}
#endif
