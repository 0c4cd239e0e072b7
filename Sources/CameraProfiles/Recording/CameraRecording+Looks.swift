internal import ColorScience

extension CameraRecording {
  /// What the card looked like while all controls stayed as they were.
  public struct Look: Hashable, Sendable {
    /// Which of `CameraRecording.lights` lit the card, counted from 0.
    public var light: Int
    /// What the controls were set to.
    public var settings: [ControlID: Int]
    /// The number of frames that were averaged.
    public var frames: Int
    /// The number of the first of them.
    public var firstFrame: Int
    /// The mean codes of red, green and blue, 0…255.
    public var codes: [Double]
    /// Their standard errors, by how frames differ from each other and pixels within them.
    public var errors: [Double]
    /// The standard deviations of pixels within a frame.
    public var deviations: [Double]
    /// The shares of pixels at the white level, 0…1.
    public var clipped: [Double]
  }

  /// The names of the lights that lit the card, in their order; one without a name where none was
  /// given.
  public var lights: [String] {
    let names = events.compactMap { if case .light(let name) = $0 { name } else { nil } }
    return names.isEmpty ? [""] : names
  }

  /// The number of frames after which a setting shows, as the frames tell: the number with which
  /// the least changes happen between two settings; `nil` where no setting changed the picture.
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

  /// The looks of the recording: frames in a row with the same settings whose picture was at rest,
  /// at least two of them.
  ///
  /// Error: codes are within the stated errors for cameras without flicker (`RecordingTests`).
  public func looks() -> [Look] {
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

  /// The most frames that a setting takes to show.
  static let longestLatency = 25
  /// How many frames of a look are averaged at most.
  private static let averaged = 32

  /// A frame, and what was in force when it was taken from the camera.
  private struct Shot {
    var frame: Frame
    var light: Int
    var settings: [ControlID: Int]
    /// Counts the settings; a stream that begins anew counts too.
    var change: Int
  }

  /// All frames with what had been set before them.
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

  /// What a frame shows, if settings show after so many frames; `nil` at the start.
  private static func cause(of shots: [Shot], _ index: Int, _ latency: Int) -> Shot? {
    let number = shots[index].frame.sequence - latency
    var place = index
    while place >= 0, shots[place].frame.sequence > number { place -= 1 }
    return place >= 0 ? shots[place] : nil
  }

  /// Whether two neighboring frames show the same.
  private static func belong(_ shots: [Shot], _ a: Int, _ b: Int, latency: Int) -> Bool {
    let (one, other) = (cause(of: shots, a, latency), cause(of: shots, b, latency))
    return one?.change == other?.change && shots[a].light == shots[b].light
  }

  /// How much the picture changes between frames that show the same, in deviations that count for
  /// at most 10 each.
  private static func changes(of shots: [Shot], latency: Int) -> Double {
    var sum = 0.0
    for index in shots.indices.dropFirst() where belong(shots, index - 1, index, latency: latency) {
      sum += min(distance(shots[index - 1].frame, shots[index].frame), 10)
    }
    return sum
  }

  /// By how much two frames differ, in units of 6 deviations of their means, or of 0.3 codes where
  /// that is more; 0 below one of them.
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
    let resting = group.reversed().prefix { distance($0.frame, last.frame) == 0 }
    let frames = resting.prefix(averaged).map(\.frame)
    guard frames.count >= 2, let first = frames.last else { return nil }
    func mean(_ value: (Frame) -> [Double]) -> [Double] {
      (0..<3).map { channel in
        frames.reduce(0) { $0 + value($1)[channel] } / Double(frames.count)
      }
    }
    let codes = mean(\.codes)
    let deviations = mean(\.deviations)
    let errors = (0..<3).map { channel in
      let between = frames.reduce(0) { sum, frame in
        sum + (frame.codes[channel] - codes[channel]) * (frame.codes[channel] - codes[channel])
      }
      let count = Double(frames.count)
      let within = deviations[channel] * deviations[channel] / Double(max(first.pixels, 1))
      return (max(between / (count - 1), within) / count).squareRoot()
    }
    return Look(
      light: last.light, settings: settings, frames: frames.count, firstFrame: first.sequence,
      codes: codes, errors: errors, deviations: deviations, clipped: mean(\.clipped))
  }
}
