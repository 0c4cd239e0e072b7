import CWbcalVideo4Linux
public import CameraControl
import ColorScience
import Glibc
public import WhiteBalance

/// A video device that accepts pictures, such as one of v4l2loopback, from which other programs
/// read them as from a camera.
///
/// A frame is accepted at once and as a whole, or not at all if the device has no room: no call
/// waits. Corresponds to a node with V4L2_CAP_VIDEO_OUTPUT, the interface of single planes.
@safe public final class OutputDevice {
  /// The path of the node.
  public let path: String
  /// The size of a frame for `write(_:)` in bytes, at least that of its layout; 0 without a format.
  public private(set) var frameSize = 0

  private let handle: any DeviceHandle
  private var buffers = unsafe [UnsafeBufferPointer<UInt8>]()
  /// The buffers that are empty.
  private var free: [UInt32] = []
  private var isStreaming = false

  /// One buffer is shown, one waits, and one is filled.
  private static let bufferCount: UInt32 = 3

  /// Opens a node and checks that it accepts pictures; the device is not changed yet.
  ///
  /// - Throws: `CameraError.notAnOutputDevice`, with the kind of the node, `notPermitted`.
  public convenience init(opening path: String) throws(CameraError) {
    switch SystemFiles.type(of: path) {
    case nil: throw .notAnOutputDevice(path, reason: "there is no such device")
    case .directory: throw .notAnOutputDevice(path, reason: "it is a directory")
    case .file: throw .notAnOutputDevice(path, reason: "it is a file")
    case .other: throw .notAnOutputDevice(path, reason: "it is not a device")
    case .device: try self.init(DeviceFile(opening: path), path: path)
    }
  }

  init(_ handle: any DeviceHandle, path: String) throws(CameraError) {
    self.handle = handle
    self.path = path
    var capability = v4l2_capability()
    let result = handle.perform(CV4L_QUERYCAP, on: &capability)
    if result == -ENOTTY || result == -EINVAL {
      throw .notAnOutputDevice(path, reason: "it is not a video device")
    }
    try CameraError.check(result, "VIDIOC_QUERYCAP", path)
    if let reason = DeviceAbilities(capability).outputProblem {
      throw .notAnOutputDevice(path, reason: reason)
    }
  }

  deinit {
    guard unsafe !buffers.isEmpty else { return }
    unsafe handle.release(V4L2_BUF_TYPE_VIDEO_OUTPUT, buffers)
  }

  /// Sets the format of the frames, once, and returns their layout, whose rows may be longer than
  /// those requested (VIDIOC_S_FMT). The rate is passed on to readers, if the device supports it.
  ///
  /// - Throws: `CameraError.formatNotAccepted` if the device accepts only another format, `busy` if
  ///   another program writes to it.
  public func start(
    _ layout: FrameLayout, rate: FrameRate? = nil
  ) throws(CameraError) -> FrameLayout {
    guard let fourCC = layout.format.fourCC else {
      throw .formatNotAccepted(path, requested: "planes of this layout", accepted: nil)
    }
    var format = unsafe v4l2_format()
    unsafe format.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    unsafe format.fmt.pix = v4l2_pix_format(layout, code(fourCC: fourCC))
    let requested = unsafe format.fmt.pix
    let result = unsafe handle.perform(CV4L_S_FMT, on: &format)
    if result == -EINVAL {
      throw .formatNotAccepted(path, requested: requested.words, accepted: nil)
    }
    try check(result, "VIDIOC_S_FMT")
    let agreed = unsafe format.fmt.pix
    let stride = agreed.bytesperline == 0 ? nil : Int(agreed.bytesperline)
    guard agreed.words == requested.words,
      let taken = try? FrameLayout(
        width: layout.width, height: layout.height, bytesPerRow: stride, format: layout.format,
        blackLevel: layout.blackLevel, whiteLevel: layout.whiteLevel, transfer: layout.transfer,
        encoding: layout.encoding)
    else { throw .formatNotAccepted(path, requested: requested.words, accepted: agreed.words) }
    if let rate { setRate(rate) }
    frameSize = max(taken.byteCount, Int(agreed.sizeimage))
    try makeBuffers()
    return taken
  }

  /// Writes a frame; returns `false` if the device currently has no room for it: VIDIOC_DQBUF and
  /// VIDIOC_QBUF, and VIDIOC_STREAMON after the first frame.
  ///
  /// - Precondition: there is a format, and the frame has `frameSize` bytes.
  /// - Throws: `CameraError.vanished` if the device is gone, `system`.
  public func write(_ frame: Span<UInt8>) throws(CameraError) -> Bool {
    precondition(frameSize > 0 && frame.count == frameSize, "a frame must have the agreed size")
    if free.isEmpty {
      var done = unsafe buffer(0)
      let result = unsafe handle.perform(CV4L_DQBUF, on: &done)
      if result == -EAGAIN { return false }
      try check(result, "VIDIOC_DQBUF")
      free.append(unsafe done.index)
    }
    let index = free.removeFirst()
    let place = unsafe buffers[Int(index)]
    guard place.count >= frame.count else {
      throw .system(
        call: "VIDIOC_QUERYBUF", number: Int(EINVAL), text: "the buffers of \(path) are too small")
    }
    unsafe frame.withUnsafeBufferPointer {
      unsafe UnsafeMutablePointer(mutating: place.baseAddress!).update(
        from: $0.baseAddress!, count: $0.count)
    }
    var filled = unsafe buffer(index)
    unsafe filled.bytesused = UInt32(frame.count)
    try check(unsafe handle.perform(CV4L_QBUF, on: &filled), "VIDIOC_QBUF")
    if !isStreaming {
      var type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
      try check(handle.perform(CV4L_STREAMON, on: &type), "VIDIOC_STREAMON")
      isStreaming = true
    }
    return true
  }

  private func makeBuffers() throws(CameraError) {
    var wanted = v4l2_requestbuffers(count: Self.bufferCount, V4L2_BUF_TYPE_VIDEO_OUTPUT)
    try check(handle.perform(CV4L_REQBUFS, on: &wanted), "VIDIOC_REQBUFS")
    for index in 0..<wanted.count {
      var buffer = unsafe buffer(index)
      try check(unsafe handle.perform(CV4L_QUERYBUF, on: &buffer), "VIDIOC_QUERYBUF")
      var mapped = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      let (offset, length) = unsafe (Int(buffer.m.offset), Int(buffer.length))
      try check(
        unsafe handle.map(offset: offset, count: length, writable: true, to: &mapped), "mmap")
      unsafe buffers.append(mapped)
      free.append(index)
    }
  }

  private func setRate(_ rate: FrameRate) {
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    unsafe parameters.parm.output.timeperframe = v4l2_fract(
      numerator: UInt32(clamping: rate.seconds), denominator: UInt32(clamping: rate.frames))
    _ = handle.perform(CV4L_S_PARM, on: &parameters)
  }

  private func buffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = unsafe v4l2_buffer(index: index, V4L2_BUF_TYPE_VIDEO_OUTPUT)
    unsafe buffer.field = V4L2_FIELD_NONE.rawValue
    return unsafe buffer
  }

  private func check(_ result: CInt, _ call: String) throws(CameraError) {
    try CameraError.check(result, call, path)
  }
}

extension v4l2_pix_format {
  /// Creates the format of frames, with the meaning of their codes as far as V4L2 has a name for
  /// it.
  fileprivate init(_ layout: FrameLayout, _ code: UInt32) {
    self.init()
    width = UInt32(layout.width)
    height = UInt32(layout.height)
    pixelformat = code
    field = V4L2_FIELD_NONE.rawValue
    bytesperline = UInt32(layout.bytesPerRow)
    sizeimage = UInt32(layout.byteCount)
    // Without this the driver ignores the meaning of the colors.
    priv = V4L2_PIX_FMT_PRIV_MAGIC
    colorspace = V4L2_COLORSPACE_SRGB.rawValue
    xfer_func =
      switch layout.transfer {
      case .linear: V4L2_XFER_FUNC_NONE.rawValue
      case .bt709: V4L2_XFER_FUNC_709.rawValue
      case .sRGB, .gamma, .curve: V4L2_XFER_FUNC_SRGB.rawValue
      }
    guard case .subsampled = layout.format.arrangement else { return }
    ycbcr_enc =
      switch layout.encoding.matrix {
      case .bt601: V4L2_YCBCR_ENC_601.rawValue
      case .bt709: V4L2_YCBCR_ENC_709.rawValue
      case .bt2020: V4L2_YCBCR_ENC_BT2020.rawValue
      }
    quantization =
      layout.encoding.range == .full
      ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue
  }

  fileprivate var words: String { "\(fourCC(pixelformat)) of \(width)×\(height) pixels" }
}
