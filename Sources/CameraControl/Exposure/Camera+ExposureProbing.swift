public import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Measures the laws of exposure time and gain in pictures of a still scene under steady light.
  /// The exposure is restored at the end.
  ///
  /// The laws are those of linear light: a wrong transfer function distorts them.
  ///
  /// Error: each law is within 1 % of the truth (`ExposureTests`).
  ///
  /// - Parameter progress: A closure that is called with the number of settings observed and its
  ///   upper limit.
  /// - Throws: `noControl` if neither can be set, `noLaw` if the picture does not follow,
  ///   `exposureNotSeen` if it does not change, `sceneChanged` if the light differs at the end,
  ///   `cardUnreadable` if everything is clipped or black.
  public func probeExposure(
    progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> ExposureLaws {
    if let known = timeLaw, await port.description(of: .gain) == nil {
      return ExposureLaws(time: known.law, gain: nil, latency: known.latency)
    }
    let laws = try await puttingExposureBack { camera async throws(CameraError) in
      try await camera.measureExposureLaws(progress)
    }
    // The caller continues with the restored exposure in the picture.
    try await skipFrames(laws.latency + 4)
    return laws
  }

  private func measureExposureLaws(
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> ExposureLaws {
    let noControl = CameraError.noControl(.exposureTime, camera: await port.identity.name)
    let gainControl = await port.description(of: .gain)
    if await exposureTimeControl == nil, gainControl == nil { throw noControl }
    try await beginExposingByHand()
    func usable(_ control: ControlDescription?) async throws(CameraError) -> ControlDescription? {
      guard let control, control.items.isEmpty,
        try await port.flags(of: control.id).isDisjoint(with: [.readOnly, .inactive])
      else { return nil }
      return control
    }
    let time = try await usable(exposureTimeControl)
    let gain = try await usable(gainControl)
    guard let first = time ?? gain else { throw noControl }
    if let gain, time != nil { try await send([ControlValue(gain.id, gain.minimum)]) }
    var latency = 0
    var done = 0
    func probe(
      _ control: ControlDescription, at reference: Int
    ) async throws(CameraError) -> ControlLaw {
      try await self.law(of: control, at: reference, latency: &latency) {
        done += 1
        progress(done, (time != nil && gain != nil ? 2 : 1) * ExposureSweep.most)
      }
    }
    let level: Double
    let firstLaw: ControlLaw
    if let known = timeLaw, known.law.control.id == first.id {
      (firstLaw, latency) = known
      try await skipFrames(latency + 4)
      level = try await meanLight(2).level
    } else {
      let found = try await exposeBetween(0.1...0.45, by: first)
      level = found.level
      firstLaw = try await probe(first, at: found.value)
    }
    guard let gain, time != nil else {
      return ExposureLaws(
        time: time != nil ? firstLaw : nil, gain: time == nil ? firstLaw : nil, latency: latency)
    }
    // The exposure is reduced first, because most gains amplify by up to 16.
    let dim = firstLaw.nearestValue(
      for: max(firstLaw.gainRange.lowerBound, min(0.2, 0.035 / level)))
    try await send([ControlValue(first.id, dim)])
    // Frames may be waiting in a queue.
    try await skipFrames(latency + 4)
    let laws = ExposureLaws(
      time: firstLaw, gain: try await probe(gain, at: gain.minimum), latency: latency)
    try await requireProduct(laws)
    return laws
  }

  /// Turns automatic exposure and gain off, and waits until their last change shows.
  private func beginExposingByHand() async throws(CameraError) {
    let areOff = [try await isOff(.exposureMode), try await isOff(.autoGain)]
    try await turnOff([.exposureMode, .autoGain])
    let wereOff = !areOff.contains(false)
    // After a series of exposures nothing is changing.
    let isSettled = isPrompt && exposureSeries != nil
    if !isSettled || !wereOff {
      try await skipFrames(wereOff ? Self.latencyBound : Self.longestLatency)
    }
    if try await value(of: .exposurePriority) ?? 0 != 0 {
      try await send([ControlValue(.exposurePriority, 0)])
    }
  }

  /// Verifies that time and gain together have the product of their effects; with a wrong tone
  /// curve they do not.
  private func requireProduct(_ laws: ExposureLaws) async throws(CameraError) {
    guard let time = laws.time, let gain = laws.gain else { return }
    func light(_ values: [ControlValue]) async throws(CameraError) -> PictureLight {
      try await send(values)
      return try await steadyLight(after: laws.latency)
    }
    let reference = [
      ControlValue(time.control.id, time.reference), ControlValue(gain.control.id, gain.reference),
    ]
    let amplification = min(2.5, laws.amplifications.upperBound)
    let together = [
      ControlValue(time.control.id, time.nearestValue(for: 1 / amplification)),
      ControlValue(gain.control.id, gain.nearestValue(for: amplification)),
    ]
    let before = try await light(reference)
    guard let seen = try await light(together).stops(above: before) else { return }
    let promised = logarithm(laws.light(at: together)) / logarithm(2)
    guard abs(seen - promised) < 0.06 else {
      throw .noLaw(
        time.control.id,
        reason: "with \(gain.control.id.rawValue) it changes the exposure by \(shortNumber(seen)) "
          + "stops instead of the predicted \(shortNumber(promised)), so the pictures do not "
          + "follow the tone curve that the camera reports")
    }
  }

  /// The law of the time from an earlier series of exposures.
  private var timeLaw: (law: ControlLaw, latency: Int)? {
    guard let law = exposureSeries?.law, let latency = exposureSeries?.latency else {
      return nil
    }
    return (law, latency)
  }

  private static let framesOfAPoint = 6
  private static let framesInSuccession = 4

  /// Finds a value of a control at which the picture's level is in a range and little is clipped;
  /// returns the value and the level.
  private func exposeBetween(
    _ levels: ClosedRange<Double>, by control: ControlDescription
  ) async throws(CameraError) -> (value: Int, level: Double) {
    let isSettled = isPrompt && exposureSeries != nil
    // Frames may be waiting in a queue.
    var wait = isSettled ? delay : Self.latencyBound + 4
    var found: Double?
    try await move(control) { camera async throws(CameraError) in
      let light = try await camera.settledLight(after: wait).light
      wait = 0
      if levels ~= light.level, light.clipped < 0.02 {
        found = light.level
        return nil
      }
      return light.level > levels.lowerBound ? 0.25 : 0.3 / max(light.level, 0.02)
    }
    guard let found else { throw .cardUnreadable(try await nextMean().1.refusals) }
    return (try await port.value(of: control.id), found)
  }

  /// Returns the law of one control, from values around one at which the picture can be measured.
  private dynamic func law(
    of control: ControlDescription, at reference: Int, latency: inout Int,
    _ step: () -> Void
  ) async throws(CameraError) -> ControlLaw {
    let base = try await meanLight(2 * Self.framesOfAPoint)
    if latency == 0 {
      latency =
        if control.id == exposureSeries?.control, let seen = exposureSeries?.latency {
          seen
        } else {
          try await latencyOfExposure(control, from: reference, base)
        }
    }
    var sweep = ExposureSweep(of: control, reference: reference, level: base.level)
    func light(at value: Int) async throws(CameraError) -> PictureLight {
      try await send([ControlValue(control.id, value)])
      return try await steadyLight(after: latency)
    }
    while let batch = sweep.next() {
      let successive = try await lights(
        of: batch.values.prefix(batch.visible).map { ControlValue(control.id, $0) },
        latency: latency)
      for (index, value) in batch.values.enumerated() where sweep.isWanted(value) {
        step()
        let known = index < successive.count ? successive[index] : nil
        let light = if let known { known } else { try await light(at: value) }
        let stops = light.stops(above: base).flatMap {
          abs($0) < 7 && light.clipped < 0.3 ? $0 : nil
        }
        sweep.add(value, light: stops.map { power(2, $0) })
      }
    }
    if let drift = try await light(at: reference).stops(above: base), abs(drift) > 0.03 {
      throw .sceneChanged(by: power(2, abs(drift)) - 1)
    }
    guard let law = sweep.law else {
      throw .noLaw(control.id, reason: "the exposure of the picture does not follow it")
    }
    guard law.fitError < 0.03 else {
      throw .noLaw(
        control.id,
        reason: "no law describes its exposure to better than \(shortNumber(law.fitError * 100)) %")
    }
    return law
  }

  /// Returns the mean of some frames between which the light did not change: a camera is late
  /// occasionally, and frames may be waiting in a queue.
  ///
  /// - Parameter latency: The latency of the setting that was just made, in frames.
  private func steadyLight(after latency: Int) async throws(CameraError) -> PictureLight {
    let half = Self.framesOfAPoint / 2
    try await skipFrames(latency + (isPrompt ? 1 : 4))
    var before = try await meanLight(half)
    if isPrompt {
      let now = try await meanLight(half)
      // The sooner frames are read, the closer they must agree.
      if abs(now.stops(above: before) ?? 0) < 0.01 {
        return PictureLight(averaging: [before, now])
      }
      try await skipFrames(4)
      before = try await meanLight(half)
    }
    for _ in 0..<8 {
      let now = try await meanLight(half)
      if abs(now.stops(above: before) ?? 0) < 0.03 {
        return PictureLight(averaging: [before, now])
      }
      before = now
    }
    throw .notSettled(frames: 9 * half)
  }

  /// Returns the light at values that are set in quick succession; `nil` for those that must be
  /// observed one at a time.
  private func lights(
    of values: [ControlValue], latency: Int
  ) async throws(CameraError) -> [PictureLight?] {
    guard isPrompt, values.count > 1 else { return values.map { _ in nil } }
    let order = Array(values.indices).alternating
    let seen = try await readInSuccession(
      order.map { [values[$0]] }, latency: latency, count: Self.framesInSuccession,
      isSame: { one, other in
        guard let stops = one.stops(above: other) else {
          return abs(one.level - other.level) < 0.01
        }
        return abs(stops) < 0.01
      }
    ) { () async throws(CameraError) in try await nextLight() }.seen
    return values.indices.map { index in
      order.firstIndex(of: index).flatMap { seen[$0] }.map { PictureLight(averaging: $0) }
    }
  }

  /// Measures the latency of a large change of a control, in frames, and restores the control.
  ///
  /// - Throws: `settingNotKept` or `exposureNotSeen` if neither direction changes the picture.
  private func latencyOfExposure(
    _ control: ControlDescription, from reference: Int, _ base: PictureLight
  ) async throws(CameraError) -> Int {
    let settledFrames = isPrompt ? Self.agreeingFrames : Self.latencyBound
    // In stops; a picture that cannot be compared is far too bright or too dark.
    func distance(_ light: PictureLight) -> Double { abs(light.stops(above: base) ?? 10) }
    var (found, largest) = (0, 0.0)
    var last: ControlValue?
    for isUp in [false, true] {
      let values = control.spread(from: reference, isUp: isUp)
      guard !values.isEmpty else { continue }
      let other = ControlValue(control.id, values[values.count / 2])
      last = other
      var away = 0.0
      for value in [other, ControlValue(control.id, reference)] {
        let start = try await nextLight().0
        try await send([value])
        var seen: [(frame: FrameInfo, distance: Double)] = []
        for _ in 0..<Self.longestLatency {
          let (frame, light) = try await nextLight()
          seen.append((frame, distance(light)))
          largest = max(largest, distance(light))
          // Once the picture has changed and settled, it stays.
          let last = seen.suffix(settledFrames).map(\.distance)
          let hasLeft = value == other ? last[0] > 0.3 : last[0] < 0.3 * away
          if hasLeft, last.count == settledFrames, last.allSatisfy({ abs($0 - last[0]) < 0.05 }) {
            break
          }
        }
        let isOut = value == other
        if isOut { away = seen.last?.distance ?? 0 }
        guard away > 0.3,
          let first = seen.first(where: {
            isOut ? $0.distance > 0.7 * away : $0.distance < 0.3 * away
          })
        else { continue }
        // The frames' numbers count, because some frames may be lost during processing.
        found = max(
          found, min(first.frame.sequence - start.sequence - 1, Self.longestLatency))
      }
      if found > 0 { break }
    }
    if largest < 0.02, let last {
      // If the camera reports another value, that is the error.
      try await setAndReadBack([last])
      throw .exposureNotSeen(expected: nil, seen: 0, frames: Self.longestLatency)
    }
    return found
  }
}
