internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The camera with the laws of its white-balance controls: what their numbers mean, from the
  /// pictures of a still scene.
  ///
  /// It takes a few hundred frames, and reads each of them; a simulated camera draws them first, so
  /// use one of 64×48 pixels in tests.
  ///
  /// Leaves the automatic off and the controls at the laws' reference: their defaults, or where the
  /// picture is black or clipped there, a value at which it is not. Where the laws depend on the
  /// camera's gain, that is among `held`. What fails leaves the camera as it was before.
  ///
  /// - Parameter progress: called with the number of settings tried and their total so far known.
  /// - Throws: `noWhiteBalance` where there is nothing to probe, `noLaw` where no law describes
  ///   what the picture shows, `exposureNotHeld` where the camera makes up for what red and blue
  ///   do to the brightness.
  public func probed(
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> ProbedCamera {
    try await probed(isPart: false, progress: progress)
  }

  /// The same; where it is a part of more, what becomes of settings may be left open, for
  /// `LightComparison` to find out at its end.
  package func probed(
    isPart: Bool, progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> ProbedCamera {
    let found = try await restoringOnFailure { camera async throws(CameraError) in
      try await camera.findLaws(isPart, progress)
    }
    var camera = self
    camera.turnsOffOnce = found.laws.endurance == nil
    (camera.latency, camera.pace) = (found.camera.latency, found.camera.pace)
    return ProbedCamera(camera, laws: found.laws, probe: found.probe)
  }

  /// What probing has found.
  private struct Found {
    /// The camera with what is known of it now.
    var camera: Camera
    var laws: ControlLaws
    var probe: ChannelProbe?
  }

  private func findLaws(
    _ isPart: Bool, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> Found {
    let ids = Set(await port.controls.map(\.id))
    var failure = CameraError.noWhiteBalance(camera: await port.identity.name)
    if ids.isSuperset(of: [.redBalance, .blueBalance]) {
      do throws(CameraError) {
        var controls = [
          try await port.required(.redBalance), try await port.required(.blueBalance),
        ]
        if let green = await port.description(of: .greenBalance) { controls.insert(green, at: 1) }
        return try await findLaws(of: controls, isPart) { camera, start async throws(CameraError) in
          try await camera.probeChannels(controls, start, progress)
        }
      } catch {
        // Some cameras have both kinds of control, of which only the other can be used.
        switch error {
        case .noLaw, .notSet(_, .automatic, _): failure = error
        default: throw error
        }
      }
    }
    for id in [ControlID.whiteBalanceTemperature, .whiteBalancePreset] where ids.contains(id) {
      let control = try await port.required(id)
      guard control.items.isEmpty || control.choices.count >= 2 else {
        throw .noLaw(id, reason: "its menu has no two lights to choose from")
      }
      return try await findLaws(of: [control], isPart) { camera, _ async throws(CameraError) in
        (try await camera.probePath(control, progress), nil)
      }
    }
    throw failure
  }

  /// The laws of controls, from their reference: quickly, and where that finds none, with care.
  private func findLaws(
    of controls: [ControlDescription], _ isPart: Bool,
    _ probe: (Camera, Place) async throws(CameraError) -> (ControlLaws, ChannelProbe?)
  ) async throws(CameraError) -> Found {
    try await skipFrames(1)
    if !isThorough, let found = try await findQuickly(controls, isPart, probe) { return found }
    let camera = try await takingOver()
    var start = try await camera.findReference(controls)
    let nudge = try await camera.nudge(start.values, controls[0], &start.seen)
    let (laws, channels) = try await probe(nudge.camera, start)
    return Found(camera: nudge.camera, laws: laws, probe: channels)
  }

  /// The laws of controls, while an automatic that was turned off once may come back; what then
  /// remains of the time in which it may is watched at the end. `nil` where the light flickers, or
  /// the picture does not follow laws.
  private func findQuickly(
    _ controls: [ControlDescription], _ isPart: Bool,
    _ probe: (Camera, Place) async throws(CameraError) -> (ControlLaws, ChannelProbe?)
  ) async throws(CameraError) -> Found? {
    try await turnOffAutomatic()
    var camera = self
    camera.turnsOffOnce = true
    var start = try await camera.findReference(controls)
    camera.learn(from: start.seen)
    guard start.seen.flickers != true, !flickers else { return nil }
    if camera.latency == nil || camera.pace == nil {
      // A first move tells how soon settings show.
      camera.learn(from: try await camera.moved(controls[0], from: start).seen)
    }
    do throws(CameraError) {
      var (laws, channels) = try await probe(camera, start)
      camera.latency = laws.latency
      camera.pace = camera.pace ?? 1
      if !isPart, endurance == nil {
        camera = try await camera.nudge(start.values, controls[0], &start.seen).camera
        laws.endurance = camera.endurance
        if laws.reference != start.values { try await camera.setToReference(of: laws) }
      }
      return Found(camera: camera, laws: laws, probe: channels)
    } catch {
      switch error {
      case .noLaw, .notSettled, .notHeld, .automaticReturned: break
      default: throw error
      }
    }
    // Under another light than at first there would be laws, but not of the light that was named.
    let again = try await observe(start.values)
    guard isSame(again, start.seen) else {
      throw try await blame(start.values, seen: start.seen, afterFrames: PictureWatch.limit)
    }
    return nil
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

  /// A control moved a little, alone, in light that clips nothing; `nil` where that is seen
  /// nowhere.
  private func movedAlone(
    _ control: ControlDescription, from reference: [ControlValue]
  ) async throws(CameraError) -> Place? {
    let value = reference[control.id] ?? control.defaultValue
    for share in [0.1, -0.1, 0.03, -0.03, 0.01, -0.01] {
      let other = control.snapped(
        Double(value) + share * Double(control.largest - control.minimum))
      let values = reference.replacing(control.id, by: other)
      if other != value, let seen = try await look(at: values) {
        return Place(values: values, seen: seen)
      }
    }
    return nil
  }

  /// Whether a control changes other channels than its own.
  private static func mixes(
    _ control: ControlDescription, from start: PictureWatch.Rest, to moved: PictureWatch.Rest
  ) -> Bool {
    let change = moved.mean.vector * moved.exposure - start.mean.vector * start.exposure
    let channel = ChannelProbe.index(of: control.id)
    return (0..<3).contains {
      $0 != channel && abs(change[$0]) > 2 * ChannelProbe.unmixed * abs(change[channel])
    }
  }

  /// The controls at values where the picture can be measured, and what it shows there.
  func findReference(_ controls: [ControlDescription]) async throws(CameraError) -> Place {
    try await turnOffAutomatic()
    // Where a matrix makes colors of the defaults that no picture has, the controls may still be
    // where the picture can be seen.
    var now: [ControlValue] = []
    for control in controls {
      now.append(ControlValue(control.id, control.nearest(try await port.value(of: control.id))))
    }
    let standard = controls.map { ControlValue($0.id, $0.nearest($0.defaultValue)) }
    let others = [0.25, 0.5, 0.125].map { share in
      controls.map { ControlValue($0.id, $0.nearest($0.value(atShare: share))) }
    }
    for values in [standard, now] + others {
      if let seen = try await observe(values) { return Place(values: values, seen: seen) }
    }
    throw .nothingToSee(try await nextMean().1.refusals)
  }

  /// The linear value below which a channel says little of its gain.
  private static let dark = 0.03
  private static let shares = [0.04, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1]
  private static let fewShares = [0.04, 0.2, 0.45, 1]
  private static let sharesBetween = [0.1, 0.65]
  /// The change of ln(red/green), ln(blue/green) by which the picture may drift.
  private static let drift = 0.015

  private func probeChannels(
    _ controls: [ControlDescription], _ place: Place, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> (ControlLaws, ChannelProbe) {
    let heldExposure = try await holdsExposure()
    if heldExposure == false { throw .exposureNotHeld(camera: await port.identity.name) }
    let reference = place.values
    let isBright = place.seen.mean.vector.max() > Self.bright
    let first = isBright ? try await look(at: reference) : place.seen
    var alone: [Place] = []
    var isMixed = false
    for control in controls where !isMixed {
      guard let first, let moved = try await movedAlone(control, from: reference) else { continue }
      isMixed = Self.mixes(control, from: first, to: moved.seen)
      alone.append(moved)
    }
    if !isThorough, !isMixed, !isBright, alone.count == 2, controls.count == 2,
      let probe = try await probedTogether(
        controls, from: place, alone: alone, holdsExposure: heldExposure, progress)
    {
      return (try await completed(try probe.laws.laws(latency: probe.latency)), probe.laws)
    }
    // Where channels are mixed, neutral leaves the most room in all directions.
    let neutral =
      isMixed ? try await searchForNeutral(laws: nil, isPart: turnsOffOnce).applied.values : []
    let base = reference.replacing(with: neutral)
    guard let start = try await observe(base) else {
      throw .nothingToSee(try await nextMean().1.refusals)
    }
    let origin = start.ratios
    var latency = latency ?? 0
    var tried = 0
    // A simple law needs so many, any other more.
    var total = controls.count * (Self.fewShares.count + 4)
    var channels: [ChannelProbe.Channel] = []
    for (control, initial) in zip(controls, base) {
      var points = [ControlLaw.Point(value: initial.value, gain: 1)]
      // How far the own channel moves, in which a law is as straight or bent as in its gains.
      var moved = points
      var samples: [ChannelProbe.Sample] = []
      var unseen: Set<Int> = []
      // Where a matrix asks a channel for less than nothing, the picture follows no law.
      var cutOff: Set<Int> = []
      func probe(_ value: Int) async throws(CameraError) {
        total = max(total, tried + 1)
        progress(tried, total)
        tried += 1
        let setting = [ControlValue(control.id, value)]
        let seen = try await look(at: setting)
        // A setting that clips the channel or blackens it says nothing about the law.
        guard let seen else {
          unseen.insert(value)
          return
        }
        latency = max(latency, seen.latency ?? 0)
        let change = seen.ratios - origin
        points.append(ControlLaw.Point(value: value, gain: Self.gain(of: control.id, change)))
        samples.append(
          ChannelProbe.Sample(value: value, mean: seen.mean, exposure: seen.exposure))
        if isMixed, seen.mean.vector.min() < ChannelProbe.nearBlack {
          cutOff.insert(value)
          return
        }
        let channel = ChannelProbe.index(of: control.id)
        moved.append(
          ControlLaw.Point(
            value: value,
            gain: seen.exposure * seen.mean.vector[channel] / start.mean.vector[channel]))
      }
      func test(_ count: Int) async throws(CameraError) -> Set<Int> {
        let between = moved.valuesBetween(count, of: control)
        for value in between { try await probe(value) }
        return Set(between)
      }
      let standard = reference[control.id] ?? initial.value
      func values(at shares: [Double]) -> [Int] {
        Set(shares.map(control.value(atShare:)) + [standard]).subtracting(moved.map(\.value))
          .subtracting(unseen.union(cutOff)).sorted()
      }
      // A simple law shows in a few places, up, once down, and between.
      let few = values(at: Self.fewShares)
      for value in few { try await probe(value) }
      if few.count > 1 { try await probe(few[few.count / 2]) }
      var tested = try await test(2)
      let isSimple =
        !isThorough && unseen.isEmpty && moved.areSimple(of: control, testedBy: tested)
      if !isSimple {
        // Values that are spread evenly follow another law best.
        points.removeAll { tested.contains($0.value) }
        moved.removeAll { tested.contains($0.value) }
        samples.removeAll { tested.contains($0.value) }
        let more = values(at: Self.shares)
        for value in more { try await probe(value) }
        // The other direction: a law has no memory.
        for value in (few + more).sorted().reversed().dropFirst().enumerated()
        where value.offset % 2 == 0 {
          try await probe(value.element)
        }
      }
      // What can be seen ends somewhere between two values.
      for _ in 0..<3 {
        let seen = moved.map(\.value)
        let lost = unseen.union(cutOff)
        let below = lost.filter { $0 < seen.min() ?? 0 }.max()
        let above = lost.filter { $0 > seen.max() ?? 0 }.min()
        for (edge, end) in [(below, seen.min()), (above, seen.max())] {
          guard let edge, let end else { continue }
          let middle = control.snapped(Double(edge + end) / 2)
          if middle != edge, middle != end { try await probe(middle) }
        }
      }
      while !isSimple, let gap = moved.widestGap(step: control.step) {
        try await probe(control.snapped(gap))
      }
      if !isSimple { tested = try await test(5) }
      if !isSimple, !moved.describeOthers(of: control, testedBy: tested) {
        // Stairs, perhaps: each edge lies between two values that are neighbors.
        var found = (edges: 0, slopes: 0)
        while let pair = moved.widestStep(step: control.step),
          found.edges + found.slopes < 200, found.slopes <= 20 + found.edges
        {
          let middle = control.snapped(Double(pair.0.value + pair.1.value) / 2)
          let before = moved.count
          try await probe(middle)
          guard moved.count > before, let gain = moved.last?.gain else { break }
          let isEdge = [pair.0.gain, pair.1.gain].contains {
            abs(logarithm($0 / gain)) < [ControlLaw.Point].level
          }
          if isEdge { found.edges += 1 } else { found.slopes += 1 }
        }
        tested = try await test(5)
      }
      if let again = try await observe([initial]) {
        let drift = again.ratios - origin
        guard PictureWatch.size(drift) < Self.drift else {
          throw try await blame(base, seen: start, afterFrames: PictureWatch.limit)
        }
      }
      if heldExposure == nil, control.id == .redBalance,
        Self.keepsLuma(start.mean, samples.map { LinearRGB($0.mean.vector * $0.exposure) })
      {
        throw .exposureNotHeld(camera: await port.identity.name)
      }
      // Near black a gain is known too badly for all others to be told beside it.
      let isWellSeen = samples.contains { sample in
        sample.value == standard
          && sample.mean.vector[ChannelProbe.index(of: control.id)] * sample.exposure >= Self.dark
      }
      channels.append(
        ChannelProbe.Channel(
          control: control, base: initial.value, reference: isWellSeen ? standard : initial.value,
          points: points, samples: samples, tested: tested))
    }
    let pictures = try await nextFrame { _, layout, _ in layout.transfer }.1
    let probe = ChannelProbe(origin: start.mean, channels: channels, transfer: pictures)
    return (try await completed(try probe.laws(latency: latency)), probe)
  }

  /// The pictures of red and blue moved at once, where neither changes a channel but its own and
  /// both follow simple laws; `nil` where it takes more to know.
  ///
  /// - Parameter alone: red and blue moved one by one.
  private func probedTogether(
    _ controls: [ControlDescription], from start: Place, alone: [Place], holdsExposure: Bool?,
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> (laws: ChannelProbe, latency: Int)? {
    let few = Self.fewShares.map { share in controls.map { $0.value(atShare: share) } }
    let between = Self.sharesBetween.map { share in controls.map { $0.value(atShare: share) } }
    // Up, once down, and between.
    let all = few + [few[few.count / 2]] + between
    var seen = alone
    var latency = alone.compactMap(\.seen.latency).max() ?? 0
    var shown = alone.last?.seen
    for (index, numbers) in all.enumerated() {
      progress(index, all.count)
      let values = zip(controls, numbers).map { ControlValue($0.id, $1) }
      guard let rest = try await look(at: values, from: shown) else { return nil }
      latency = max(latency, rest.latency ?? 0)
      shown = rest.exposure == 1 ? rest : nil
      seen.append(Place(values: values, seen: rest))
    }
    guard let again = try await observe(start.values, from: shown) else { return nil }
    guard PictureWatch.size(again.ratios - start.seen.ratios) < Self.drift else {
      throw try await blame(start.values, seen: start.seen, afterFrames: PictureWatch.limit)
    }
    let origin = start.seen.mean
    if holdsExposure == nil,
      Self.keepsLuma(origin, seen.map { LinearRGB($0.seen.mean.vector * $0.seen.exposure) })
    {
      throw .exposureNotHeld(camera: await port.identity.name)
    }
    var channels: [ChannelProbe.Channel] = []
    for (index, control) in controls.enumerated() {
      let base = start.values[control.id] ?? control.defaultValue
      let own = ChannelProbe.index(of: control.id)
      let tested = Set(between.map { $0[index] })
      var channel = ChannelProbe.Channel(
        control: control, base: base, reference: base,
        points: [ControlLaw.Point(value: base, gain: 1)], samples: [], tested: tested)
      var moved = channel.points
      for place in seen {
        guard let value = place.values[control.id], value != base else { continue }
        let change = place.seen.ratios - start.seen.ratios
        channel.points.append(
          ControlLaw.Point(value: value, gain: Self.gain(of: control.id, change)))
        let level = place.seen.mean.vector[own] * place.seen.exposure
        moved.append(ControlLaw.Point(value: value, gain: level / origin.vector[own]))
        var mean = origin.vector
        mean[own] = level
        channel.samples.append(ChannelProbe.Sample(value: value, mean: LinearRGB(mean)))
      }
      guard moved.areSimple(of: control, testedBy: tested) else { return nil }
      channels.append(channel)
    }
    let transfer = try await nextFrame { _, layout, _ in layout.transfer }.1
    return (ChannelProbe(origin: origin, channels: channels, transfer: transfer), latency)
  }

  /// Whether pictures with more or less red are all as bright, as an automatic exposure makes them;
  /// no color matrix does.
  private static func keepsLuma(_ start: LinearRGB, _ pictures: [LinearRGB]) -> Bool {
    func luma(_ picture: LinearRGB) -> Double { (picture.vector * Saturation.luma).sum() }
    var (product, square) = (0.0, 0.0)
    for picture in pictures {
      let change = (picture.logRatios - start.logRatios).x
      // In a picture almost without red, less of it makes nothing darker.
      guard abs(change) < 1 else { continue }
      product += change * logarithm(luma(picture) / luma(start))
      square += change * change
    }
    return square > 0.1 && abs(product) < 0.04 * square
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

  static func nothingSeen(of id: ControlID) -> CameraError {
    .noLaw(
      id, reason: "the picture is clipped or black at nearly all of its values; change the exposure"
    )
  }

  static func noChange(by id: ControlID) -> CameraError {
    .noLaw(id, reason: "the picture does not change with it")
  }

  /// The largest error of a law.
  static let roughest = 0.03

  static func requireSmooth(_ fitError: Double, _ id: ControlID) throws(CameraError) {
    guard fitError < roughest else {
      throw .noLaw(
        id,
        reason: "the picture's response to it follows no smooth curve (off by "
          + "\(shortNumber(fitError * 100)) %)")
    }
  }
}
