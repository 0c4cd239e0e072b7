import CWbcalVideo4Linux
import CameraControl
import Glibc

/// An open video device, as far as this module uses one: tests put a driver of their own behind it.
protocol DeviceHandle: AnyObject, Sendable {
  /// Performs a request: zero or more, or the negative number of an error.
  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt
  /// Waits for events: those that came, none after the time, or the negative number of an error.
  func wait(for events: CInt, milliseconds: CInt) -> CInt
  /// A buffer of the device in this process's memory, or the negative number of an error.
  func map(offset: Int, count: Int, to buffer: inout UnsafeBufferPointer<UInt8>) -> CInt
  /// Gives a buffer's memory back.
  func unmap(_ buffer: UnsafeBufferPointer<UInt8>)
}

extension DeviceHandle {
  /// Performs a request on a structure: zero or more, or the negative number of an error.
  func perform<Argument>(_ number: UInt, on argument: inout Argument) -> CInt {
    unsafe withUnsafeMutablePointer(to: &argument) { unsafe request(number, $0) }
  }
}

/// A device file, closed with the last reference to it.
///
/// Nothing waits in it but what the device itself takes its time for.
final class DeviceFile: DeviceHandle {
  private let descriptor: CInt

  /// Opens a device file for reading and writing.
  init(opening path: String) throws(CameraError) {
    descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor < 0 else { return }
    switch errno {
    case ENOENT, ENOTDIR, ENODEV, ENXIO: throw .notFound(path)
    case EACCES, EPERM: throw .notPermitted(path, group: SystemFiles.groupName(of: path))
    case let number: throw CameraError(call: "open", number: number, camera: path)
    }
  }

  deinit { close(descriptor) }

  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
    unsafe cv4l_ioctl(descriptor, number, argument)
  }

  func wait(for events: CInt, milliseconds: CInt) -> CInt {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    if unsafe poll(&entry, 1, milliseconds) < 0 { return errno == EINTR ? 0 : -errno }
    return CInt(entry.revents)
  }

  func map(offset: Int, count: Int, to buffer: inout UnsafeBufferPointer<UInt8>) -> CInt {
    let start = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, offset)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { return -errno }
    unsafe buffer = UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: count)
    return 0
  }

  func unmap(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
  }
}
