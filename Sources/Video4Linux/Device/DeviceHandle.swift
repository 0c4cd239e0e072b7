import CWbcalVideo4Linux

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
}

extension DeviceHandle {
  func lock() -> CInt { 0 }
  func unlock() {}

  /// Performs an ioctl on a structure, and returns zero or more, or the negative number of an
  /// error.
  func perform<Argument>(_ number: UInt, on argument: inout Argument) -> CInt {
    unsafe withUnsafeMutablePointer(to: &argument) { unsafe request(number, $0) }
  }

  /// Stops a stream, unmaps its buffers and releases them.
  func release(_ type: v4l2_buf_type, _ buffers: [UnsafeBufferPointer<UInt8>]) {
    var number = type.rawValue
    _ = perform(CV4L_STREAMOFF, on: &number)
    for index in unsafe buffers.indices { unsafe unmap(buffers[index]) }
    var none = v4l2_requestbuffers(count: 0, type)
    _ = perform(CV4L_REQBUFS, on: &none)
  }
}

extension v4l2_requestbuffers {
  /// Creates a request for buffers that this process maps.
  init(count: UInt32, _ type: v4l2_buf_type) {
    self.init()
    self.count = count
    self.type = type.rawValue
    memory = V4L2_MEMORY_MMAP.rawValue
  }
}

extension v4l2_buffer {
  /// Creates a buffer that this process maps.
  init(index: UInt32, _ type: v4l2_buf_type) {
    unsafe self.init()
    unsafe self.index = index
    unsafe self.type = type.rawValue
    unsafe memory = V4L2_MEMORY_MMAP.rawValue
  }
}
