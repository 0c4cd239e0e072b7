internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The camera with the laws of its white-balance controls: what their numbers mean, from the
  /// pictures of a still scene.
  ///
  /// It takes a few hundred frames, and reads each of them. A simulated camera of 640×480 pixels in
  /// a debug build needs about 40 s, one of 64×48 less than a second: use that in tests.
  ///
  /// Leaves the automatic off and the controls at the laws' reference: their defaults, or where the
  /// picture is black or clipped there, a value at which it is not. Where the laws depend on the
  /// camera's gain, that is among `held`. What fails leaves the camera as it was before.
  ///
  /// - Parameter progress: called with the number of settings tried and their total so far known.
  /// - Throws: `noWhiteBalance` where there is nothing to probe, `noLaw` where no law describes
  ///   what the picture shows.
  public func probed(
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> ProbedCamera {
    let (laws, probe) = try await restoringOnFailure { camera async throws(CameraError) in
      try await camera.findLaws(progress)
    }
    return ProbedCamera(self, laws: laws, probe: probe)
  }

  private func findLaws(
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> (ControlLaws, ChannelProbe?) {
    let ids = Set(await port.controls.map(\.id))
    var failure = CameraError.noWhiteBalance(camera: await port.identity.name)
    if ids.isSuperset(of: [.redBalance, .blueBalance]) {
      do throws(CameraError) { return try await probeChannels(progress) } catch {
        // Some cameras have both kinds of control, of which only the other can be used.
        switch error {
        case .noLaw, .notSet(_, .automatic, _): failure = error
        default: throw error
        }
      }
    }
    for id in [ControlID.whiteBalanceTemperature, .whiteBalancePreset] where ids.contains(id) {
      return (try await probePath(id, progress), nil)
    }
    throw failure
  }

  /// Turns the automatic off, sets the white-balance controls to where probing would start, as
  /// described at `probed(progress:)`, and waits for the picture.
  public func setToReference() async throws(CameraError) {
    try await performing { camera async throws(CameraError) in
      let all = await camera.port.controls
      var controls = ControlID.balances.compactMap { id in all.first { $0.id == id } }
      if controls.isEmpty { controls = all.filter { $0.id == .whiteBalanceTemperature } }
      if controls.isEmpty { return try await camera.settle(after: camera.delay) }
      _ = try await camera.findReference(controls)
    }
  }

  /// What a picture showed of a setting.
  struct Observation {
    /// ln(red/green), ln(blue/green).
    var ratios: SIMD2<Double>
    /// What noise leaves uncertain of them.
    var noise: Double
    /// The linear picture's mean.
    var mean: LinearRGB
    /// How many frames later.
    var latency: Int
    /// The first frame that shows it; `nil` where the change is too small to tell.
    var firstFrame: FrameInfo?
  }

  /// Sets controls and waits for the picture; `nil` where it is clipped or black.
  func observe(_ values: [ControlValue]) async throws(CameraError) -> Observation? {
    try await setAndReadBack(values)
    var seen: [SIMD2<Double>?] = []
    var means: [LinearRGB] = []
    var frames: [FrameInfo] = []
    for frame in 0..<delay + Self.frameLimit {
      let (info, latest) = try await nextMean()
      seen.append(latest.ratios)
      means.append(latest.mean)
      frames.append(info)
      guard frame >= delay + Self.agreeingFrames - 1 else { continue }
      let last = seen.suffix(Self.agreeingFrames).compactMap(\.self)
      if last.isEmpty { return nil }
      let tolerance = max(0.002, 6 * latest.standardError)
      guard last.count == Self.agreeingFrames, Self.spread(last) < tolerance else { continue }
      let mean = last.reduce(.zero, +) / Double(last.count)
      let misses = seen.map { ratios in
        ratios.map { max(abs($0.x - mean.x), abs($0.y - mean.y)) } ?? .infinity
      }
      // A change within the noise has no first frame; most of a larger one marks it.
      let most = misses.filter(\.isFinite).max() ?? 0
      let first = most > 10 * tolerance ? misses.firstIndex { $0 < 0.2 * most } : nil
      return Observation(
        ratios: mean, noise: latest.standardError, mean: .mean(means.suffix(Self.agreeingFrames)),
        latency: first ?? 0, firstFrame: first.map { frames[$0] })
    }
    throw .notSettled(frames: Self.frameLimit)
  }

  /// The same; where the picture is so bright that something behind the gains may be clipped, in
  /// less light, for which the mean makes up.
  func look(at values: [ControlValue]) async throws(CameraError) -> Observation? {
    var seen = try await observe(values)
    if seen?.mean.vector.max() ?? 1 > Self.bright {
      let full = try await manualExposure()?.time
      try await exposing { expose async throws(CameraError) in
        let time = try await expose(0.25)
        seen = try await observe(values)
        if let full, let dim = seen?.mean.vector {
          seen?.mean = LinearRGB(dim * (Double(full) / time))
        }
      }
    }
    return seen
  }

  /// Whether a control changes other channels than its own.
  private func mixes(
    _ control: ControlDescription, at reference: [ControlValue]
  ) async throws(CameraError) -> Bool {
    guard let value = reference[control.id], let start = try await look(at: reference) else {
      return false
    }
    var isMixed = false
    for share in [0.1, -0.1] {
      let other = control.snapped(
        Double(value) + share * Double(control.largest - control.minimum))
      guard other != value,
        let seen = try await look(at: reference.replacing(control.id, by: other))
      else { continue }
      let change = seen.mean.vector - start.mean.vector
      let channel = ChannelProbe.index(of: control.id)
      isMixed = (0..<3).contains {
        $0 != channel && abs(change[$0]) > 2 * ChannelProbe.unmixed * abs(change[channel])
      }
      break
    }
    _ = try await observe(reference)
    return isMixed
  }

  /// The controls at values where the picture can be measured, and what it shows there.
  func findReference(
    _ controls: [ControlDescription]
  ) async throws(CameraError) -> ([ControlValue], SIMD2<Double>) {
    try await turnOffAutomatic()
    // Where a matrix makes colors of the defaults that no picture has, the controls may still be
    // where the picture can be seen.
    var now: [ControlValue] = []
    for control in controls {
      let value = try await port.value(of: control.id)
      now.append(ControlValue(control.id, control.snapped(Double(value))))
    }
    let standard = controls.map { ControlValue($0.id, $0.snapped(Double($0.defaultValue))) }
    let others = [0.25, 0.5, 0.125].map { share in
      controls.map { ControlValue($0.id, $0.value(atShare: share)) }
    }
    for values in [standard, now] + others {
      if let seen = try await observe(values) { return (values, seen.ratios) }
    }
    throw .nothingToSee(try await nextMean().1.refusals)
  }

  private static let shares = [0.04, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1]
  /// ln of the gain between neighboring points of a curve.
  private static let finest = 0.25
  /// The change of ln(red/green), ln(blue/green) by which the picture may drift.
  private static let drift = 0.015
  /// The largest linear value at which nothing behind the gains is clipped.
  private static let bright = 0.7

  private func probeChannels(
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> (ControlLaws, ChannelProbe?) {
    var controls = [try await port.required(.redBalance), try await port.required(.blueBalance)]
    if let green = await port.description(of: .greenBalance) { controls.insert(green, at: 1) }
    let reference = try await findReference(controls).0
    // Where channels are mixed, neutral leaves the most room in all directions.
    let base =
      try await mixes(controls[0], at: reference)
      ? reference.replacing(with: try await searchForNeutral(laws: nil).applied.values) : reference
    guard let start = try await look(at: base) else {
      throw .nothingToSee(try await nextMean().1.refusals)
    }
    let origin = start.ratios
    var latency = 0
    var tried = 0
    var total = controls.count * (Self.shares.count * 3 / 2)
    var channels: [ChannelProbe.Channel] = []
    for (control, initial) in zip(controls, base) {
      var points = [ControlLaw.Point(value: initial.value, gain: 1)]
      // How far the own channel moves, in which a law is as straight or bent as in its gains.
      var moved = points
      var samples: [ChannelProbe.Sample] = []
      var unseen: Set<Int> = []
      func probe(_ value: Int) async throws(CameraError) {
        progress(tried, total)
        tried += 1
        let setting = [ControlValue(control.id, value)]
        let seen = try await look(at: setting)
        // A setting that clips the channel or blackens it says nothing about the law.
        guard let seen else {
          unseen.insert(value)
          return
        }
        latency = max(latency, seen.latency)
        let change = seen.ratios - origin
        points.append(ControlLaw.Point(value: value, gain: Self.gain(of: control.id, change)))
        samples.append(ChannelProbe.Sample(value: value, mean: seen.mean))
        let channel = ChannelProbe.index(of: control.id)
        moved.append(
          ControlLaw.Point(
            value: value, gain: seen.mean.vector[channel] / start.mean.vector[channel]))
      }
      let standard = reference[control.id] ?? initial.value
      let values = Set(Self.shares.map(control.value(atShare:)) + [standard])
        .subtracting([initial.value]).sorted()
      for value in values { try await probe(value) }
      // The other direction: a law has no memory.
      for value in values.reversed().dropFirst().enumerated() where value.offset % 2 == 0 {
        try await probe(value.element)
      }
      // What can be seen ends somewhere between two values.
      for _ in 0..<3 {
        let seen = points.map(\.value)
        let below = unseen.filter { $0 < seen.min() ?? 0 }.max()
        let above = unseen.filter { $0 > seen.max() ?? 0 }.min()
        for (edge, end) in [(below, seen.min()), (above, seen.max())] {
          guard let edge, let end else { continue }
          let middle = control.snapped(Double(edge + end) / 2)
          if middle != edge, middle != end { try await probe(middle) }
        }
      }
      while let gap = Self.widestGap(moved, step: control.step) {
        total += 1
        try await probe(control.snapped(gap))
      }
      if let again = try await observe([initial]) {
        let drift = again.ratios - origin
        guard max(abs(drift.x), abs(drift.y)) < Self.drift else {
          throw .notSettled(frames: Self.frameLimit)
        }
      }
      channels.append(
        ChannelProbe.Channel(
          control: control, base: initial.value, reference: standard, points: points,
          samples: samples))
    }
    let probe = ChannelProbe(origin: start.mean, channels: channels)
    return (try await withCouplings(try probe.laws(latency: latency)), probe)
  }

  /// The gain of a control's channel from the change of the ratios, where it changes no other.
  private static func gain(of id: ControlID, _ change: SIMD2<Double>) -> Double {
    switch id {
    case .redBalance: exponential(change.x)
    case .blueBalance: exponential(change.y)
    // Green is under both ratios.
    default: exponential(-(change.x + change.y) / 2)
    }
  }

  /// The middle between two neighbors of a bent law that are far apart; `nil` where all is near, or
  /// the law is a line, which needs no more points.
  private static func widestGap(_ points: [ControlLaw.Point], step: Int) -> Double? {
    let sorted = points.sorted { $0.value < $1.value }
    guard points.count < 32,
      let law = ControlLaw(
        control: ControlDescription(
          id: .redBalance, minimum: sorted[0].value, maximum: sorted[sorted.count - 1].value,
          defaultValue: sorted[0].value), reference: sorted[0].value, points: points),
      case .table(let table) = law.form
    else { return nil }
    let gap = zip(table, table.dropFirst()).filter { $1.value - $0.value > step }
      .map { (middle: Double($0.value + $1.value) / 2, jump: logarithm($1.gain / $0.gain)) }
      .max { $0.jump < $1.jump }
    return gap.flatMap { $0.jump > finest ? $0.middle : nil }
  }

  static func nothingSeen(of id: ControlID) -> CameraError {
    .noLaw(
      id, reason: "the picture is clipped or black at nearly all of its values; change the exposure"
    )
  }

  static func noChange(by id: ControlID) -> CameraError {
    .noLaw(id, reason: "the picture does not change with it")
  }

  static func requireSmooth(_ fitError: Double, _ id: ControlID) throws(CameraError) {
    guard fitError < 0.03 else {
      throw .noLaw(
        id,
        reason: "the picture's response to it follows no smooth curve (off by "
          + "\(shortNumber(fitError * 100)) %)")
    }
  }

  private func probePath(
    _ id: ControlID, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> ControlLaws {
    let control = try await port.required(id)
    let choices = control.choices
    guard control.items.isEmpty || choices.count >= 2 else {
      throw .noLaw(id, reason: "its menu has no two lights to choose from")
    }
    let values =
      control.items.isEmpty
      ? Set((0...12).map { control.value(atShare: Double($0) / 12) }).sorted() : choices
    try await turnOffAutomatic()
    let standard = control.defaultValue
    let reference = values.min { abs($0 - standard) < abs($1 - standard) } ?? standard
    var latency = 0
    var seen: [(value: Int, ratios: SIMD2<Double>)] = []
    let back = values.reversed().dropFirst().enumerated().filter { $0.offset % 3 == 1 }
      .map(\.element)
    for (tried, value) in (values + back).enumerated() {
      progress(tried, values.count + back.count)
      guard let observation = try await observe([ControlValue(id, value)]) else { continue }
      latency = max(latency, observation.latency)
      seen.append((value, observation.ratios))
    }
    guard let origin = seen.first(where: { $0.value == reference })?.ratios,
      let path = GainPath(
        control: control, reference: reference,
        points: seen.map {
          let change = $0.ratios - origin
          return GainPath.Point(
            value: $0.value, red: exponential(change.x), blue: exponential(change.y))
        })
    else { throw Self.nothingSeen(of: id) }
    guard Self.spread(seen.map(\.ratios)) > 0.02 else { throw Self.noChange(by: id) }
    try Self.requireSmooth(path.fitError, id)
    return try await withCouplings(ControlLaws(.path(path), latency: latency))
  }
}
