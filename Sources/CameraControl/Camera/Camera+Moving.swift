internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// A control moved far enough to be seen.
  func moved(
    _ control: ControlDescription, from start: Place
  ) async throws(CameraError) -> Place {
    let value = start.values[control.id] ?? control.defaultValue
    let width = Double(control.largest - control.minimum)
    // Towards the middle of the range first: there is room.
    let inwards = value > control.value(atShare: 0.5) ? -1.0 : 1.0
    var others: [Int] = control.choices
    if others.isEmpty {
      others = [0.04, 0.16, 0.64, 0.32, 0.48].flatMap { share in
        [inwards, -inwards].map { control.snapped(Double(value) + $0 * share * width) }
      }
    }
    var isSeen = false
    var small: Place?
    for other in others where other != value {
      let values = start.values.replacing(control.id, by: other)
      guard let seen = try await observe(values) else { continue }
      isSeen = true
      if seen.cameBack, let frames = try await framesUntilBack(seenOf: values) {
        throw .automaticReturned(frames: frames)
      }
      let change = CardColor.size(seen.ratios - start.seen.ratios)
      guard change > max(0.05, 6 * seen.noise) else { continue }
      // What tells the latency, too, is worth a larger move.
      if seen.firstFrame != nil || latency != nil { return Place(values: values, seen: seen) }
      small = small ?? Place(values: values, seen: seen)
    }
    // Others were tried after it.
    if let small, let seen = try await observe(small.values) {
      return Place(values: small.values, seen: seen)
    }
    // Or it does once the automatic is turned off again.
    if isSeen, turnsOffOnce {
      var again = self
      again.turnsOffOnce = false
      let frames = await framesSinceOff
      if (try? await again.moved(control, from: start)) != nil {
        throw .automaticReturned(frames: frames)
      }
    }
    // Or for a few frames only.
    if isSeen, let frames = try await framesUntilBack(start.values, moving: 0.02) {
      throw .automaticReturned(frames: frames)
    }
    throw .noLaw(
      control.id,
      reason: isSeen
        ? "the picture does not change with it"
        : "the picture is clipped or black wherever it is moved; change the exposure")
  }

  /// Moves a control until it is seen, and back: the evidence that settings reach the picture,
  /// where they change nothing. What becomes of settings is found out meanwhile, if it is not
  /// known.
  ///
  /// - Parameters:
  ///   - seen: what the picture shows of the values, before and afterwards.
  ///   - laws: what the picture is to follow, if that is known.
  dynamic func nudge(
    _ values: [ControlValue], _ control: ControlDescription, _ seen: inout PictureWatch.Rest,
    laws: ControlLaws? = nil,
    _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> Nudge {
    let moved = try await moved(control, from: Place(values: values, seen: seen))
    // An automatic may have come back in this very moment.
    if let laws, laws.mixing == nil, let expected = laws.change(from: values, to: moved.values),
      CardColor.size(moved.seen.ratios - seen.ratios - expected) > 0.1
    {
      throw try await blame(values, seen: seen, afterFrames: PictureWatch.limit)
    }
    var camera = self
    camera.learn(from: moved.seen)
    if camera.endurance == nil {
      camera.endurance = try await camera.examineEndurance(
        of: moved.values, seen: moved.seen
      ) { progress(.watching(frame: $0, of: $1)) }
    }
    let before = seen
    guard let back = try await camera.observe(values) else { throw try await unseen() }
    seen = back
    if camera.endurance?.isRelative != true, !isSame(back, before) {
      // Where the automatic has been on meanwhile, it may have stopped just beside.
      guard endurance == nil,
        try await camera.isRelative(values, seen: back, after: Self.frameLimit) == true,
        let again = try await camera.observe(values)
      else { throw try await blame(values, seen: before, afterFrames: PictureWatch.limit) }
      camera.endurance?.isRelative = true
      seen = again
    }
    camera.learn(from: back)
    return Nudge(firstFrame: back.firstFrame, camera: camera)
  }

  /// Whether each control moves the picture from here as laws say.
  ///
  /// - Parameter seen: what the picture shows of the values, before and afterwards.
  func moves(
    asToldBy laws: ControlLaws, from values: [ControlValue], _ seen: inout PictureWatch.Rest
  ) async throws(CameraError) -> Bool {
    for control in laws.controls {
      let place: Place
      do throws(CameraError) {
        place = try await moved(control, from: Place(values: values, seen: seen))
      } catch {
        if case .noLaw = error { return false }
        throw error
      }
      guard let expected = laws.change(from: values, to: place.values) else { return false }
      let miss = CardColor.size(place.seen.ratios - seen.ratios - expected)
      guard
        miss
          <= laws.tolerance(
            of: CardColor.size(expected), max(place.seen.noise, seen.noise),
            between: [values, place.values]),
        let back = try await observe(values), isSame(back, seen)
      else { return false }
      seen = back
    }
    return true
  }

  /// Takes over how the camera's picture follows a change that was seen.
  mutating func learn(from seen: PictureWatch.Rest) {
    if let found = seen.latency { latency = max(latency ?? 0, found) }
    if let found = seen.pace { pace = min(pace ?? 1, found) }
  }

  /// What a nudge has shown.
  struct Nudge {
    /// The first frame that shows the settings again.
    var firstFrame: FrameInfo?
    /// The camera with what is known of it now.
    var camera: Camera
  }
}
