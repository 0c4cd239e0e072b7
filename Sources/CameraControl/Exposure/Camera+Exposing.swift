internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The level of linear light that counts as rightly exposed: that of a gray card of 18 %.
  public static let middleGray = PictureLight.middleGray

  /// The modes that the camera has; locked alone where it has no control of its exposure.
  public var supportedExposureModes: [ExposureMode] {
    get async {
      let automatic = await port.description(of: .exposureMode)?.automatic
      let canStop = automatic == nil || automatic?.off != nil
      var modes: [ExposureMode] = canStop ? [.locked] : []
      if canStop, automatic?.on != nil { modes.append(.automatic) }
      if automatic?.on != nil { modes.append(.continuousAutomatic) }
      if canStop, await exposureTimeControl != nil { modes.append(.custom) }
      return modes
    }
  }

  /// The mode that the camera's control tells; what is locked may as well have been set.
  public var exposureMode: ExposureMode {
    get async throws(CameraError) {
      try await isOff(.exposureMode) == false ? .continuousAutomatic : .locked
    }
  }

  /// Sets the mode: at once the continuous one. The locked one keeps the light that the camera has
  /// chosen, within 0.1 stop; choosing once does so when that has come to rest. What fails leaves
  /// the camera as it was before.
  ///
  /// Error: `ExposureTests.lockedKeepsTheLight`.
  ///
  /// - Throws: `noExposureMode` where the camera lacks the mode, `notSettled` where its light does
  ///   not come to rest, `exposureNotKept` where the light jumped when the camera stopped choosing
  ///   and its controls could not bring it back.
  public func setExposureMode(_ mode: ExposureMode) async throws(CameraError) {
    let modes = await supportedExposureModes
    guard modes.contains(mode) else {
      throw .noExposureMode(mode, camera: await port.identity.name, modes: modes)
    }
    try await restoringOnFailure { camera async throws(CameraError) in
      let on = await camera.port.description(of: .exposureMode)?.automatic?.on
      switch mode {
      case .custom: try await camera.turnOff([.exposureMode, .autoGain])
      case .locked: try await camera.stopExposingKeepingLight()
      case .continuousAutomatic:
        if let on { try await camera.setAndReadBack([ControlValue(.exposureMode, on)]) }
      case .automatic:
        if let on { try await camera.setAndReadBack([ControlValue(.exposureMode, on)]) }
        _ = try await camera.lightAtRest(after: camera.exposureDelay)
        try await camera.stopExposingKeepingLight()
      }
    }
  }

  /// How the picture is exposed, in any mode.
  ///
  /// Error: within 0.1 stops from 6 below to 2 above middle gray (`ExposureTests`).
  ///
  /// - Parameter frames: the number of frames that are averaged, above 0.
  public func exposureReading(frames: Int = 4) async throws(CameraError) -> ExposureReading {
    precondition(frames > 0, "there is a frame")
    return ExposureReading(try await meanLight(frames))
  }

  /// Sets exposure time and gain as a team, and returns when the picture shows it; who is left out
  /// stays as it is. What fails leaves the camera as it was before.
  ///
  /// - Parameters:
  ///   - duration: in seconds, within `ExposureLaws.durations`.
  ///   - amplification: beside the smallest, within `ExposureLaws.amplifications`.
  /// - Throws: `noControl` where one is asked for that the camera has not, `exposureOutOfRange`,
  ///   `exposureNotSeen` where the picture shows another light, `notHeld` where another program
  ///   sets it, too.
  @discardableResult
  public func setExposure(
    duration: Double? = nil, amplification: Double? = nil
  ) async throws(CameraError) -> ExposureSetting {
    try await restoringOnFailure { camera async throws(CameraError) in
      let laws = try await camera.lawsOfExposure()
      let name = await camera.port.identity.name
      func values() async throws(CameraError) -> [ControlValue] {
        try laws.values(
          duration: duration, amplification: amplification,
          now: try await camera.exposureValues(laws), of: name)
      }
      if amplification != nil, laws.gain == nil, await camera.port.description(of: .gain) != nil {
        throw ExposureLaws.unknown(.gain)
      }
      // What is out of range moves nothing.
      _ = try await values()
      try await camera.stopExposing()
      let setting = try await camera.expose(values(), laws)
      // Another program may set it, too.
      try await camera.skipFrames(3)
      try await camera.readBack(setting.values)
      return setting
    }
  }

  /// Makes the picture lighter or darker than it should be, and returns when it is. What fails
  /// leaves the camera as it was before.
  ///
  /// While the camera chooses its exposure its own bias does it, where it has one, beside what the
  /// camera takes for right. Else the exposure time does, or, at the end of its range, the gain,
  /// beside middle gray, and the camera chooses no more.
  ///
  /// - Parameter stops: the light beside what is right, as a power of 2.
  /// - Throws: `noControl` where neither can be set, `exposureOutOfRange` where the light asked for
  ///   is beyond the camera's, or, of its bias, beyond the bias's.
  @discardableResult
  public func compensateExposure(
    by stops: Double
  ) async throws(CameraError) -> ExposureCompensation {
    try await restoringOnFailure { camera async throws(CameraError) in
      if let bias = await camera.port.description(of: .exposureBias),
        try await camera.exposureMode == .continuousAutomatic
      {
        return try await camera.bias(by: stops, bias)
      }
      return try await camera.exposeByHand(to: stops)
    }
  }

  /// How far the camera's own bias goes, in stops; `nil` where it has none.
  public var exposureBiasRange: ClosedRange<Double>? {
    get async {
      guard let stops = await port.description(of: .exposureBias)?.allStops.map(\.stops),
        let low = stops.min(), let high = stops.max()
      else { return nil }
      return low...high
    }
  }

  /// The same without the camera's own choice.
  func exposeByHand(to stops: Double) async throws(CameraError) -> ExposureCompensation {
    let laws = try await lawsOfExposure()
    try await stopExposing()
    try await skipRestoredFrames()
    var values = try await exposureValues(laws)
    let (first, light) = try await nextLight()
    let (second, again) = try await nextLight()
    var reading = PictureLight(averaging: [light, again])
    var search = ExposureSearch(
      stops: stops, laws: laws, longest: laws.longestLight(from: first, to: second))
    var frames = 2
    while true {
      switch search.next(after: reading, at: values) {
      case .expose(let next):
        let setting = try await expose(next, laws)
        values = next
        reading = try await meanLight(2)
        frames += setting.frames + 3
      case .arrived:
        return ExposureCompensation(
          stops: search.offset(at: values) ?? reading.offset,
          reading: ExposureReading(reading), values: values,
          isByCamera: false, frames: frames)
      case .outOfRange(let range): throw .exposureOutOfRange(.stops, stops, allowed: range)
      case .unmetered: throw unmetered(reading, wanted: stops)
      case .missed: throw .exposureNotReached(stops: stops, seen: reading.offset)
      }
    }
  }

  /// Why no exposure of the camera can be metered.
  private func unmetered(_ reading: PictureLight, wanted stops: Double) -> CameraError {
    let isDark = reading.offset < 0
    if isDark, stops > reading.offset {
      return .exposureOutOfRange(.stops, stops, allowed: -.infinity...reading.offset)
    }
    if !isDark, stops < reading.offset {
      return .exposureOutOfRange(.stops, stops, allowed: reading.offset...(.infinity))
    }
    return .exposureNotReached(stops: stops, seen: reading.offset)
  }

  /// Moves the target of the camera's own choice.
  private func bias(
    by stops: Double, _ control: ControlDescription
  ) async throws(CameraError) -> ExposureCompensation {
    guard let range = await exposureBiasRange,
      let nearest = control.allStops.min(by: { abs($0.stops - stops) < abs($1.stops - stops) })
    else { throw .noControl(.exposureBias, camera: await port.identity.name) }
    guard range.lowerBound - 0.02...range.upperBound + 0.02 ~= stops else {
      throw .exposureOutOfRange(.stops, stops, allowed: range)
    }
    let value = [ControlValue(control.id, nearest.value)]
    let now = control.stops(at: try await port.value(of: control.id)) ?? 0
    let before = try await lightAtRest(after: 0)
    try await setAndReadBack(value)
    let (light, frames) = try await lightAtRest(after: exposureDelay)
    // At the end of its range the camera cannot follow.
    let expected = nearest.stops - now
    if let seen = light.stops(above: before.light), abs(seen - expected) > 0.15 {
      throw .exposureNotSeen(expected: expected, seen: seen, frames: frames)
    }
    return ExposureCompensation(
      stops: nearest.stops, reading: ExposureReading(light), values: value, isByCamera: true,
      frames: before.frames + frames)
  }
}

extension Camera {
  /// The control of the exposure time that can be used.
  var exposureTimeControl: ControlDescription? {
    get async {
      for id in [ControlID.exposureTime, .exposureLines] {
        if let control = await port.description(of: id) { return control }
      }
      return nil
    }
  }

  /// After so many frames a setting of the exposure shows.
  var exposureDelay: Int { exposureLaws.map { $0.latency + 1 } ?? Self.latencyBound }

  /// Turns the camera's own choice off, and waits until the picture shows it.
  func stopExposing() async throws(CameraError) {
    let isOff = try await isOff(.exposureMode) ?? true
    try await turnOff([.exposureMode, .autoGain])
    if !isOff { try await skipExposureFrames() }
  }

  /// The same, and brings the light back where it jumps: many cameras fall back to what was set by
  /// hand before.
  private func stopExposingKeepingLight() async throws(CameraError) {
    let areOff = [try await isOff(.exposureMode), try await isOff(.autoGain)]
    let before = try await meanLight(4)
    try await turnOff([.exposureMode, .autoGain])
    guard areOff.contains(false) else { return }
    try await skipExposureFrames()
    /// How much darker the picture is than before, in stops; the last one seen.
    var loss = 0.0
    func measuredLoss() async throws(CameraError) -> Double {
      let now = try await meanLight(4)
      loss =
        before.stops(above: now)
        ?? logarithm(before.level / max(now.level, 1e-4)) / logarithm(2)
      return loss
    }
    let controls = [await exposureTimeControl, await port.description(of: .gain)]
    for control in controls.compactMap(\.self) {
      guard abs(try await measuredLoss()) > Self.keptLight else { return }
      guard try await port.flags(of: control.id).isDisjoint(with: [.readOnly, .inactive]) else {
        continue
      }
      try await move(control) { _ async throws(CameraError) in
        let loss = try await measuredLoss()
        return abs(loss) < 0.02 ? nil : power(2, min(max(loss, -4), 4))
      }
    }
    guard abs(try await measuredLoss()) <= ExposureSearch.tolerance else {
      let offset = ExposureReading(before).offset
      throw .exposureNotKept(before: offset, after: offset - loss)
    }
  }

  /// What the light may jump by when the camera stops choosing, in stops: no automatic at rest
  /// wanders by more.
  private static let keptLight = 0.06

  /// Skips frames that may show what was set before settings were put back.
  private func skipRestoredFrames() async throws(CameraError) {
    guard let restored = await turns.lastRestored else { return }
    try await skipFrames(max(0, exposureDelay + restored - feed.taken))
  }

  func skipExposureFrames() async throws(CameraError) { try await skipFrames(exposureDelay) }

  /// The laws that were found, or those that V4L2 promises of the exposure time.
  func lawsOfExposure() async throws(CameraError) -> ExposureLaws {
    if let exposureLaws { return exposureLaws }
    if let control = await port.description(of: .exposureTime),
      let laws = ExposureLaws(
        promisedBy: control, reference: max(try await port.value(of: .exposureTime), 1))
    {
      return laws
    }
    if let control = await exposureTimeControl { throw ExposureLaws.unknown(control.id) }
    throw .noControl(.exposureTime, camera: await port.identity.name)
  }

  /// What the controls of the exposure are set to.
  func exposureValues(_ laws: ExposureLaws) async throws(CameraError) -> [ControlValue] {
    var values: [ControlValue] = []
    for control in laws.controls {
      values.append(ControlValue(control.id, try await port.value(of: control.id)))
    }
    return values
  }

  func nextLight() async throws(CameraError) -> (FrameInfo, PictureLight) {
    let finder = GrayCardEstimator(region: meteringRegion)
    return try await nextFrame { _, layout, bytes throws(FrameError) in
      try PictureLight(bytes, layout: layout, region: finder.rectangle(in: layout))
    }
  }

  func meanLight(_ frames: Int) async throws(CameraError) -> PictureLight {
    let camera = await watching()
    var pictures: [PictureLight] = []
    for _ in 0..<frames { pictures.append(try await camera.nextLight().1) }
    return PictureLight(averaging: pictures)
  }

  /// The light when it has come to rest, and after how many frames.
  func lightAtRest(
    after first: Int
  ) async throws(CameraError) -> (light: PictureLight, frames: Int) {
    try await skipFrames(first)
    var levels: [Double] = []
    for frame in 1...Self.frameLimit {
      let light = try await nextLight().1
      levels.append(max(light.level, 1e-6))
      let last = levels.suffix(Self.agreeingFrames)
      if last.count == Self.agreeingFrames, last.max()! / last.min()! < 1.02 {
        return (light, first + frame)
      }
    }
    throw .notSettled(frames: Self.frameLimit)
  }

  /// Sets the exposure's controls as a team, and returns when the picture has the light that the
  /// laws promise beside what it has now.
  func expose(
    _ values: [ControlValue], _ laws: ExposureLaws
  ) async throws(CameraError) -> ExposureSetting {
    let before = try await nextLight().1
    let now = try await exposureValues(laws)
    let promised = logarithm(laws.light(at: values) / laws.light(at: now)) / logarithm(2)
    try await setAndReadBack(values)
    func setting(_ info: FrameInfo?, _ frames: Int) -> ExposureSetting {
      ExposureSetting(
        values: values,
        duration: laws.time.flatMap { values[$0.control.id] }
          .flatMap(laws.duration(at:)),
        amplification: laws.gain.flatMap { values[$0.control.id] }
          .map(laws.amplification(at:)), firstFrame: info, frames: frames)
    }
    // Less than this the noise of one frame may be.
    if abs(promised) < 0.08 {
      try await skipExposureFrames()
      return setting(nil, exposureDelay)
    }
    var seen: Double?
    for frame in 1...Self.longestLatency {
      let (info, light) = try await nextLight()
      seen = light.stops(above: before) ?? seen
      // Halfway from what it was.
      if let stops = light.stops(above: before),
        abs(stops - promised) < min(0.2, 0.4 * abs(promised))
      {
        return setting(info, frame)
      }
      if light.stops(above: before) == nil, frame > exposureDelay { return setting(nil, frame) }
    }
    throw .exposureNotSeen(expected: promised, seen: seen ?? 0, frames: Self.longestLatency)
  }
}

extension ControlDescription {
  /// The stops that an item of the exposure bias's menu stands for: the names of an integer menu
  /// are its numbers, here thousandths of a stop.
  func stops(at value: Int) -> Double? {
    items.first { $0.value == value }.flatMap { Double($0.name) }.map { $0 / 1000 }
  }

  /// Those of all items.
  fileprivate var allStops: [(value: Int, stops: Double)] {
    items.compactMap { item in stops(at: item.value).map { (item.value, $0) } }
  }
}
