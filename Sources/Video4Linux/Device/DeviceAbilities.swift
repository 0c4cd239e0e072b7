import CWbcalVideo4Linux

/// The capabilities of a node, and its kind if it is not a camera.
struct DeviceAbilities {
  private let flags: UInt32

  init(_ capability: v4l2_capability) {
    let all = capability.capabilities
    flags = all & V4L2_CAP_DEVICE_CAPS.bits == 0 ? all : capability.device_caps
  }

  private func has(_ abilities: Int32...) -> Bool { abilities.contains { flags & $0.bits != 0 } }

  /// V4L2's interface through which the node delivers pictures; `nil` if it delivers none.
  var bufferType: v4l2_buf_type? {
    if has(V4L2_CAP_VIDEO_CAPTURE) { return V4L2_BUF_TYPE_VIDEO_CAPTURE }
    return has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : nil
  }

  /// The reason that the node does not accept pictures; `nil` if it does.
  var outputProblem: String? {
    if has(V4L2_CAP_VIDEO_OUTPUT) {
      return has(V4L2_CAP_STREAMING) ? nil : "it accepts pictures only in an unsupported way"
    }
    if has(V4L2_CAP_VIDEO_OUTPUT_MPLANE) {
      return "it requires luma and chroma in separate buffers"
    }
    if has(V4L2_CAP_VIDEO_M2M, V4L2_CAP_VIDEO_M2M_MPLANE) {
      return "it encodes, decodes or converts the pictures of programs"
    }
    return bufferType != nil ? "it is a camera" : "it is not a video output"
  }

  /// The reason that the node is not a camera; `nil` if it may be one.
  var problem: String? {
    if has(V4L2_CAP_TOUCH) { return "it is a touch sensor" }
    if bufferType != nil { return has(V4L2_CAP_STREAMING) ? nil : "it does not support streaming" }
    if has(V4L2_CAP_VIDEO_M2M, V4L2_CAP_VIDEO_M2M_MPLANE) {
      return "it encodes, decodes or converts the pictures of programs"
    }
    if has(V4L2_CAP_META_CAPTURE) { return "it delivers metadata, but no pictures" }
    if has(V4L2_CAP_VIDEO_OUTPUT, V4L2_CAP_VIDEO_OUTPUT_MPLANE, V4L2_CAP_VIDEO_OUTPUT_OVERLAY) {
      return "it displays pictures, but delivers none"
    }
    if has(V4L2_CAP_VBI_CAPTURE, V4L2_CAP_SLICED_VBI_CAPTURE) {
      return "it delivers data such as teletext, but no pictures"
    }
    if has(V4L2_CAP_RADIO, V4L2_CAP_SDR_CAPTURE) { return "it is a radio" }
    return "it delivers no pictures"
  }
}

extension [DriverOffer] {
  /// The reason that none of a node's pictures can be measured, if all are video whose pictures
  /// build on each other; `nil` if the node offers another format.
  var onlyVideo: String? {
    let names = [
      "H264": "H.264", "AVC1": "H.264", "HEVC": "H.265", "VP80": "VP8", "VP90": "VP9",
      "MPG2": "MPEG-2", "MPG4": "MPEG-4",
    ]
    let found = compactMap { names[$0.fourCC] }
    guard !isEmpty, found.count == count else { return nil }
    return "it delivers only \(found.joined(separator: " and ")), which cannot be measured"
  }
}
