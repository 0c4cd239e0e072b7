import CWbcalVideo4Linux
import CameraControl
import Glibc

/// A device file, closed with the last reference to it.
///
/// It is opened without blocking: a call takes only the time that the driver needs.
final class DeviceFile: DeviceHandle {
  private let descriptor: CInt

  /// Opens a device file for reading and writing: open(2).
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

  /// Calls ioctl(2), and repeats it if a signal interrupts it.
  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
    unsafe cv4l_ioctl(descriptor, number, argument)
  }

  /// Calls poll(2).
  func wait(for events: CInt, milliseconds: CInt) -> CInt {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    if unsafe poll(&entry, 1, milliseconds) < 0 { return errno == EINTR ? 0 : -errno }
    return CInt(entry.revents)
  }

  /// Calls mmap(2), for reading or for reading and writing.
  func map(
    offset: Int, count: Int, writable: Bool, to buffer: inout UnsafeBufferPointer<UInt8>
  ) -> CInt {
    let rights = PROT_READ | (writable ? PROT_WRITE : 0)
    let start = unsafe mmap(nil, count, rights, MAP_SHARED, descriptor, offset)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { return -errno }
    unsafe buffer = UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: count)
    return 0
  }

  /// Calls munmap(2).
  func unmap(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
  }

  /// Calls flock(2), which fails at once if another program has the lock. The kernel releases the
  /// lock when this program ends.
  func lock() -> CInt { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : -errno }

  func unlock() { flock(descriptor, LOCK_UN) }
}
