import CameraControl
import CameraProfiles
import Foundation
import SimulatedCamera
import Synchronization
import WhiteBalance

/// A frame that was copied.
struct CameraFrame: Sendable {
  var info: FrameInfo
  var bytes: [UInt8]
}

extension SabotagedPort {
  private static let interval = Duration.milliseconds(10)

  var damagedFrames: Int {
    get async {
      if sabotage == .countsDown { frames.damaged -= 1 }
      return frames.damaged
    }
  }

  func frameRate() async throws(CameraError) -> FrameRate? {
    sabotage == .hasNoRate ? FrameRate(frames: 0) : FrameRate(frames: 100)
  }

  func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    let frame = try await nextFrame()
    if sabotage == .runsTwice { _ = body(frame.info, frame.bytes.span) }
    if sabotage == .overwritesFrame { return Overwritten.run(frame, body) }
    return body(frame.info, frame.bytes.span)
  }

  func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    try await withNextFrame { info, bytes in
      isWanted(info) || sabotage == .ignoresWish ? body(info, bytes) : nil
    }
  }

  /// Waits for a frame, with the errors of a port.
  private func nextFrame() async throws(CameraError) -> CameraFrame {
    do {
      if sabotage == .hangsIfCancelled, Task.isCancelled {
        await Task { try? await Task.sleep(for: .seconds(5)) }.value
      }
      if await bench.isStalled { try await stall() }
      if sabotage == .stallsAtOnce { try await stall() }
      guard sabotage == .sharesFrames else { return try await timedFrame() }
      if let shared = frames.shared { return try await shared.value }
      let task = Task { try await self.timedFrame() }
      frames.shared = task
      defer { frames.shared = nil }
      return try await task.value
    } catch {
      let failure = error as? CameraError ?? .cancelled
      if sabotage == .vanishesAsStall, case .vanished = failure, !frames.hasFailed {
        frames.hasFailed = true
        throw .stalled(camera: identity.name, seconds: 1)
      }
      throw failure
    }
  }

  /// Waits for frames that do not come.
  private func stall() async throws {
    if sabotage == .ignoresCancellation {
      await Task { try? await Task.sleep(for: .seconds(3)) }.value
    } else {
      try await Task.sleep(for: .milliseconds(300))
    }
    throw sabotage == .stallsAsFailure
      ? CameraError.system(call: "poll", number: 5, text: "Input/output error")
      : .stalled(camera: identity.name, seconds: 0.3)
  }

  /// Waits for a frame in real time; frames that nobody waited for are dropped.
  private func timedFrame() async throws -> CameraFrame {
    let now = ContinuousClock.now
    let elapsed = frames.last.map { (now - $0.at) / Self.interval } ?? 0
    frames.last = (frames.last?.number ?? 0, now)
    if elapsed < 1 {
      try await Task.sleep(for: Self.interval)
    } else if sabotage != .keepsFrames {
      for _ in 1..<max(Int(min(elapsed, 100)), 2) { _ = try await camera.withNextFrame { _, _ in } }
    }
    let frame = try await camera.withNextFrame { info, bytes in
      CameraFrame(info: info, bytes: bytes.indices.map { bytes[$0] })
    }
    frames.last = (frame.info.sequence, .now)
    frames.delivered += 1
    return try tampered(frame)
  }

  private func tampered(_ frame: CameraFrame) throws -> CameraFrame {
    var frame = frame
    frame.info.sequence -= frames.base
    guard frames.delivered == 5 else { return frame }
    let layout = frame.info.layout
    switch sabotage {
    case .repeatsNumber: frame.info.sequence = 0
    case .repeatsTime: frame.info.timestamp = .zero
    case .cutsFrame: frame.bytes.removeLast()
    case .changesSize:
      frame.info.layout = try FrameLayout(
        width: layout.width / 2, height: layout.height, bytesPerRow: layout.bytesPerRow,
        format: layout.format)
    default: break
    }
    return frame
  }
}

/// A frame that another task overwrites while a body reads it.
private enum Overwritten {
  static func run<Result: Sendable>(
    _ frame: CameraFrame, _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) -> Result {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: frame.bytes.count)
    _ = unsafe memory.initialize(from: frame.bytes)
    defer { unsafe memory.deallocate() }
    let address = UInt(bitPattern: memory.baseAddress)
    let isDone = Flag()
    let hasEnded = Flag()
    let thread = Thread {
      while !isDone.isSet {
        unsafe UnsafeMutablePointer<UInt8>(bitPattern: address)?.pointee &+= 1
        usleep(1000)
      }
      hasEnded.set()
    }
    thread.start()
    defer {
      isDone.set()
      while !hasEnded.isSet { usleep(100) }
    }
    return body(frame.info, unsafe UnsafeBufferPointer(memory).span)
  }
}

private final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock(\.self) }
  func set() { value.withLock { $0 = true } }
}
