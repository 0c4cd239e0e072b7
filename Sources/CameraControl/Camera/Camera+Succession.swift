internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Whether settings of the white balance are there at once, after frames whose number is known,
  /// and few are to be looked at: then several may be sent in quick succession, while it is tried
  /// whether the quick way leads anywhere.
  var isPrompt: Bool {
    turnsOffOnce && latency != nil && pace == 1 && !flickers && !comesFromBelow
  }

  /// What frames show of settings of which each is sent before the one before it is seen, so that
  /// it takes no latency of its own.
  ///
  /// When they are seen is told by the first one: nothing changes before it is due, and all is
  /// another picture then. The order of the pictures tells the rest, however late each is; so two
  /// settings in a row that look alike tell nothing.
  ///
  /// - Parameters:
  ///   - known: the number of frames after which a setting shows; where it is `nil`, the first
  ///     change tells.
  ///   - count: the number of frames to look at each setting, at least 2, beside one in which it
  ///     may still be late.
  ///   - isSame: whether two frames may show the same setting.
  ///   - next: reads the next frame.
  /// - Returns: the latency, if any setting was seen, and what the frames of each showed; `nil` for
  ///   one that can only be looked at by itself, since its frames differ, one was lost, or the
  ///   camera reports another value.
  dynamic func readInSuccession<Reading>(
    _ settings: [[ControlValue]], latency known: Int?, count: Int,
    isSame: (Reading, Reading) -> Bool,
    next: () async throws(CameraError) -> (FrameInfo, Reading)
  ) async throws(CameraError) -> (latency: Int?, seen: [[Reading]?]) {
    let unknown = (Int?.none, settings.map { _ in [Reading]?.none })
    guard let first = settings.first, try await self.settings(of: first) != first else {
      return unknown
    }
    let (start, before) = try await next()
    var frames: [(number: Int, reading: Reading)] = []
    var sent: [Int] = []
    for values in settings {
      try await send(values)
      sent.append(frames.last?.number ?? start.sequence)
      for _ in 0...count {
        let (info, reading) = try await next()
        frames.append((info.sequence, reading))
      }
      guard try await misreported(values).isEmpty else { return unknown }
    }
    let changed = frames.first { !isSame($0.reading, before) }
    guard let latency = known ?? changed.map({ $0.number - sent[0] - 1 }) else { return unknown }
    for _ in 0..<latency {
      let (info, reading) = try await next()
      frames.append((info.sequence, reading))
    }
    func readings(_ numbers: Range<Int>) -> [Reading] {
      frames.filter { numbers.contains($0.number) }.map(\.reading)
    }
    // None may show before the first is due.
    let change = sent[0] + latency + 1
    let early = readings(sent[0] + 1..<change)
    guard early.count == latency, early.allSatisfy({ isSame($0, before) }),
      readings(change + 1..<change + 1 + count).allSatisfy({ !isSame($0, before) })
    else { return unknown }
    var runs: [[Reading]] = [[before]]
    for (_, reading) in frames {
      if let last = runs[runs.count - 1].last, isSame(reading, last) {
        runs[runs.count - 1].append(reading)
      } else {
        runs.append([reading])
      }
    }
    guard runs.count == settings.count + 1 else { return unknown }
    let seen = runs.dropFirst().map { $0.count >= count ? Array($0.suffix(count)) : nil }
    return (latency, seen)
  }
}

extension Array {
  /// The elements of one half alternating with those of the other, so that what is clipped or black
  /// at one end comes between what is seen.
  var alternating: [Element] {
    let half = (count + 1) / 2
    return indices.map { self[$0 % 2 == 0 ? $0 / 2 : half + $0 / 2] }
  }
}
