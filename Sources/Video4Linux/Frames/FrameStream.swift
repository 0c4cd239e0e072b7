import CWbcalVideo4Linux
import CameraControl
import Glibc
import WhiteBalance

/// A running stream of frames in buffers that the driver fills and this process maps.
///
/// It stops, and gives the buffers back, with its last reference.
@safe final class FrameStream {
  let layout: FrameLayout
  private let handle: any DeviceHandle
  private let camera: String
  private var buffers = unsafe [UnsafeBufferPointer<UInt8>]()

  private static let bufferCount: UInt32 = 4
  /// The time in milliseconds within which a task's cancellation is noticed.
  private static let slice = 250

  /// Agrees on a format and starts: VIDIOC_REQBUFS, VIDIOC_QUERYBUF, VIDIOC_QBUF, VIDIOC_STREAMON.
  init(_ handle: any DeviceHandle, camera: String, request: FormatRequest) throws(CameraError) {
    self.handle = handle
    self.camera = camera
    layout = try FrameNegotiation(handle: handle, camera: camera).layout(for: request)
    // All properties are set, so that deinit undoes what has been done when one of these throws.
    var wanted = Self.request(for: Self.bufferCount)
    try check(handle.perform(CV4L_REQBUFS, on: &wanted), "VIDIOC_REQBUFS")
    for index in 0..<wanted.count {
      var buffer = unsafe Self.buffer(index)
      try check(unsafe handle.perform(CV4L_QUERYBUF, on: &buffer), "VIDIOC_QUERYBUF")
      var mapped = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      try check(
        unsafe handle.map(offset: Int(buffer.m.offset), count: Int(buffer.length), to: &mapped),
        "mmap")
      unsafe buffers.append(mapped)
      try check(unsafe handle.perform(CV4L_QBUF, on: &buffer), "VIDIOC_QBUF")
    }
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    let result = handle.perform(CV4L_STREAMON, on: &type)
    if result == -ENOSPC {
      throw .system(
        call: "VIDIOC_STREAMON", number: Int(ENOSPC),
        text:
          "the USB bus has no room for these pictures; ask for smaller ones, or use another port")
    }
    try check(result, "VIDIOC_STREAMON")
  }

  deinit {
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    _ = handle.perform(CV4L_STREAMOFF, on: &type)
    for index in unsafe buffers.indices { unsafe handle.unmap(buffers[index]) }
    var none = Self.request(for: 0)
    _ = handle.perform(CV4L_REQBUFS, on: &none)
  }

  /// Waits for a whole frame and hands it to `body`, where the driver has put it.
  ///
  /// A frame takes three system calls: poll, dequeue, enqueue.
  func next<Result>(
    within timeout: Duration, _ body: (FrameInfo, Span<UInt8>) -> Result
  ) throws(CameraError) -> Result {
    let deadline = ContinuousClock.now + timeout
    while true {
      if Task.isCancelled { throw .cancelled }
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else { throw .stalled(camera: camera, seconds: timeout / .seconds(1)) }
      let events = handle.wait(
        for: POLLIN, milliseconds: CInt(min(left.rounded(.up), Double(Self.slice))))
      try check(min(events, 0), "poll")
      if events == 0 { continue }
      var buffer = unsafe Self.buffer(0)
      let result = unsafe handle.perform(CV4L_DQBUF, on: &buffer)
      if result == -EAGAIN {
        if events & (POLLERR | POLLHUP) != 0 { throw .vanished(camera: camera) }
        continue
      }
      try check(result, "VIDIOC_DQBUF")
      // If this fails the next wait tells.
      defer { _ = unsafe handle.perform(CV4L_QBUF, on: &buffer) }
      let index = Int(unsafe buffer.index)
      let used = Int(unsafe buffer.bytesused)
      guard unsafe buffer.flags & V4L2_BUF_FLAG_ERROR.bits == 0, used >= layout.byteCount,
        unsafe buffers.indices.contains(index) && used <= buffers[index].count
      else { continue }
      let info = FrameInfo(
        sequence: Int(unsafe buffer.sequence), timestamp: unsafe Self.timestamp(of: buffer),
        layout: layout)
      return unsafe body(info, UnsafeBufferPointer(rebasing: buffers[index][..<used]).span)
    }
  }

  private static func request(for count: UInt32) -> v4l2_requestbuffers {
    var request = v4l2_requestbuffers()
    request.count = count
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    return request
  }

  private static func buffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = unsafe v4l2_buffer()
    unsafe buffer.index = index
    unsafe buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return unsafe buffer
  }

  /// When the driver took the frame, or the present where it does not say; on the monotonic clock.
  private static func timestamp(of buffer: v4l2_buffer) -> Duration {
    let kind = unsafe buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK.bits
    if kind == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC.bits {
      let time = unsafe buffer.timestamp
      return .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func check(_ result: CInt, _ call: String) throws(CameraError) {
    try CameraError.check(result, call, camera)
  }
}
