import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc

/// The controls of a device that have a single number as their value.
///
/// Arrays, texts and 64-bit numbers are omitted, among them `V4L2_CID_NOTIFY_GAINS`, which informs
/// a sensor of gains that are applied elsewhere and changes no picture.
struct ControlTable {
  private(set) var controls: [DriverControl] = []

  /// Creates a table of known controls.
  init(_ controls: [DriverControl]) { self.controls = controls }

  /// Asks a driver for its controls (VIDIOC_QUERY_EXT_CTRL, VIDIOC_QUERYMENU); a control that it
  /// fails to describe is omitted.
  ///
  /// - Throws: `CameraError.vanished`, or `system` if the camera does not answer twice, which takes
  ///   5 s each time.
  init(_ handle: any DeviceHandle, camera: String) throws(CameraError) {
    var last: UInt32 = 0
    var silences = 0
    while true {
      var query = v4l2_query_ext_ctrl()
      query.id = last | V4L2_CTRL_FLAG_NEXT_CTRL.bits | V4L2_CTRL_FLAG_NEXT_COMPOUND.bits
      let result = handle.perform(CV4L_QUERY_EXT_CTRL, on: &query)
      switch -result {
      case EINVAL, ENOTTY: return
      case ...0 where query.id > last:
        last = query.id
        if let control = DriverControl(query, handle) { controls.append(control) }
      default:
        if ControlRefusal(number: -result) == nil { throw .vanished(camera: camera) }
        if result == -ETIMEDOUT { silences += 1 }
        if silences == 2 {
          throw CameraError(call: "VIDIOC_QUERY_EXT_CTRL", number: ETIMEDOUT, camera: camera)
        }
        // The driver does not report which control failed; known controls with larger numbers may
        // still answer.
        guard let next = ControlID.numbers.map(\.number).filter({ $0 > last }).min() else { return }
        last = next
      }
    }
  }

  subscript(id: ControlID) -> DriverControl? { controls.first { $0.description.id == id } }

  subscript(number: UInt32) -> DriverControl? { controls.first { $0.number == number } }
}
