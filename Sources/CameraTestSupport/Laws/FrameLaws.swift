import CameraControl
import CameraProfiles
import Synchronization
import WhiteBalance

// Laws of frames.

extension CameraLaw {
  static let frames: [CameraLaw] = [
    CameraLaw("frames come", "frames come, each within the limit of time") {
      switch await $0.seenFrames() {
      case .success(let frames): .kept("\(frames.count) frames")
      case .failure(let failure): .broken("\(failure)")
      }
    },
    CameraLaw("sequence", "the sequence number of a frame is larger than the one before") {
      try await $0.everyPair {
        $1.info.sequence > $0.info.sequence
      } _: {
        "sequence number \($0.info.sequence), then \($1.info.sequence)"
      }
    },
    CameraLaw("timestamps", "the timestamp of a frame is later than the one before") {
      try await $0.everyPair {
        $1.info.timestamp > $0.info.timestamp
      } _: {
        "frame \($0.info.sequence) at \($0.info.timestamp), frame \($1.info.sequence) at "
          + "\($1.info.timestamp)"
      }
    },
    CameraLaw("one layout", "all frames of a stream have the same size and format") {
      try await $0.everyPair {
        $0.shape == $1.shape
      } _: {
        "frame \($0.info.sequence) has \($0.shape), frame \($1.info.sequence) has \($1.shape)"
      }
    },
    CameraLaw("whole frames", "a frame has at least as many bytes as its layout needs") {
      for frame in try await $0.requiredFrames()
      where frame.bytes < frame.info.layout.byteCount {
        return .broken(
          "frame \(frame.info.sequence) has \(frame.bytes) bytes, and its layout needs "
            + "\(frame.info.layout.byteCount)")
      }
      return .kept("\(try await $0.requiredFrames().count) frames")
    },
    CameraLaw("one body", "a call for a frame runs its body once") {
      try await $0.bodyRunsOnce()
    },
    CameraLaw("lent bytes", "the bytes of a frame stay the same while its body runs") {
      try await $0.lentBytesStay()
    },
    CameraLaw(
      "unwanted frame", "a frame that is not wanted returns `nil` without running the body"
    ) { try await $0.unwantedFramesReturnNil() },
    CameraLaw("two waiters", "two tasks that wait at once get a frame each, not the same one") {
      try await $0.twoWaitersGetTwoFrames()
    },
    CameraLaw(
      "cancelled wait", "a cancelled task's call for a frame ends soon, with a frame or `cancelled`"
    ) { try await $0.cancelledWaitsEnd() },
    CameraLaw(
      "stream restarts", "after the stream was stopped, frames come again with larger numbers"
    ) { try await $0.streamRestarts() },
    CameraLaw(
      "idle frames", "while nobody waits, frames are dropped, except for a few in buffers"
    ) { try await $0.idleFramesAreDropped() },
    CameraLaw("frame rate", "the frame rate is positive, and frames come no faster than twice it") {
      try await $0.rateHolds()
    },
    CameraLaw("damaged frames", "the number of damaged frames is not negative and never falls") {
      try await $0.damagedFramesNeverFall()
    },
  ]
}

/// A frame that a law looks at.
struct SeenFrame: Sendable {
  let info: FrameInfo
  let bytes: Int

  /// The size and format of its layout, as text.
  var shape: String {
    let layout = info.layout
    return "\(layout.width)×\(layout.height) \(layout.format) in rows of \(layout.bytesPerRow)"
      + layout.chroma.map { ", chroma at \($0.offset) in rows of \($0.bytesPerRow)" }.joined()
  }
}

/// The frames that several laws look at.
typealias FrameEvidence = Result<[SeenFrame], CallFailure>

extension CameraSession {
  /// The first frames of a stream, requested once for all laws.
  func seenFrames() async -> FrameEvidence {
    if let frames { return frames }
    var seen: [SeenFrame] = []
    var evidence = FrameEvidence.success([])
    while seen.count < camera.limits.frames {
      switch await frame({ SeenFrame(info: $0, bytes: $1.count) }) {
      case .success(let frame): seen.append(frame)
      case .failure(let failure):
        evidence = .failure(failure)
        frames = evidence
        return evidence
      }
    }
    evidence = .success(seen)
    frames = evidence
    return evidence
  }

  fileprivate func requiredFrames() async throws -> [SeenFrame] {
    guard case .success(let frames) = await seenFrames() else {
      throw Unchecked("the law “frames come” is broken")
    }
    return frames
  }

  fileprivate func everyPair(
    _ isRight: (SeenFrame, SeenFrame) -> Bool, _ evidence: (SeenFrame, SeenFrame) -> String
  ) async throws -> CameraLaw.Outcome {
    let frames = try await requiredFrames()
    for (one, next) in zip(frames, frames.dropFirst()) where !isRight(one, next) {
      return .broken(evidence(one, next))
    }
    return .kept("\(frames.count) frames")
  }

  fileprivate func bodyRunsOnce() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    let runs = Counter()
    try await frame { _, _ in runs.add() }.get()
    return runs.count == 1 ? .kept("one call") : .broken("the body ran \(runs.count) times")
  }

  fileprivate func lentBytesStay() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    let holding = camera.limits.holding
    let changed = try await frame { info, bytes -> String? in
      let first = Self.checksum(bytes)
      let end = ContinuousClock.now + holding
      while ContinuousClock.now < end {}
      return Self.checksum(bytes) == first ? nil : "frame \(info.sequence)"
    }.get()
    return changed.map { .broken("\($0) changed within \(holding)") } ?? .kept("for \(holding)")
  }

  /// A sum of all bytes that depends on their order.
  private static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in bytes.indices { sum = (sum ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return sum
  }

  fileprivate func unwantedFramesReturnNil() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    let runs = Counter()
    let limit = camera.limits.frame
    let unwanted = try await call("withNextFrame(where: false)", within: limit) {
      port async throws in
      try await port.withNextFrame(where: { _ in false }) { info, _ in
        runs.add()
        return info
      }
    }.get()
    if runs.count > 0 { return .broken("the body ran for a frame that is not wanted") }
    if let unwanted { return .broken("it returned frame \(unwanted.sequence)") }
    let wanted = try await call("withNextFrame(where: true)", within: limit) {
      port async throws in
      try await port.withNextFrame(where: { _ in true }) { info, _ in info }
    }.get()
    return wanted == nil ? .broken("a wanted frame returned nil") : .kept("one of each")
  }

  fileprivate func twoWaitersGetTwoFrames() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    let port = port
    let count = max(camera.limits.frames / 2, 1)
    let waiters = (0..<2).map { _ in
      RunningCall("withNextFrame, by two tasks") {
        var numbers: [Int] = []
        for _ in 0..<count {
          numbers.append(try await port.withNextFrame { info, _ in info.sequence })
        }
        return numbers
      }
    }
    var all: [[Int]] = []
    for waiter in waiters {
      all.append(try await finish(waiter, within: camera.limits.frame * count).get())
    }
    let shared = Set(all[0]).intersection(all[1])
    return shared.isEmpty
      ? .kept("frames \(all[0]) and \(all[1])")
      : .broken("both got frames \(shared.sorted())")
  }

  fileprivate func cancelledWaitsEnd() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    let port = port
    let started = Counter()
    let waiter = RunningCall("withNextFrame, cancelled") {
      // The last call is one that begins after the cancellation; one that waits may end earlier.
      var isLast = false
      while !isLast {
        isLast = Task.isCancelled
        started.add()
        do throws(CameraError) { try await port.withNextFrame { _, _ in } } catch {
          if isLast || error != .cancelled { throw error }
        }
      }
    }
    while started.count == 0 { await Task.yield() }
    waiter.cancel()
    switch await finish(waiter, within: camera.limits.cancellation) {
    case .success: return .kept("it returned")
    case .failure(let failure):
      return failure.error == .cancelled ? .kept("it threw `cancelled`") : .broken("\(failure)")
    }
  }

  fileprivate func streamRestarts() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    let last = try await frame { info, _ in info.sequence }.get()
    for _ in 0..<2 { try await call("stopStreaming") { await $0.stopStreaming() }.get() }
    let next = try await frame { info, _ in info.sequence }.get()
    return next > last
      ? .kept("frame \(next) after frame \(last)")
      : .broken("frame \(last), and frame \(next) after the stream was stopped")
  }

  private func rate() async throws -> FrameRate? {
    try await call("frameRate") { port async throws in try await port.frameRate() }
      .get()
  }

  fileprivate func idleFramesAreDropped() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    guard let rate = try await rate(), rate.frames > 0, rate.seconds > 0 else {
      return .notApplicable("the camera reports no frame rate")
    }
    // More frames than any camera has buffers for.
    let (buffered, idle) = (16, 48)
    let pause = Duration.seconds(Double(idle * rate.seconds) / Double(rate.frames))
    guard pause < .seconds(5) else {
      return .notApplicable("at \(rate.frames) frames in \(rate.seconds) s it takes \(pause)")
    }
    let before = try await frame { info, _ in info.sequence }.get()
    try? await Task.sleep(for: pause)
    var last = before
    for _ in 0..<buffered { last = try await frame { info, _ in info.sequence }.get() }
    return last - before > buffered + 2
      ? .kept("\(buffered) frames after a pause of \(pause) reach number \(last), from \(before)")
      : .broken(
        "\(buffered) frames after a pause of \(pause) reach only number \(last), from \(before)")
  }

  fileprivate func rateHolds() async throws -> CameraLaw.Outcome {
    let frames = try await requiredFrames()
    guard let rate = try await rate() else {
      return .notApplicable("the camera reports no frame rate")
    }
    guard rate.frames > 0, rate.seconds > 0 else {
      return .broken("\(rate.frames) frames in \(rate.seconds) s")
    }
    let (first, last) = (frames[0].info, frames[frames.count - 1].info)
    let seconds = (last.timestamp - first.timestamp) / .seconds(1)
    let seen = Double(last.sequence - first.sequence) / seconds
    let stated = Double(rate.frames) / Double(rate.seconds)
    let text = "\(stated) frames a second are reported, and \(seen) come by their timestamps"
    return seen <= 2 * stated ? .kept(text) : .broken(text)
  }

  fileprivate func damagedFramesNeverFall() async throws -> CameraLaw.Outcome {
    _ = try await requiredFrames()
    var counts: [Int] = []
    for _ in 0..<3 {
      counts.append(try await call("damagedFrames") { await $0.damagedFrames }.get())
      _ = try await frame { _, _ in }.get()
    }
    return counts[0] >= 0 && counts == counts.sorted() ? .kept("\(counts)") : .broken("\(counts)")
  }
}

/// A number that several tasks increase.
final class Counter: Sendable {
  private let number = Mutex(0)
  func add() { number.withLock { $0 += 1 } }
  var count: Int { number.withLock(\.self) }
}
