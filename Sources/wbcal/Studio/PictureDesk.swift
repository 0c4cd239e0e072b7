import CameraControl
import ColorScience
import Synchronization
import WbcalImageFiles
import WhiteBalance

/// A copy of a frame that was asked for.
final class StudioFrame: Sendable {
  let info: FrameInfo
  /// The layout, with the known transfer function and levels of the camera.
  let layout: FrameLayout
  let bytes: [UInt8]

  init(_ info: FrameInfo, _ layout: FrameLayout, _ bytes: Span<UInt8>) {
    self.info = info
    self.layout = layout
    self.bytes = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Returns the result of `body` for the frame; `nil` if it fails.
  func read<Result>(
    _ body: (Span<UInt8>, FrameLayout) throws(FrameError) -> Result
  ) -> Result? {
    let bytes = bytes
    do throws(FrameError) { return try body(bytes.span, layout) } catch { return nil }
  }

  /// Returns the frame as a JPEG file; `nil` if the library fails.
  func jpeg(width: Int) -> [UInt8]? {
    // The picture is shown with the curve that the camera claims, not with its measured one.
    let layout = info.layout
    let scaled = read { bytes, _ throws(FrameError) in
      try ScaledPicture(bytes, layout: layout, width: width)
    }
    guard let picture = scaled,
      let layout = try? FrameLayout(
        width: picture.width, height: picture.height, format: .rgb8, transfer: .sRGB),
      let frame = try? Frame(layout: layout, bytes: picture.bytes)
    else { return nil }
    return PreviewWriter.jpeg(frame, quality: 88)
  }
}

/// A queue of requests for the next frame. All requests of one width get the same file, and a frame
/// without a request is not even copied. Of a camera with 30 frames a second, every second frame is
/// delivered.
final class PictureDesk: Sendable {
  private struct Waiting {
    var number: Int
    var width: Int
    var continuation: CheckedContinuation<[UInt8]?, Never>
  }
  private struct State {
    var waiting: [Waiting] = []
    var due = ContinuousClock.now
    var last = 0
    var isClosed = false
  }
  private let state = Mutex(State())
  /// A little less than a fifteenth of a second, because the intervals of cameras vary.
  private static let interval = Duration.milliseconds(60)

  var isWanted: Bool { state.withLock { !$0.waiting.isEmpty && $0.due <= .now } }

  /// Returns the next frame as a JPEG file of at most `width` pixels a row; `nil` when the task is
  /// cancelled or the studio ends.
  func next(width: Int) async -> [UInt8]? {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || state.isClosed { return true }
          state.waiting.append(Waiting(number: number, width: width, continuation: continuation))
          return false
        }
        if isOver { continuation.resume(returning: nil) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      waiting?.continuation.resume(returning: nil)
    }
  }

  /// Delivers a frame to all waiting requests.
  func deliver(_ frame: StudioFrame) {
    let waiting = state.withLock { state in
      defer { (state.waiting, state.due) = ([], .now + Self.interval) }
      return state.waiting
    }
    for (width, readers) in Dictionary(grouping: waiting, by: \.width) {
      Task.detached {
        let jpeg = frame.jpeg(width: width)
        for reader in readers { reader.continuation.resume(returning: jpeg ?? []) }
      }
    }
  }

  func close() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isClosed = true
      return state.waiting
    }
    for reader in waiting { reader.continuation.resume(returning: nil) }
  }
}

/// Takes a camera's frames as they arrive, and delivers the newest to those that wait for one.
struct FrameLoop: Sendable {
  let camera: Camera
  let pictures: PictureDesk
  let readings: ReadingDesk
  /// The least time between two frames, for a camera that makes them as fast as it can.
  let interval: Duration?

  /// Runs until its task is cancelled.
  ///
  /// - Throws: `CameraError`, also `cancelled`.
  func run() async throws(CameraError) {
    let watcher = await FrameWatcher(camera)
    let (pictures, readings) = (pictures, readings)
    while true {
      if Task.isCancelled { throw .cancelled }
      let start = ContinuousClock.now
      let frame = try await watcher.next(
        where: { info in
          readings.count(info)
          return pictures.isWanted || readings.isDue
        }
      ) { info, layout, bytes in StudioFrame(info, layout, bytes) }
      if let frame {
        if pictures.isWanted { pictures.deliver(frame) }
        if readings.isDue { readings.read(frame) }
      }
      if let interval { try? await Task.sleep(until: start + interval, clock: .continuous) }
    }
  }
}
