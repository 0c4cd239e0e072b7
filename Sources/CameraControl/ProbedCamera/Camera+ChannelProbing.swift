internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The change of ln(red/green), ln(blue/green) by which the picture may drift.
  private static let drift = 0.015

  func probeChannels(
    _ controls: [ControlDescription], _ place: Place, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> ControlLaws {
    let heldExposure = exposureSeries != nil ? true : try await holdsExposure()
    if heldExposure == false { throw .exposureNotHeld(camera: await port.identity.name) }
    let isNeutral =
      !neutral.isEmpty && neutral.allSatisfy { place.values[$0.id] == $0.value }
    let isBright = place.seen.mean.vector.max() > Self.bright
    let first = isBright ? try await look(at: place.values) : place.seen
    var alone: [Int: Place] = [:]
    var isMixed = false
    if let first {
      let moves = controls.map { Self.movesAlone($0, from: place.values) }
      // Of few values none may be a small step away.
      let looks = try await look(inSuccession: moves.compactMap(\.first), like: first)
      var quick = looks.makeIterator()
      for (index, control) in controls.enumerated() where !isMixed {
        let seen = moves[index].isEmpty ? nil : quick.next()?.picture
        let found =
          if let seen { Place(values: moves[index][0], seen: seen) } else {
            try await firstSeen(moves[index])
          }
        guard let moved = found else { continue }
        isMixed = Self.mixes(control, from: first, to: moved.seen)
        alone[index] = moved
      }
    }
    // Where channels are mixed, neutral leaves the most room in all directions.
    let base =
      isMixed && !isNeutral ? place.values.replacing(with: try await neutralValues()) : place.values
    // What moves one channel alone may be moved while another one does.
    let isTogether = !isMixed && !isBright && alone.count == controls.count
    guard let start = isTogether ? place.seen : try await observe(base) else {
      throw .nothingToSee(try await nextMean().1.refusals)
    }
    var walks = zip(controls, base).map { control, initial in
      ChannelWalk(
        control: control, base: initial.value, start: start, isMixed: isMixed,
        standard: isNeutral
          ? control.nearest(control.defaultValue) : place.values[control.id] ?? initial.value)
    }
    for (index, moved) in alone where base == place.values {
      let value = moved.values[controls[index].id] ?? 0
      if isTogether { walks[index].add(value, moved.seen) }
      walks[index].alone = (value, moved.seen.mean.vector * moved.seen.exposure)
    }
    return try await walked(
      walks, from: Place(values: base, seen: start), isTogether: isTogether, heldExposure, progress)
  }

  /// Where the card is neutral: where it was before, or what a search finds.
  private func neutralValues() async throws(CameraError) -> [ControlValue] {
    if !neutral.isEmpty, let seen = try await observe(neutral),
      Place(values: neutral, seen: seen).distance < 2 * Self.wellNeutral
    {
      return neutral
    }
    return try await searchForNeutral(laws: nil, isPart: turnsOffOnce).applied.values
  }

  /// The laws of channels.
  ///
  /// - Parameter isTogether: whether red and blue may be moved at once, since no control changes a
  ///   channel but its own.
  private func walked(
    _ walks: [ChannelWalk], from place: Place, isTogether: Bool, _ heldExposure: Bool?,
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> ControlLaws {
    var walks = walks
    var latency = latency ?? 0
    var tried = 0
    // A simple law needs so many, any other more.
    var total = (isTogether ? 1 : walks.count) * (walks[0].few.count + 3)
    var light = LessLight()
    var lights: [LinearRGB] = []
    var shown: PictureWatch.Rest?
    func settings(_ values: [(index: Int, value: Int)]) -> [ControlValue] {
      values.map { ControlValue(walks[$0.index].control.id, $0.value) }
    }
    func level(_ values: [(index: Int, value: Int)]) -> Double {
      values.map { walks[$0.index].level(at: $0.value, isEach: isPrompt) }.max() ?? 0
    }
    func note(_ seen: [PictureWatch.Rest?]) {
      tried += seen.count { $0 != nil }
      lights += seen.compactMap { $0.map { LinearRGB($0.mean.vector * $0.exposure) } }
      shown = seen.last ?? nil
    }
    // Written out at every call, these would be most of this module's longest function.
    @inline(never) func look(
      at values: [(index: Int, value: Int)], unless quick: QuickLook
    ) async throws(CameraError) -> PictureWatch.Rest? {
      guard case .unclear = quick else { return quick.picture }
      total = max(total, tried + 1)
      progress(tried, total)
      let seen = try await self.look(
        at: settings(values), from: shown, expecting: level(values), in: &light)
      latency = max(latency, seen?.latency ?? 0)
      note([seen])
      tried += seen == nil ? 1 : 0
      return seen
    }
    /// The pictures of values in quick succession, as far as that tells.
    @inline(never) func lookInSuccession(
      at steps: [[(index: Int, value: Int)]]
    ) async throws(CameraError) -> [QuickLook] {
      guard !steps.isEmpty, isPrompt else { return steps.map { _ in .unclear } }
      progress(tried, max(total, tried + steps.count))
      let seen = try await self.look(
        inSuccession: steps.map(settings), expecting: steps.map(level), like: place.seen,
        in: &light)
      note(seen.map(\.picture))
      return seen
    }
    /// Looks at lists of values, each of one channel: at the next of all lists at once.
    ///
    /// - Parameter isBack: whether all channels are to be at their base again at the end.
    @inline(never) func probe(
      _ lists: [(index: Int, values: [Int])], isBack: Bool = false
    ) async throws(CameraError) {
      let group = lists.map(\.index)
      // Where the light changes with the values, their order costs nothing.
      let isFree = isPrompt && exposureSeries?.latency == self.latency
      let lists = isFree ? lists.map { ($0.index, values: $0.values.alternating) } : lists
      let steps = (0..<(lists.map(\.values.count).max() ?? 0)).map { step in
        lists.compactMap { list in
          list.values.count > step ? (index: list.index, value: list.values[step]) : nil
        }
      }
      let back = isBack ? [group.map { (index: $0, value: walks[$0].base) }] : []
      var quick = try await lookInSuccession(at: steps + back)
      let last = isBack ? quick.removeLast() : .unclear
      for (step, seen) in zip(steps, quick) {
        let values = step.filter { !walks[$0.index].isBeyondSight($0.value) }
        if values.count > 1, let seen = try await look(at: values, unless: seen) {
          for (index, value) in values { walks[index].add(value, seen, isTogether: true) }
          continue
        }
        // Together they show nothing, or there is one.
        if values.count > 1 { try await goBack(group) }
        for (index, value) in values {
          let seen = try await look(at: [(index, value)], unless: step.count > 1 ? .unclear : seen)
          walks[index].add(value, seen, isTogether: isTogether)
          if values.count > 1 { try await goBack([index]) }
        }
      }
      if isBack { try await goBack(group, unless: quick.allSatisfy(\.isClear) ? last : .unclear) }
    }
    func probe(
      _ group: [Int], isBack: Bool = false, _ values: (ChannelWalk) -> [Int]
    ) async throws(CameraError) {
      try await probe(group.map { ($0, values(walks[$0])) }, isBack: isBack)
    }
    @inline(never) func test(
      _ count: Int, _ group: [Int], isBack: Bool = false,
      and others: (ChannelWalk) -> [Int] = { _ in [] }
    ) async throws(CameraError) {
      for index in group {
        walks[index].tested = Set(
          walks[index].moved.valuesBetween(count, of: walks[index].control))
      }
      // From bright to dark: the light is changed once.
      try await probe(group, isBack: isBack) { Set($0.tested + others($0)).sorted(by: >) }
    }
    // What can be seen ends somewhere between two values.
    @inline(never) func findEdges(_ group: [Int]) async throws(CameraError) {
      for parts in isPrompt ? [4, 2] : [2, 2, 2] {
        try await probe(group) { $0.edges(parts) }
      }
    }
    @inline(never) func goBack(
      _ group: [Int], unless quick: QuickLook = .unclear
    ) async throws(CameraError) {
      if light.isOn || !quick.isClear {
        try await endLessLight(&light)
        let initial = group.map { ControlValue(walks[$0].control.id, walks[$0].base) }
        shown = try await observe(initial, from: shown)
      }
      guard let again = shown else { return }
      guard PictureWatch.size(again.ratios - place.seen.ratios) < Self.drift else {
        throw try await blame(place.values, seen: place.seen, afterFrames: PictureWatch.limit)
      }
      let now = Place(values: try await self.settings(of: place.values), seen: again)
      if now.values == place.values { await turns.noteWatched(now, in: estimator.region) }
    }
    func findStairs(_ index: Int) async throws(CameraError) {
      // Stairs, perhaps: each edge lies between two values that are neighbors.
      let control = walks[index].control
      var found = (edges: 0, slopes: 0)
      while let pair = walks[index].moved.widestStep(step: control.step),
        found.edges + found.slopes < 200, found.slopes <= 20 + found.edges
      {
        let middle = control.snapped(Double(pair.0.value + pair.1.value) / 2)
        let before = walks[index].moved.count
        try await probe([(index, [middle])])
        guard walks[index].moved.count > before, let gain = walks[index].moved.last?.gain else {
          break
        }
        let isEdge = [pair.0.gain, pair.1.gain].contains {
          abs(logarithm($0 / gain)) < [ControlLaw.Point].level
        }
        if isEdge { found.edges += 1 } else { found.slopes += 1 }
      }
    }
    // Green is beside both others.
    let groups =
      isTogether
      ? [walks.indices.filter { walks[$0].control.id != .greenBalance }]
        + walks.indices.filter { walks[$0].control.id == .greenBalance }.map { [$0] }
      : walks.indices.map { [$0] }
    for group in groups {
      // A simple law shows in a few places, up, between, and once down.
      try await probe(group, \.few)
      if walks[0].isMixed { try await findEdges(group) }
      try await test(2, group, isBack: true) { walk in
        walk.few.count > 1 ? [walk.few[walk.few.count - 2]] : []
      }
      if heldExposure == nil, group.contains(0), Self.keepsLuma(place.seen.mean, lights) {
        throw .exposureNotHeld(camera: await port.identity.name)
      }
    }
    let pictures = try await nextFrame { _, layout, _ in layout.transfer }.1
    func probe() -> ChannelProbe {
      ChannelProbe(
        origin: place.seen.mean, channels: walks.map(\.channel), transfer: pictures)
    }
    // Where channels are mixed, only all together tell what bends the way of each.
    let areSimple = walks[0].isMixed ? probe().areSimple : walks.map(\.isSimple)
    for group in groups.map({ $0.filter { !areSimple[$0] } }) where !group.isEmpty {
      // Values that are spread evenly follow another law best.
      for index in group { walks[index].forgetTested() }
      try await probe(group) { walk in
        // The other direction, too: a law has no memory.
        let back = (walk.few + walk.more).sorted(by: >).dropFirst().enumerated()
        return walk.more + back.filter { $0.offset % 2 == 0 }.map(\.element)
      }
      try await findEdges(group)
      // Until no gap is left, or nothing can be seen in any.
      var known = 0
      while case let count = group.reduce(0, { $0 + walks[$1].moved.count }), count > known {
        known = count
        try await probe(group) { walk in
          walk.moved.gaps(step: walk.control.step).map(walk.control.snapped).sorted(by: >)
        }
      }
      try await test(5, group, isBack: true)
      for index in group where !walks[index].describesTested {
        try await findStairs(index)
        try await test(5, [index], isBack: true)
      }
    }
    return try await completed(try probe().laws(latency: latency))
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

  /// The first of several settings that is seen, in light that clips nothing.
  private func firstSeen(_ settings: [[ControlValue]]) async throws(CameraError) -> Place? {
    for values in settings {
      if let seen = try await look(at: values) { return Place(values: values, seen: seen) }
    }
    return nil
  }

  /// A control moved by less and less, alone.
  private static func movesAlone(
    _ control: ControlDescription, from reference: [ControlValue]
  ) -> [[ControlValue]] {
    let value = reference[control.id] ?? control.defaultValue
    return [0.1, -0.1, 0.03, -0.03, 0.01, -0.01].map { share in
      control.snapped(Double(value) + share * Double(control.largest - control.minimum))
    }.filter { $0 != value }.map { reference.replacing(control.id, by: $0) }
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
}
