import CameraControl
import CameraProfiles
import Synchronization
import WbcalFoundation
import WhiteBalance

/// Makes the readings that pages show: at most ten a second, and none if no page reads them.
final class ReadingDesk: Sendable {
  /// The camera and the options for readings.
  struct Setup: Sendable {
    var session: CameraSession
    /// The number of times that the camera has been opened.
    var opening: Int
    /// The profile for determining the light; it may be another camera's.
    var profile: CameraProfile?
    var region: PixelRectangle?
    var set: StudioReading.Setting?
  }

  private struct State {
    var setup: Setup?
    /// Counts the setups of other cameras or profiles, for which the analyst starts again.
    var generation = 0
    var isBusy = false
    var next = ContinuousClock.now
    var hasReaders = false
    /// The frames of the last seconds, with the times of their arrival.
    var frames: [(time: ContinuousClock.Instant, sequence: Int)] = []
  }
  private let state = Mutex(State())
  private let analyst = StudioAnalyst()
  private let send: @Sendable (StudioEvent) -> Void

  private static let interval = Duration.milliseconds(100)

  init(send: @escaping @Sendable (StudioEvent) -> Void) { self.send = send }

  /// Sets the camera and the options for readings from now on; `nil` while there is no camera.
  ///
  /// - Parameter isNew: `true` if it is another camera, or what is known of it has changed. Then
  ///   the next frame is read.
  func set(_ setup: Setup?, isNew: Bool) {
    state.withLock { state in
      state.setup = setup
      if isNew { (state.generation, state.next) = (state.generation + 1, .now) }
    }
  }

  func set(hasReaders: Bool) { state.withLock { $0.hasReaders = hasReaders } }

  /// `true` if the next frame is to be read.
  var isDue: Bool {
    state.withLock {
      $0.setup != nil && $0.hasReaders && !$0.isBusy && ContinuousClock.now >= $0.next
    }
  }

  /// Counts a frame that has arrived, read or not.
  func count(_ info: FrameInfo) {
    let now = ContinuousClock.now
    state.withLock { state in
      if let last = state.frames.last, info.sequence < last.sequence { state.frames = [] }
      state.frames.append((now, info.sequence))
      state.frames.removeFirst(state.frames.prefix { now - $0.time > .seconds(2) }.count)
    }
  }

  /// Reads a frame in the background, and sends the reading to the pages.
  func read(_ frame: StudioFrame) {
    let found = state.withLock { state -> (Setup, Int, Double?)? in
      guard let setup = state.setup else { return nil }
      state.isBusy = true
      let now = ContinuousClock.now
      state.next = max(state.next + Self.interval, now)
      return (setup, state.generation, Self.rate(state.frames))
    }
    guard let (setup, generation, rate) = found else { return }
    Task.detached {
      if let reading = await self.analyst.reading(
        of: frame, setup, generation: generation, rate: rate),
        let data = try? jsonLine(reading)
      {
        self.send(StudioEvent(name: "reading", data: data, isState: true))
      }
      self.state.withLock { $0.isBusy = false }
    }
  }

  private static func rate(
    _ frames: [(time: ContinuousClock.Instant, sequence: Int)]
  ) -> Double? {
    guard let first = frames.first, let last = frames.last, last.time - first.time > .seconds(0.3)
    else { return nil }
    return Double(last.sequence - first.sequence) / ((last.time - first.time) / .seconds(1))
  }
}
