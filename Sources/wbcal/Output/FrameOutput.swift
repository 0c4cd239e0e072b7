import CameraControl
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WbcalSystem
import WhiteBalance

#if os(Linux)
import Video4Linux
#endif

/// A destination for corrected frames.
protocol FrameOutput {
  /// Prepares for frames with a camera's layout, and returns the layout of the frames to send and
  /// the number of bytes of each.
  mutating func begin(
    _ frames: FrameLayout, rate: (frames: Int, seconds: Int)?
  ) throws -> (layout: FrameLayout, size: Int)

  /// Sends a frame; returns `false` if there is no room for it.
  func send(_ frame: Span<UInt8>) throws -> Bool
}

/// A stream of Y4M on standard output. It waits for the reader.
struct Y4MOutput: FrameOutput {
  mutating func begin(
    _ frames: FrameLayout, rate: (frames: Int, seconds: Int)?
  ) throws -> (layout: FrameLayout, size: Int) {
    let stream = try Y4M(of: frames, rate: rate ?? (30, 1))
    let header = Array(stream.header.utf8)
    try write(header.span)
    return (stream.layout, stream.layout.byteCount)
  }

  func send(_ frame: Span<UInt8>) throws -> Bool {
    let mark = Y4M.frameMark
    try write(mark.span)
    try write(frame)
    return true
  }

  private func write(_ bytes: Span<UInt8>) throws {
    switch writeAll(to: Surroundings.current.output, bytes, while: { !Task.isCancelled }) {
    case nil: return
    case ECANCELED: throw CameraError.cancelled
    // The reader has stopped reading. After Ctrl-C this is no error, since Ctrl-C ends that program
    // too.
    case EPIPE: throw Task.isCancelled ? CameraError.cancelled : ExitCode.outputClosed
    case let code?: throw Failure("write to", "standard output", errno: code)
    }
  }
}

#if os(Linux)
/// A video device from which programs read as from a camera.
struct DeviceOutput: FrameOutput {
  let device: OutputDevice

  init(opening path: String) throws { device = try OutputDevice(opening: path) }

  func begin(
    _ frames: FrameLayout, rate: (frames: Int, seconds: Int)?
  ) throws -> (layout: FrameLayout, size: Int) {
    let format: PixelFormat =
      switch frames.format.arrangement {
      // A decoded Motion JPEG frame has a format without a name, or one that few programs know.
      case .subsampled(.planar422), .subsampled(.planar440), .subsampled(.planar444):
        .subsampled(.yuyv)
      default: frames.format
      }
    let layout = try FrameLayout(
      width: frames.width, height: frames.height, format: format, blackLevel: frames.blackLevel,
      whiteLevel: frames.whiteLevel, transfer: frames.transfer, encoding: frames.encoding)
    let taken = try device.start(
      layout, rate: rate.map { FrameRate(frames: $0.frames, seconds: $0.seconds) })
    return (taken, device.frameSize)
  }

  func send(_ frame: Span<UInt8>) throws -> Bool { try device.write(frame) }
}
#endif
