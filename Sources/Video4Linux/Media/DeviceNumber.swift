/// The number by which the kernel identifies a device file.
struct DeviceNumber: Hashable {
  var major: UInt32
  var minor: UInt32
}
