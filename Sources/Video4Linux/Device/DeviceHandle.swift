/// The calls that this module makes on an open video device; tests have a driver of their own.
protocol DeviceHandle: AnyObject, Sendable {
  /// Performs an ioctl: zero or more, or the negative number of an error.
  func request(_ number: UInt, _ argument: UnsafeMutableRawPointer) -> CInt
  /// Waits for poll events: those that came, 0 after the time, or the negative number of an error.
  func wait(for events: CInt, milliseconds: CInt) -> CInt
  /// Maps a buffer of the device into this process's memory: 0, or the negative number of an error.
  func map(
    offset: Int, count: Int, writable: Bool, to buffer: inout UnsafeBufferPointer<UInt8>
  ) -> CInt
  /// Gives a buffer's memory back.
  func unmap(_ buffer: UnsafeBufferPointer<UInt8>)
  /// Locks the device against those who ask for the lock: 0, or the negative number of an error.
  func lock() -> CInt
  /// Gives the lock back.
  func unlock()
  /// Writes bytes: those that were taken, or the negative number of an error.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int
}

extension DeviceHandle {
  func lock() -> CInt { 0 }
  func unlock() {}

  /// Performs an ioctl on a structure: zero or more, or the negative number of an error.
  func perform<Argument>(_ number: UInt, on argument: inout Argument) -> CInt {
    unsafe withUnsafeMutablePointer(to: &argument) { unsafe request(number, $0) }
  }
}
