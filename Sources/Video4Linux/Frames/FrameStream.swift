import CWbcalVideo4Linux
import CameraControl
import Glibc
import WhiteBalance

/// A running stream of frames in buffers that the driver fills and this process maps.
///
/// The stream stops, and releases the buffers, with its last reference.
@safe final class FrameStream {
  private let handle: any DeviceHandle
  private let camera: String
  private let type: v4l2_buf_type
  /// The number of planes of a buffer, each with its own memory.
  private let planeCount: Int
  private let sequenceBase: Int
  private var content: any FrameContent
  /// The planes of each buffer.
  private var buffers = unsafe [[UnsafeBufferPointer<UInt8>]]()
  /// The number of damaged frames that were skipped.
  private(set) var damagedFrames = 0

  private static let bufferCount: UInt32 = 4
  /// The time in milliseconds within which a task's cancellation is noticed.
  private static let slice = 250

  /// Negotiates a format and starts the stream: VIDIOC_REQBUFS, VIDIOC_QUERYBUF, VIDIOC_QBUF,
  /// VIDIOC_STREAMON.
  ///
  /// - Parameter sequenceBase: the number that is added to the sequence numbers, which some drivers
  ///   restart at zero.
  init(
    _ handle: any DeviceHandle, camera: String, request: FormatRequest, sensor: SensorTiming?,
    decoder: (any FrameDecoder)?, sequenceBase: Int
  ) throws(CameraError) {
    self.handle = handle
    self.camera = camera
    self.sequenceBase = sequenceBase
    let negotiation = try FrameNegotiation(handle: handle, camera: camera, sensor: sensor)
    type = negotiation.type
    let format = try negotiation.format(for: request, decodes: decoder != nil)
    planeCount = format.planes.count
    content = try negotiation.content(of: format, decoder: decoder)
    // All properties are set, so that deinit undoes the previous steps if one of these throws.
    var wanted = v4l2_requestbuffers(count: Self.bufferCount, type)
    try check(handle.perform(CV4L_REQBUFS, on: &wanted), "VIDIOC_REQBUFS")
    for index in 0..<wanted.count {
      var buffer = unsafe v4l2_buffer(index: index, type)
      try unsafe map(&buffer)
      try check(unsafe perform(CV4L_QBUF, on: &buffer).result, "VIDIOC_QBUF")
    }
    var type = type.rawValue
    let result = handle.perform(CV4L_STREAMON, on: &type)
    if let advice = Self.advice(-result) {
      throw .system(call: "VIDIOC_STREAMON", number: -Int(result), text: advice)
    }
    try check(result, "VIDIOC_STREAMON")
  }

  /// Returns the reason that a stream does not start, and what helps, if the error number shows it.
  private static func advice(_ number: CInt) -> String? {
    switch number {
    case ENOSPC:
      "the USB bus has too little bandwidth for these pictures; use smaller ones, or another port"
    case EPIPE:
      "the sizes or formats along the way from the sensor do not match; 'media-ctl -p' shows them, "
        + "and 'media-ctl -V' sets them"
    default: nil
    }
  }

  deinit { unsafe handle.release(type, Array(buffers.joined())) }

  /// Waits for a whole frame and passes it to `body` if it is wanted. The frame stays in the
  /// driver's buffer unless it must be decoded or joined from planes.
  ///
  /// A frame takes three system calls: poll, dequeue, enqueue.
  func next<Result>(
    within timeout: Duration, where isWanted: (FrameInfo) -> Bool,
    _ body: (FrameInfo, Span<UInt8>) -> Result
  ) throws(CameraError) -> (FrameInfo, Result?) {
    let deadline = ContinuousClock.now + timeout
    let damagedBefore = damagedFrames
    var reason: String?
    while true {
      if Task.isCancelled { throw .cancelled }
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else {
        throw .stalled(
          camera: camera, seconds: timeout / .seconds(1), damaged: damagedFrames - damagedBefore,
          reason: reason)
      }
      let events = handle.wait(
        for: POLLIN, milliseconds: CInt(min(left.rounded(.up), Double(Self.slice))))
      try check(min(events, 0), "poll")
      if events == 0 { continue }
      var buffer = unsafe v4l2_buffer(index: 0, type)
      let (result, planes) = unsafe perform(CV4L_DQBUF, on: &buffer)
      if result == -EAGAIN {
        if events & (POLLERR | POLLHUP) != 0 { throw .vanished(camera: camera) }
        continue
      }
      try check(result, "VIDIOC_DQBUF")
      // If this fails, the next wait reports the error.
      defer { _ = unsafe perform(CV4L_QBUF, on: &buffer) }
      do {
        return try unsafe read(bytes(of: buffer, planes), buffer, where: isWanted, body)
      } catch let error as CameraError { throw error } catch {
        damagedFrames += 1
        reason = (error as? FrameDamage)?.reason
      }
    }
  }

  private func read<Result>(
    _ planes: [UnsafeBufferPointer<UInt8>], _ buffer: v4l2_buffer,
    where isWanted: (FrameInfo) -> Bool, _ body: (FrameInfo, Span<UInt8>) -> Result
  ) throws -> (FrameInfo, Result?) {
    var info: FrameInfo?
    func described(_ layout: FrameLayout) -> FrameInfo {
      FrameInfo(
        sequence: Int(unsafe buffer.sequence) + sequenceBase,
        timestamp: unsafe Self.timestamp(of: buffer), layout: layout)
    }
    let result = try unsafe content.read(
      planes,
      where: { layout in
        let described = described(layout)
        info = described
        return isWanted(described)
      }, { body(info ?? described($0), $1) })
    guard let info else { throw FrameDamage(reason: "no frame") }
    return (info, result)
  }

  /// Returns the bytes of a frame in a buffer that the driver has filled.
  private func bytes(
    of buffer: v4l2_buffer, _ planes: [v4l2_plane]
  ) throws(FrameDamage) -> [UnsafeBufferPointer<UInt8>] {
    let index = Int(unsafe buffer.index)
    guard unsafe buffer.flags & V4L2_BUF_FLAG_ERROR.bits == 0 else {
      throw FrameDamage(reason: "the driver marked it as damaged")
    }
    guard unsafe buffers.indices.contains(index) else { throw FrameDamage(reason: "no buffer") }
    let mapped = unsafe buffers[index]
    let used: [Range<Int>] =
      hasPlanes
      ? planes.map { plane in
        // The number of used bytes includes those before the samples.
        let start = Int(plane.data_offset)
        return start..<max(start, Int(plane.bytesused))
      } : [0..<Int(unsafe buffer.bytesused)]
    var parts = unsafe [UnsafeBufferPointer<UInt8>]()
    for (plane, range) in used.enumerated() {
      guard unsafe range.upperBound <= mapped[plane].count else {
        throw FrameDamage(reason: "\(range.upperBound) bytes exceed its buffer")
      }
      unsafe parts.append(UnsafeBufferPointer(rebasing: mapped[plane][range]))
    }
    return unsafe parts
  }

  // MARK: - Buffers

  private var hasPlanes: Bool { type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE }

  /// Performs a request on a buffer, and also returns its planes if the interface has them.
  private func perform(
    _ number: UInt, on buffer: inout v4l2_buffer
  ) -> (result: CInt, planes: [v4l2_plane]) {
    guard hasPlanes else { return (unsafe handle.perform(number, on: &buffer), []) }
    var planes = [v4l2_plane](repeating: v4l2_plane(), count: planeCount)
    let result = unsafe planes.withUnsafeMutableBufferPointer {
      unsafe buffer.m.planes = $0.baseAddress
      unsafe buffer.length = UInt32($0.count)
      defer { unsafe buffer.m.planes = nil }
      return unsafe handle.perform(number, on: &buffer)
    }
    return (result, planes)
  }

  /// Maps a buffer's planes; deinit unmaps those that could be mapped.
  private func map(_ buffer: inout v4l2_buffer) throws(CameraError) {
    let (result, planes) = unsafe perform(CV4L_QUERYBUF, on: &buffer)
    try check(result, "VIDIOC_QUERYBUF")
    let places =
      hasPlanes
      ? planes.map { unsafe (offset: $0.m.mem_offset, length: $0.length) }
      : [unsafe (offset: buffer.m.offset, length: buffer.length)]
    unsafe buffers.append([])
    for place in places {
      var mapped = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      try check(
        unsafe handle.map(
          offset: Int(place.offset), count: Int(place.length), writable: false, to: &mapped),
        "mmap")
      unsafe buffers[buffers.count - 1].append(mapped)
    }
  }

  /// Returns the time at which the driver captured the frame, on the monotonic clock, or the
  /// current time if the driver does not report it.
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
