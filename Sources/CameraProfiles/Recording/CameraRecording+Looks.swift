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
  /// Error: codes are within the stated errors for cameras without flicker (`RecordingTests`).
  package func looks() -> [Look] {
    let shots = shots
    let latency = Self.latency(of: shots) ?? 0
    var looks: [Look] = []
    var start = 0
    for last in shots.indices {
      let isLast = last + 1 == shots.count
      if !isLast, Self.belong(shots, last, last + 1, latency: latency) { continue }
      if let cause = Self.cause(of: shots, start, latency),
        let look = Self.look(at: shots[start...last], settings: cause.settings)
      {
        looks.append(look)
      }
      start = last + 1
    }
    return looks
  }

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

  /// All frames with the settings that had been written before them.
  private var shots: [Shot] {
    var settings = camera.settings.byControl
    var (light, change) = (-1, 0)
    var shots: [Shot] = []
    for event in events {
      switch event {
      case .set(let values):
        for value in values { settings[value.id] = value.value }
        change += 1
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

  /// Indicates whether two neighboring frames show the same settings and light.
  private static func belong(_ shots: [Shot], _ a: Int, _ b: Int, latency: Int) -> Bool {
    let (one, other) = (cause(of: shots, a, latency), cause(of: shots, b, latency))
    return one?.change == other?.change && shots[a].light == shots[b].light
  }

  /// The amount by which the picture changes between frames that should be alike, as a sum of
  /// distances of at most 10 each.
  private static func changes(of shots: [Shot], latency: Int) -> Double {
    var sum = 0.0
    for index in shots.indices.dropFirst() where belong(shots, index - 1, index, latency: latency) {
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
