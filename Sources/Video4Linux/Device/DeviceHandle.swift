/// The calls that this module makes on an open video device; tests have their own implementation.
protocol DeviceHandle: AnyObject, Sendable {
  /// Performs an ioctl, and returns zero or more, or the negative number of an error.
  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt
  /// Waits for poll events, and returns those that came, 0 after the time, or the negative number
  /// of an error.
  func wait(for events: CInt, milliseconds: CInt) -> CInt
  /// Maps a buffer of the device into this process's memory, and returns 0, or the negative number
  /// of an error.
  func map(
    offset: Int, count: Int, writable: Bool, to buffer: inout UnsafeBufferPointer<UInt8>
  ) -> CInt
  /// Unmaps a buffer.
  func unmap(_ buffer: UnsafeBufferPointer<UInt8>)
  /// Locks the device against other programs that use the lock, and returns 0, or the negative
  /// number of an error.
  func lock() -> CInt
  /// Releases the lock.
  func unlock()
  /// Writes bytes, and returns the number that were accepted, or the negative number of an error.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int
}

extension DeviceHandle {
  func lock() -> CInt { 0 }
  func unlock() {}

  /// Performs an ioctl on a structure, and returns zero or more, or the negative number of an
  /// error.
  func perform<Argument>(_ number: UInt, on argument: inout Argument) -> CInt {
    unsafe withUnsafeMutablePointer(to: &argument) { unsafe request(number, $0) }
  }
}
