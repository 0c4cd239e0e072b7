package import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The linear level that counts as correctly exposed: that of an 18 % gray card.
  public static let middleGray = PictureLight.middleGray

  /// The exposure modes of the camera; only `locked` if it has no control of its exposure.
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

  /// The mode that the camera's control reports; `locked` also stands for `custom`.
  public var exposureMode: ExposureMode {
    get async throws(CameraError) {
      try await isOff(.exposureMode) == false ? .continuousAutomatic : .locked
    }
  }

  /// Sets the exposure mode. `continuousAutomatic` returns at once, and `locked` keeps the exposure
  /// that the camera has chosen, within 0.1 stop; `automatic` locks it after it has settled. On
  /// failure the previous settings are restored.
  ///
  /// Error: `ExposureTests.lockedKeepsTheLight`.
  ///
  /// - Throws: `noExposureMode` if the camera lacks the mode, `notSettled` if the exposure does not
  ///   settle, `exposureNotKept` if it jumped when automatic exposure was turned off and the
  ///   controls could not restore it.
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
        _ = try await camera.settledLight(after: camera.exposureDelay)
        try await camera.stopExposingKeepingLight()
      }
    }
  }

  /// Returns the exposure of the picture, in any mode.
  ///
  /// Error: within 0.1 stops from 6 below to 2 above middle gray (`ExposureTests`).
  ///
  /// - Parameter frames: The number of averaged frames, above 0.
  public func exposureReading(frames: Int = 4) async throws(CameraError) -> ExposureReading {
    precondition(frames > 0, "`frames` must be positive")
    return ExposureReading(try await meanLight(frames))
  }

  /// Sets exposure time and gain together, and returns when the picture shows them; `nil` keeps the
  /// current value. On failure the previous settings are restored.
  ///
  /// - Parameters:
  ///   - duration: The exposure time in seconds, within `ExposureLaws.durations`.
  ///   - amplification: The gain relative to the smallest, within `ExposureLaws.amplifications`.
  /// - Throws: `noControl` if the camera lacks the control, `exposureOutOfRange`, `exposureNotSeen`
  ///   if the picture shows another exposure, `settingNotKept` if another program sets it too.
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
      // A value out of range must move nothing.
      _ = try await values()
      try await camera.stopExposing()
      let setting = try await camera.expose(values(), laws)
      // Detects another program that also sets the exposure.
      try await camera.skipFrames(3)
      try await camera.readBack(setting.values)
      return setting
    }
  }

  /// Makes the picture brighter or darker than the correct exposure, and returns when it is. On
  /// failure the previous settings are restored.
  ///
  /// If automatic exposure is on and the camera has its own exposure compensation, that is used,
  /// relative to the exposure that the camera would choose. Otherwise automatic exposure is turned
  /// off, and the exposure is set relative to middle gray: by the exposure time and, beyond its
  /// range, by the gain.
  ///
  /// - Parameter stops: The exposure relative to the correct one, in stops.
  /// - Throws: `noControl` if neither can be set, `exposureOutOfRange` if the exposure is outside
  ///   the range of the camera or of its exposure compensation.
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

  /// The range of the camera's own exposure compensation, in stops; `nil` if it has none.
  public var exposureBiasRange: ClosedRange<Double>? {
    get async {
      guard let stops = await port.description(of: .exposureBias)?.allStops.map(\.stops),
        let low = stops.min(), let high = stops.max()
      else { return nil }
      return low...high
    }
  }

  /// Sets an exposure in stops above middle gray, with automatic exposure off.
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

  /// Returns the reason why no exposure of the camera can be metered.
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

  /// Sets the compensation of automatic exposure.
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
    let before = try await settledLight(after: 0)
    try await setAndReadBack(value)
    let (light, frames) = try await settledLight(after: exposureDelay)
    // At the end of its range, the automatic cannot follow.
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
  /// The control of the exposure time, preferably the one whose unit is known.
  var exposureTimeControl: ControlDescription? {
    get async {
      for id in [ControlID.exposureTime, .exposureLines] {
        if let control = await port.description(of: id) { return control }
      }
      return nil
    }
  }

  /// The number of frames after which an exposure setting shows.
  var exposureDelay: Int { exposureLaws.map { $0.latency + 1 } ?? Self.latencyBound }

  /// Turns automatic exposure off, and waits until the picture shows it.
  func stopExposing() async throws(CameraError) {
    let isOff = try await isOff(.exposureMode) ?? true
    try await turnOff([.exposureMode, .autoGain])
    if !isOff { try await skipExposureFrames() }
  }

  /// Turns automatic exposure off, and restores the exposure if it jumps: many cameras return to
  /// the last manual setting.
  private func stopExposingKeepingLight() async throws(CameraError) {
    let areOff = [try await isOff(.exposureMode), try await isOff(.autoGain)]
    let before = try await meanLight(4)
    try await turnOff([.exposureMode, .autoGain])
    guard areOff.contains(false) else { return }
    try await skipExposureFrames()
    /// The last measured decrease of the exposure, in stops.
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

  /// The accepted jump of the exposure when automatic exposure is turned off, in stops: a settled
  /// automatic never varies by more.
  private static let keptLight = 0.06

  /// Skips frames that may still show settings from before a restoration.
  private func skipRestoredFrames() async throws(CameraError) {
    guard let restored = await turns.lastRestored else { return }
    try await skipFrames(max(0, exposureDelay + restored - feed.taken))
  }

  func skipExposureFrames() async throws(CameraError) { try await skipFrames(exposureDelay) }

  /// Returns the laws that were found, or else those that V4L2 defines for the exposure time.
  package func lawsOfExposure() async throws(CameraError) -> ExposureLaws {
    if let exposureLaws { return exposureLaws }
    if let control = await port.description(of: .exposureTime),
      let laws = ExposureLaws(
        promisedBy: control, reference: max(try await port.value(of: .exposureTime), 1),
        latency: Self.latencyBound)
    {
      return laws
    }
    if let control = await exposureTimeControl { throw ExposureLaws.unknown(control.id) }
    throw .noControl(.exposureTime, camera: await port.identity.name)
  }

  /// Returns the current settings of the exposure's controls.
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

  /// Returns the settled light, and the number of frames until it had settled.
  func settledLight(
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

  /// Sets the exposure's controls together, and returns when the picture has changed as the laws
  /// predict.
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
    // A smaller change could be the noise of one frame.
    if abs(promised) < 0.08 {
      try await skipExposureFrames()
      return setting(nil, exposureDelay)
    }
    var seen: Double?
    for frame in 1...Self.longestLatency {
      let (info, light) = try await nextLight()
      seen = light.stops(above: before) ?? seen
      // More than halfway from the previous exposure.
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
  /// Returns the stops of an item of the exposure compensation's menu: the names of an integer menu
  /// are numbers, here thousandths of a stop.
  func stops(at value: Int) -> Double? {
    items.first { $0.value == value }.flatMap { Double($0.name) }.map { $0 / 1000 }
  }

  /// The stops of all items.
  fileprivate var allStops: [(value: Int, stops: Double)] {
    items.compactMap { item in stops(at: item.value).map { (item.value, $0) } }
  }
}
