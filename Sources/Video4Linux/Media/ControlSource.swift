/// An open device whose controls are the camera's: its video node or a sub-device.
struct ControlSource {
  let path: String
  let handle: any DeviceHandle
  /// The kind of the device.
  let kind: Kind

  enum Kind: Hashable {
    case videoNode
    /// A sub-device, and the pad at which pictures leave it, if it is known.
    case subdevice(pad: UInt32?)
  }

  /// The pad of a sub-device at which pictures leave it.
  var pad: UInt32? { if case .subdevice(let pad) = kind { pad } else { nil } }

  /// The present timing, if the device is a sensor that states it.
  var timing: SensorTiming? { pad.flatMap { SensorTiming(handle, pad: $0) } }
}
