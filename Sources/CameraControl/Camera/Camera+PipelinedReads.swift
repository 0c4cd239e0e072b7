internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Indicates whether several white-balance settings may be sent in quick succession: they take
  /// effect at once after a known latency, and automatic white balance is turned off only once.
  var isPrompt: Bool {
    automaticOffPolicy == .once && latency != nil && settlingRate == 1 && !flickers
      && !approachesFromBelow
  }

  /// Sends settings in quick succession, each before the previous one shows, so that none waits for
  /// its own latency, and returns the frames of each.
  ///
  /// The first setting determines the latency: no frame changes before it is due, and every later
  /// frame differs from those before. The order of the pictures identifies the others, however late
  /// each is; two successive settings that look alike cannot be distinguished.
  ///
  /// - Parameters:
  ///   - known: The latency in frames; if `nil`, the first change determines it.
  ///   - count: The number of frames for each setting, at least 2, plus one in which it may be
  ///     late.
  ///   - isSame: A closure that indicates whether two frames may show the same setting.
  ///   - next: A closure that reads the next frame.
  /// - Returns: The latency, if any setting was seen, and the frames of each; `nil` for one that
  ///   must be observed by itself, because its frames differ, one was lost, or the camera reports
  ///   another value.
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
    // No setting may show before the first is due.
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
  /// The elements of the first half alternating with those of the second, so that values that are
  /// clipped or black at one end come between measurable ones.
  var alternating: [Element] {
    let half = (count + 1) / 2
    return indices.map { self[$0 % 2 == 0 ? $0 / 2 : half + $0 / 2] }
  }
}
