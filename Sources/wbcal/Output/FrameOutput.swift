import CameraControl
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WbcalSystem
import WhiteBalance

#if os(Linux)
import Video4Linux
#endif

/// Where corrected frames go.
protocol FrameOutput {
  /// Prepares for frames that lie and mean what a camera's do: how they are to lie when they are
  /// sent, and the bytes of each.
  mutating func begin(
    _ frames: FrameLayout, rate: (frames: Int, seconds: Int)?
  ) throws -> (layout: FrameLayout, size: Int)

  /// Sends a frame: `false` where there is no room for it.
  func send(_ frame: Span<UInt8>) throws -> Bool
}

/// A stream of Y4M on standard output. It waits for whoever reads it.
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
    // Whoever read it has seen enough; so does Ctrl-C, which ends that program too.
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
      // What Motion JPEG becomes has no name of its own, or one that few programs know.
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
