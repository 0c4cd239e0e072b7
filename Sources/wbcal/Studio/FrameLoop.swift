import CameraControl
import WhiteBalance

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
