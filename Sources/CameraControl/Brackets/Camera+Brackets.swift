internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The largest memory for the pictures of a bracket, in bytes.
  static let bracketMemory = 1 << 28
  private static let mostPictures = 64

  /// Returns the largest number of pictures in a bracket: as many as fit in memory, at most 64.
  public func largestBracket() async throws(CameraError) -> Int {
    Self.largestBracket(ofSize: try await nextFrame { _, _, bytes in bytes.count }.1)
  }

  private static func largestBracket(ofSize size: Int) -> Int {
    min(max(bracketMemory / max(size, 1), 1), mostPictures)
  }

  /// Reserves the memory of a bracket in advance; a count of 1 releases it.
  ///
  /// - Throws: `bracketTooLong` if there are more than `largestBracket()`, `bracketHeld` while
  ///   pictures of another bracket are kept.
  public func prepareBracket(of count: Int) async throws(CameraError) {
    precondition(count > 0, "`count` must be positive")
    let (_, size) = try await nextFrame { _, _, bytes in bytes.count }
    try await prepareBracket(of: count, size: size)
  }

  private func prepareBracket(of count: Int, size: Int) async throws(CameraError) {
    if await pictures.isLent { throw .bracketHeld }
    let most = Self.largestBracket(ofSize: size)
    guard count <= most else { throw .bracketTooLong(count, most: most) }
    // One more buffer, for the next frame.
    await pictures.prepare(count + 1, capacity: size)
  }

  /// Takes the pictures of a bracket and delivers them in order, each as soon as possible: the
  /// first frame that shows its settings. The previous settings are restored at the end in any
  /// case.
  ///
  /// Settings are written frame by frame without waiting until each shows; one that the camera
  /// skipped is written again.
  ///
  /// Error: no picture of 1000 brackets has other settings than its own (`BracketTests`).
  ///
  /// - Throws: `bracketTooLong`, `bracketHeld` and the errors of setting an exposure or a lens
  ///   before anything is moved; later `bracketEnded` with the number of delivered pictures.
  public func capture(
    _ bracket: Bracket, deliver: (BracketPicture) -> Void
  ) async throws(CameraError) {
    guard bracket.count > 0 else { return }
    try await performing { camera async throws(CameraError) in
      if await camera.pictures.isLent { throw .bracketHeld }
      let (info, size) = try await camera.nextFrame { _, _, bytes in bytes.count }
      if await camera.pictures.count <= bracket.count {
        try await camera.prepareBracket(of: bracket.count, size: size)
      }
      let before = try await camera.settings()
      let stabilization = try await camera.stabilization
      var handed = 0
      let failure: CameraError?
      do throws(CameraError) {
        try await camera.take(bracket, after: info) {
          handed += 1
          var picture = $0
          picture.stabilization = stabilization
          deliver(picture)
        }
        failure = nil
      } catch { failure = error }
      let reported = failure.map { failure in
        handed > 0
          ? CameraError.bracketEnded(after: handed, of: bracket.count, because: failure) : failure
      }
      do throws(CameraError) { try await camera.restore(before) } catch { throw reported ?? error }
      if let reported { throw reported }
      // The caller continues with the restored settings in the picture, even if the camera is late.
      try await camera.skipFrames(camera.exposureDelay + 3)
    }
  }

  private dynamic func take(
    _ bracket: Bracket, after info: FrameInfo, _ deliver: (BracketPicture) -> Void
  ) async throws(CameraError) {
    switch bracket {
    case .burst(let count):
      for index in 0..<count {
        let (info, buffer) = try await nextPicture { _, _ in }.0
        deliver(
          BracketPicture(
            index: index, info: info, values: [], stops: nil, seenStops: nil, isSeen: true,
            buffer: buffer))
      }
    case .lensPositions(let positions):
      for (index, position) in positions.enumerated() {
        let setting = try await setLensPosition(position)
        let (info, buffer) = try await nextPicture { _, _ in }.0
        deliver(
          BracketPicture(
            index: index, info: info, values: [ControlValue(.focusPosition, setting.value)],
            stops: nil, seenStops: nil, isSeen: setting.wasSeen, buffer: buffer))
      }
    case .exposureOffsets(let stops):
      try await takeExposures(after: info, deliver) { laws, now, longest throws(CameraError) in
        try laws.values(forOffsets: stops, from: now, longest: longest)
      }
    case .exposures(let choices):
      let name = await port.identity.name
      try await takeExposures(after: info, deliver) { laws, now, _ throws(CameraError) in
        try choices.map { choice throws(CameraError) in
          try laws.values(
            duration: choice.duration, amplification: choice.amplification, now: now,
            of: name)
        }
      }
    case .gains(let gains, let laws):
      try await take(gains, laws, deliver)
    }
  }

  private func take(
    _ gains: [Gains], _ laws: ControlLaws, _ deliver: (BracketPicture) -> Void
  ) async throws(CameraError) {
    try await ProbedCamera(self, laws: laws).requireAbsoluteGains()
    try await hold(laws)
    try await turnOffAutomatic()
    try await skipFrames(delay)
    let now = try await settings(of: laws.reference)
    var entries: [Entry] = []
    for gains in gains {
      let values = try laws.reachableSetting(for: gains).values
      let change = laws.gains(at: values).vector / laws.gains(at: now).vector
      entries.append(Entry(values: values, stops: nil, ratios: LinearRGB(change).logRatios))
    }
    try await take(
      entries, now: now, before: try await nextSight().2,
      latency: latency ?? Self.latencyBound, deliver)
  }

  private func takeExposures(
    after info: FrameInfo, _ deliver: (BracketPicture) -> Void,
    _ choose: (ExposureLaws, [ControlValue], Double) throws(CameraError) -> [[ControlValue]]
  ) async throws(CameraError) {
    let laws = try await lawsOfExposure()
    if try await isOff(.exposureMode) == false {
      // Offsets are relative to the exposure that the camera chose.
      let stops = try await exposureReading().offset
      _ = try await exposeByHand(to: stops)
    }
    let now = try await exposureValues(laws)
    let (next, _, before) = try await nextSight()
    let all = try choose(laws, now, laws.longestLight(from: info, to: next))
    let entries = all.map { values in
      Entry(
        values: values,
        stops: logarithm(laws.light(at: values) / laws.light(at: now)) / logarithm(2),
        ratios: .zero)
    }
    try await take(entries, now: now, before: before, latency: laws.latency, deliver)
  }

  /// The settings of a picture and their expected effect.
  private struct Entry {
    var values: [ControlValue]
    /// The exposure relative to that before the bracket; `nil` if it stays.
    var stops: Double?
    /// The change of ln(red/green), ln(blue/green).
    var ratios: SIMD2<Double>
  }

  /// The measured appearance of a frame.
  private struct Sight {
    var light: PictureLight
    var ratios: SIMD2<Double>?
  }

  /// Returns the next frame and its appearance.
  private func nextSight() async throws(CameraError) -> (FrameInfo, PictureBuffer, Sight) {
    let finder = GrayCardEstimator(region: meteringRegion)
    let (estimator, mixing) = (estimator, mixing)
    let (picture, sight) = try await nextPicture { layout, bytes throws(FrameError) in
      let mean = try RegionMean(bytes, layout: layout, estimator: estimator, mixing: mixing)
      return Sight(
        light: try PictureLight(bytes, layout: layout, region: finder.rectangle(in: layout)),
        ratios: mean.ratios)
    }
    return (picture.info, picture.buffer, sight)
  }

  private dynamic func nextPicture<Result: Sendable>(
    _ body: @escaping @Sendable (FrameLayout, Span<UInt8>) throws(FrameError) -> Result
  ) async throws(CameraError) -> ((info: FrameInfo, buffer: PictureBuffer), Result) {
    let buffer = await pictures.spare()
    let (info, result) = try await nextFrame { _, layout, bytes throws(FrameError) in
      buffer.fill(bytes)
      return try body(layout, bytes)
    }
    return ((info, buffer), result)
  }

  /// Takes pictures that differ in exposure or color.
  private dynamic func take(
    _ entries: [Entry], now: [ControlValue], before: Sight, latency: Int,
    _ deliver: (BracketPicture) -> Void
  ) async throws(CameraError) {
    var taking = Taking(entries, now: now, before: before)
    // Writes one setting a frame, and waits as long as the camera may be late.
    for frame in 0..<entries.count + latency + 2 where taking.match.isDistinguishable {
      if taking.match.isComplete { break }
      if frame < entries.count {
        try await send(entries[frame].values)
        taking.match.sent = frame + 1
      }
      let (info, buffer, sight) = try await nextSight()
      let seen = taking.look(sight)
      if let index = seen.flatMap({ taking.match.next(showing: $0) }) {
        taking.keep(index, info, buffer, seen, isSeen: true, deliver)
      }
    }
    // Pictures that the camera skipped, or that do not differ, are taken one by one.
    while let index = taking.match.missing {
      try await take(index, of: &taking, latency: latency, deliver)
    }
  }

  /// Takes one picture by itself: the first frame that shows its settings or, if no frame can show
  /// them, one after enough frames.
  private func take(
    _ index: Int, of taking: inout Taking, latency: Int, _ deliver: (BracketPicture) -> Void
  ) async throws(CameraError) {
    let entry = taking.entries[index]
    try await send(entry.values)
    var unrecognized = 0
    var shown: BracketMatch.Look?
    for _ in 0...Self.longestLatency {
      let (info, buffer, sight) = try await nextSight()
      let seen = taking.look(sight)
      let isShown =
        seen.map { taking.match.isDistinguishable && taking.match.shows(index, $0) } ?? false
      unrecognized = seen == nil || !taking.match.isDistinguishable ? unrecognized + 1 : 0
      // The latency may be larger than measured.
      if isShown || unrecognized > latency + 4 {
        taking.match.take(index)
        return taking.keep(index, info, buffer, seen, isSeen: isShown, deliver)
      }
      shown = seen
    }
    // If the camera reports other values, that is the error.
    try await readBack(entry.values)
    throw .exposureNotSeen(
      expected: entry.stops ?? 0, seen: shown?.stops ?? 0, frames: Self.longestLatency)
  }

  /// The pictures of a bracket taken so far, delivered in order.
  private struct Taking {
    let entries: [Entry]
    private let before: Sight
    var match: BracketMatch
    private var taken: [BracketPicture?]
    private var handed = 0

    init(_ entries: [Entry], now: [ControlValue], before: Sight) {
      self.entries = entries
      self.before = before
      match = BracketMatch(
        wanted: entries.map {
          (BracketMatch.Look(stops: $0.stops ?? 0, ratios: $0.ratios), $0.values)
        }, now: now)
      taken = entries.map { _ in nil }
    }

    mutating func keep(
      _ index: Int, _ info: FrameInfo, _ buffer: PictureBuffer, _ seen: BracketMatch.Look?,
      isSeen: Bool, _ deliver: (BracketPicture) -> Void
    ) {
      let stops = entries[index].stops
      taken[index] = BracketPicture(
        index: index, info: info, values: entries[index].values, stops: stops,
        seenStops: stops == nil ? nil : seen?.stops, isSeen: isSeen, buffer: buffer)
      while handed < taken.count, let next = taken[handed] {
        deliver(next)
        // The caller owns the picture now.
        taken[handed] = nil
        handed += 1
      }
    }

    /// Returns the change from the frame before the bracket; `nil` if it cannot be measured.
    func look(_ sight: Sight) -> BracketMatch.Look? {
      guard let stops = sight.light.stops(above: before.light) else { return nil }
      guard entries[0].stops == nil else { return BracketMatch.Look(stops: stops, ratios: .zero) }
      guard let now = sight.ratios, let then = before.ratios else { return nil }
      return BracketMatch.Look(stops: 0, ratios: now - then)
    }
  }
}

extension ExposureLaws {
  /// Returns the settings for offsets in stops from the current exposure.
  fileprivate func values(
    forOffsets stops: [Double], from now: [ControlValue], longest: Double
  ) throws(CameraError) -> [[ControlValue]] {
    let present = light(at: now)
    let range = self.stops(beside: present, longest: longest)
    return try stops.map { stops throws(CameraError) in
      // Another value of about the same exposure could not be distinguished in the frames.
      if stops == 0 { return now }
      guard range.contains(stops) else {
        throw .exposureOutOfRange(.stops, stops, allowed: range)
      }
      return values(for: present * power(2, stops), longest: longest)
    }
  }
}
