#if GenICam
import CWbcalAravis
import CameraControl
import ColorScience
import WhiteBalance

/// A running stream of frames in buffers that the library fills.
///
/// The stream stops with its last reference.
@safe final class BufferStream {
  private let device: AravisDevice
  private let format: NamedPixelFormat
  private let stream: UnsafeMutablePointer<ArvStream>
  private var sequences: FrameSequence
  /// The memory for unpacked samples.
  private var unpacked: [UInt8] = []
  /// The function from code values to linear light, which follows from the camera's gamma.
  var transfer: TransferFunction
  /// The number of damaged frames that were skipped.
  private(set) var damagedFrames = 0

  private static let bufferCount = 4
  /// The time in milliseconds within which a task's cancellation is noticed.
  private static let slice = 250.0

  /// Sets the requested pictures, agrees on the size of packets, and starts the stream.
  ///
  /// - Parameter sequenceBase: the sequence number of the first frame.
  init(
    _ device: AravisDevice, request: PictureRequest, transfer: TransferFunction, sequenceBase: Int
  ) throws(CameraError) {
    self.device = device
    self.transfer = transfer
    sequences = FrameSequence(first: sequenceBase)
    try device.requireControl()
    format = try PictureNegotiation(device: device).format(for: request)
    let camera = unsafe device.camera
    if unsafe arv_camera_is_gv_device(camera) != 0 {
      unsafe arv_camera_gv_set_packet_size_adjustment(camera, ARV_GV_PACKET_SIZE_ADJUSTMENT_ONCE)
    }
    let made = try unsafe device.perform("creating a stream") {
      unsafe arv_camera_create_stream(camera, nil, nil, $0)
    }
    guard let made = unsafe made else { throw .vanished(camera: device.name) }
    unsafe stream = unsafe made
    // All properties are set, so that deinit undoes the previous steps if one of these throws.
    let size = try unsafe device.perform("reading the size of frames") {
      unsafe arv_camera_get_payload(camera, $0)
    }
    for _ in 0..<Self.bufferCount {
      unsafe arv_stream_push_buffer(stream, arv_buffer_new_allocate(Int(size)))
    }
    try unsafe device.perform("setting continuous acquisition") {
      unsafe arv_camera_set_acquisition_mode(camera, ARV_ACQUISITION_MODE_CONTINUOUS, $0)
    }
    try unsafe device.perform("starting acquisition") {
      unsafe arv_camera_start_acquisition(camera, $0)
    }
  }

  deinit {
    if !device.isGone { unsafe arv_camera_stop_acquisition(device.camera, nil) }
    unsafe device.release(UnsafeMutableRawPointer(stream))
  }

  /// Waits for a whole frame and passes it to `body` if it is wanted. The frame stays in the
  /// library's buffer unless its samples must be unpacked.
  func next<Result>(
    within timeout: Duration, where isWanted: (FrameInfo) -> Bool,
    _ body: (FrameInfo, Span<UInt8>) -> Result
  ) throws(CameraError) -> (FrameInfo, Result?) {
    let deadline = ContinuousClock.now + timeout
    let damagedBefore = damagedFrames
    var damage: String?
    while true {
      if Task.isCancelled { throw .cancelled }
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else {
        throw stalled(for: timeout, damaged: damagedFrames - damagedBefore, damage)
      }
      let wait = UInt(1000 * min(left.rounded(.up), Self.slice))
      guard let buffer = unsafe arv_stream_timeout_pop_buffer(stream, wait) else {
        // The library's own watch over the camera has found that it is gone, or that this program
        // does not control it any more: then its settings may be those of another program.
        if !device.hasControl { throw device.lostControl }
        continue
      }
      defer { unsafe arv_stream_push_buffer(stream, buffer) }
      do throws(FrameDamage) { return try unsafe read(buffer, where: isWanted, body) } catch {
        damagedFrames += 1
        damage = error.reason
      }
    }
  }

  /// Returns the error for frames that do not come.
  private func stalled(for timeout: Duration, damaged: Int, _ damage: String?) -> CameraError {
    guard device.answers else { return .vanished(camera: device.name) }
    return .stalled(
      camera: device.name, seconds: timeout / .seconds(1), damaged: damaged,
      reason: damage.map { $0 + statistics })
  }

  /// The library's numbers of lost packets, if there are any, as the end of a clause.
  private var statistics: String {
    let missing = unsafe arv_stream_get_info_uint64_by_name(stream, "n_missing_packets")
    let resent = unsafe arv_stream_get_info_uint64_by_name(stream, "n_resent_packets")
    return missing == 0 ? "" : "; of all packets, \(missing) are missing and \(resent) came later"
  }

  private func read<Result>(
    _ buffer: OpaquePointer, where isWanted: (FrameInfo) -> Bool,
    _ body: (FrameInfo, Span<UInt8>) -> Result
  ) throws(FrameDamage) -> (FrameInfo, Result?) {
    if let reason = unsafe FrameDamage.reason(arv_buffer_get_status(buffer)) {
      throw FrameDamage(reason: reason)
    }
    var count = 0
    guard let start = unsafe arv_buffer_get_image_data(buffer, &count) else {
      throw FrameDamage(reason: "no picture")
    }
    var (across, down): (gint, gint) = (0, 0)
    unsafe arv_buffer_get_image_padding(buffer, &across, &down)
    let width = Int(unsafe arv_buffer_get_image_width(buffer))
    let height = Int(unsafe arv_buffer_get_image_height(buffer))
    guard let row = format.rowBytes(width: width), row > 0, height > 0,
      height * (row + Int(across)) - Int(across) <= count
    else { throw FrameDamage(reason: "\(count) bytes for \(width)×\(height) pixels") }
    let isPlain = if case .plain = format.storage { true } else { false }
    guard
      let layout = try? FrameLayout(
        width: width, height: height, bytesPerRow: isPlain ? row + Int(across) : nil,
        format: format.format, transfer: transfer, encoding: format.encoding)
    else { throw FrameDamage(reason: "\(width)×\(height) pixels") }
    let info = FrameInfo(
      sequence: sequences.number(of: UInt64(unsafe arv_buffer_get_frame_id(buffer))),
      timestamp: .nanoseconds(Int64(clamping: unsafe arv_buffer_get_timestamp(buffer))),
      layout: layout)
    guard isWanted(info) else { return (info, nil) }
    let bytes = unsafe UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: count)
    if isPlain { return (info, unsafe body(info, bytes.span)) }
    // The memory is kept from frame to frame.
    var frame = unpacked
    unpacked = []
    defer { unpacked = frame }
    if frame.count != layout.byteCount { frame = [UInt8](repeating: 0, count: layout.byteCount) }
    var samples = frame.mutableSpan
    format.storage.unpack(
      unsafe bytes.span, bytesPerRow: row + Int(across), samples: width, into: &samples)
    let result = body(info, frame.span)
    return (info, result)
  }
}
#endif
