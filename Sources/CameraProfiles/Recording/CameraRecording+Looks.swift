internal import ColorScience

extension CameraRecording {
  /// The mean of frames with the same settings.
  package struct Look: Hashable, Sendable {
    /// The card as it was seen; its lamp is an index into `CameraRecording.lights`.
    package var observation: Observation
    /// The number of frames that were averaged.
    package var frames: Int
    /// The number of the first of these frames.
    package var firstFrame: Int
  }

  /// The names of the lights on the card, in their order; one empty name if none was given.
  public var lights: [String] {
    let names = events.compactMap { if case .light(let name) = $0 { name } else { nil } }
    return names.isEmpty ? [""] : names
  }

  /// The latency at which pictures with the same settings differ least; `nil` if no setting changed
  /// the picture.
  ///
  /// Complexity: O(frames), for each of 26 latencies that are tried.
  public var latency: Int? {
    Self.latency(of: shots)
  }

  private static func latency(of shots: [Shot]) -> Int? {
    let costs = (0...longestLatency).map { changes(of: shots, latency: $0) }
    guard let least = costs.min(), let most = costs.max(), most > least + 4 else { return nil }
    return costs.firstIndex { $0 <= least + 0.5 }
  }

  /// The observations of the recording, each from at least two consecutive frames with the same
  /// settings whose picture had settled.
  ///
  /// In flickering light, each is the mean of `PictureWatch.averagedFrames` frames.
  ///
  /// Error: codes are within the stated errors (`RecordingTests`).
  package func looks() -> [Look] {
    let shots = shots
    let latencies = Self.latencies(of: shots, around: Self.latency(of: shots) ?? 0)
    var groups: [(shots: ArraySlice<Shot>, settings: [ControlID: Int])] = []
    var start = 0
    for last in shots.indices {
      let isLast = last + 1 == shots.count
      if !isLast, Self.belong(shots, last, last + 1, latencies) { continue }
      if let cause = Self.cause(of: shots, start, latencies.upperBound),
        let earliest = Self.cause(of: shots, start, latencies.lowerBound),
        cause.change == earliest.change
      {
        groups.append((shots[start...last], cause.settings))
      }
      start = last + 1
    }
    let long = groups.map(\.shots).filter { $0.count >= PictureWatch.averagedFrames }
    let flickers = 2 * long.count(where: Self.swings) > long.count
    return groups.compactMap { group in
      flickers
        ? Self.look(atSwinging: group.shots, settings: group.settings)
        : Self.look(at: group.shots, settings: group.settings)
    }
  }

  /// The latencies with which single changes showed. They differ if the camera's latency varies;
  /// frames of which it is uncertain what they show are then in no observation.
  private static func latencies(of shots: [Shot], around latency: Int) -> ClosedRange<Int> {
    let starts = shots.indices.dropFirst().filter { shots[$0].change != shots[$0 - 1].change }
    var seen = [latency]
    for (place, start) in starts.enumerated() {
      let end = place + 1 < starts.count ? starts[place + 1] : shots.count
      let before = place > 0 ? starts[place - 1] : 0
      guard start - before >= 2 * aloneFrames, end - start >= 2 * aloneFrames else { continue }
      let old = shots[start - 1].frame
      let isStill = shots[start - aloneFrames..<start].allSatisfy { distance($0.frame, old) == 0 }
      guard isStill, distance(shots[end - 1].frame, old) > largeChange else { continue }
      if let first = shots[start..<end].first(where: { distance($0.frame, old) > 0 }) {
        seen.append(first.frame.sequence - shots[start].frame.sequence)
      }
    }
    seen = seen.filter { abs($0 - latency) <= largestJitter }
    return (seen.min() ?? latency)...(seen.max() ?? latency)
  }

  /// Half of the number of frames that a change must be apart from others to show its latency.
  private static let aloneFrames = 6
  /// The least size of such a change, as `distance` measures it.
  private static let largeChange = 5.0
  /// The largest difference between the latencies of single changes.
  private static let largestJitter = 6

  /// The largest latency that is considered, in frames.
  static let longestLatency = 25
  /// The largest number of frames that are averaged.
  private static let averaged = 32

  /// A frame, and the state when it was received from the camera.
  private struct Shot {
    var frame: Frame
    var light: Int
    var settings: [ControlID: Int]
    /// The number of changes so far: settings, refused settings and stops of the stream.
    var change: Int
  }

  /// All frames with the settings that were in force: those written before them, or chosen by the
  /// camera and read after them.
  private var shots: [Shot] {
    var settings = camera.settings.byControl
    var (light, change) = (-1, 0)
    var shots: [Shot] = []
    // Controls whose value is what was written last; others have a value that the camera chose.
    var written: Set<ControlID> = []
    for event in events {
      switch event {
      case .set(let values):
        for value in values {
          settings[value.id] = value.value
          written.subtract(value.id.governed)
        }
        written.formUnion(values.map(\.id))
        change += 1
      case .read(let value) where !written.contains(value.id):
        settings[value.id] = value.value
        // The camera has had the value since the last change.
        for index in shots.indices.reversed() {
          if shots[index].change != change { break }
          shots[index].settings[value.id] = value.value
        }
      case .read: break
      case .light: light += 1
      case .refused, .streamStopped: change += 1
      case .frame(let frame):
        shots.append(
          Shot(frame: frame, light: max(light, 0), settings: settings, change: change))
      }
    }
    return shots
  }

  /// The state that a frame shows for a given latency; `nil` at the start.
  private static func cause(of shots: [Shot], _ index: Int, _ latency: Int) -> Shot? {
    let number = shots[index].frame.sequence - latency
    var place = index
    while place >= 0, shots[place].frame.sequence > number { place -= 1 }
    return place >= 0 ? shots[place] : nil
  }

  /// Indicates whether two neighboring frames show the same settings and light, or it is uncertain
  /// in the same way what they show.
  private static func belong(
    _ shots: [Shot], _ a: Int, _ b: Int, _ latencies: ClosedRange<Int>
  ) -> Bool {
    shots[a].light == shots[b].light
      && [latencies.lowerBound, latencies.upperBound].allSatisfy {
        cause(of: shots, a, $0)?.change == cause(of: shots, b, $0)?.change
      }
  }

  /// The amount by which the picture changes between frames that should be alike, as a sum of
  /// distances of at most 10 each.
  private static func changes(of shots: [Shot], latency: Int) -> Double {
    var sum = 0.0
    for index in shots.indices.dropFirst()
    where belong(shots, index - 1, index, latency...latency) {
      sum += min(distance(shots[index - 1].frame, shots[index].frame), 10)
    }
    return sum
  }

  /// The difference between two frames, in units of 6 standard errors of their means, or of 0.3
  /// codes if that is more; 0 below one unit.
  private static func distance(_ one: Frame, _ other: Frame) -> Double {
    let pixels = Double(max(one.pixels, 1)).squareRoot()
    let largest =
      (0..<3).map { channel in
        let noise = max(one.deviations[channel], other.deviations[channel]) / pixels
        return abs(one.codes[channel] - other.codes[channel]) / max(6 * noise, 0.3)
      }.max() ?? 0
    return largest > 1 ? largest : 0
  }

  /// Indicates whether most of the last frames of a group differ from one another, as in the light
  /// of a lamp that flickers.
  private static func swings(_ group: ArraySlice<Shot>) -> Bool {
    let last = group.suffix(PictureWatch.averagedFrames)
    let differing = zip(last, last.dropFirst()).count { distance($0.frame, $1.frame) > 0 }
    return 2 * differing > last.count
  }

  /// The mean of the last frames of a group in flickering light; `nil` if there are too few, or the
  /// picture still moves.
  private static func look(
    atSwinging group: ArraySlice<Shot>, settings: [ControlID: Int]
  ) -> Look? {
    let last = group.suffix(PictureWatch.averagedFrames)
    guard last.count == PictureWatch.averagedFrames, let first = last.first else { return nil }
    func mean(_ shots: ArraySlice<Shot>, _ weights: [Double]? = nil) -> Observation? {
      Observation(
        shots.map { CodeMean($0.frame) }, weights: weights, lamp: first.light, settings: settings,
        exposure: 1)
    }
    guard let early = mean(last.prefix(last.count / 2)),
      let late = mean(last.suffix(last.count / 2)),
      (0..<3).allSatisfy({ channel in
        let error = early.errors[channel] + late.errors[channel]
        return abs(early.codes[channel] - late.codes[channel]) < 0.5 + 6 * error
      })
    else { return nil }
    return mean(last, PictureWatch.window(last.count)).map {
      Look(observation: $0, frames: last.count, firstFrame: first.frame.sequence)
    }
  }

  /// The mean of the last frames of a group that look alike.
  private static func look(at group: ArraySlice<Shot>, settings: [ControlID: Int]) -> Look? {
    guard let last = group.last else { return nil }
    let settled = group.reversed().prefix { distance($0.frame, last.frame) == 0 }
    let frames = settled.prefix(averaged).map(\.frame)
    guard frames.count >= 2, let first = frames.last else { return nil }
    return Observation(
      frames.map { CodeMean($0) }, lamp: last.light, settings: settings, exposure: 1
    ).map { Look(observation: $0, frames: frames.count, firstFrame: first.sequence) }
  }
}

extension ControlID {
  /// The controls that the camera may have set itself after this mode was on.
  fileprivate var governed: [ControlID] {
    switch self {
    case .autoWhiteBalance, .whiteBalancePreset:
      ControlID.balanceSettings.filter { $0 != self }
    case .exposureMode: [.exposureTime, .exposureLines, .gain]
    case .autoGain: [.gain]
    default: []
    }
  }
}
