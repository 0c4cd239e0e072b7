internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Moves a control far enough for the change to be measured.
  ///
  /// - Parameter laws: Laws that must contain the new value; `nil` for any value.
  func moved(
    _ control: ControlDescription, from start: ObservedSetting, within laws: ControlLaws? = nil
  ) async throws(CameraError) -> ObservedSetting {
    // A control from a profile does not state which of its values are automatic.
    let control = await port.description(of: control.id) ?? control
    let value = start.values[control.id] ?? control.defaultValue
    let width = Double(control.largest - control.minimum)
    // Towards the middle of the range first, where there is room.
    let inwards = value > control.value(atShare: 0.5) ? -1.0 : 1.0
    var others: [Int] = control.choices
    if others.isEmpty {
      others = [0.04, 0.16, 0.64, 0.32, 0.48].flatMap { share in
        [inwards, -inwards].map { control.nearestValue(to: Double(value) + $0 * share * width) }
      }
    }
    var isSeen = false
    var small: ObservedSetting?
    for other in others where other != value {
      let values = start.values.replacing(control.id, by: other)
      if let laws, laws.change(from: start.values, to: values) == nil { continue }
      guard let seen = try await observe(values) else { continue }
      isSeen = true
      if seen.cameBack, let frames = try await framesUntilBack(seenOf: values) {
        throw .automaticReturned(frames: frames)
      }
      let change = CardColor.size(seen.ratios - start.picture.ratios)
      guard change > max(0.05, 6 * seen.noise) else { continue }
      // A larger move that also shows the latency is preferred, and one without dark pixels.
      if seen.firstFrame != nil || latency != nil, seen.darkness < Self.hidingDarkness {
        return ObservedSetting(values: values, picture: seen)
      }
      small = small ?? ObservedSetting(values: values, picture: seen)
    }
    // Other values were tried after this one.
    if let small, let seen = try await observe(small.values) {
      return ObservedSetting(values: small.values, picture: seen)
    }
    // The picture may follow once the automatic is turned off again.
    if isSeen, automaticOffPolicy == .once {
      var again = self
      again.automaticOffPolicy = .beforeEachSetting
      let frames = await framesSinceOff
      if (try? await again.moved(control, from: start, within: laws)) != nil {
        throw .automaticReturned(frames: frames)
      }
    }
    // Or it follows for a few frames only.
    if isSeen, let frames = try await framesUntilBack(start.values, moving: 0.02) {
      throw .automaticReturned(frames: frames)
    }
    throw .noLaw(
      control.id,
      reason: isSeen
        ? "the picture does not change with it"
        : "the picture is clipped or black at every value tried; change the exposure")
  }

  /// Moves a control until the change shows, and back: this verifies that settings take effect
  /// where the requested ones change nothing. It also determines their persistence if that is
  /// unknown.
  ///
  /// - Parameters:
  ///   - seen: The picture of the values, before and afterwards.
  ///   - laws: The laws that the picture must follow, if known.
  dynamic func nudge(
    _ values: [ControlValue], _ control: ControlDescription, _ seen: inout SettledPicture,
    laws: ControlLaws? = nil, _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> Nudge {
    let moved = try await moved(control, from: ObservedSetting(values: values, picture: seen))
    // An automatic may have returned at this very moment.
    if let laws, laws.mixing == nil, let expected = laws.change(from: values, to: moved.values),
      CardColor.size(moved.picture.ratios - seen.ratios - expected) > 0.1
    {
      throw try await blame(values, seen: seen, afterFrames: PictureWatch.limit)
    }
    var camera = self
    camera.learn(from: moved.picture)
    if camera.persistence == nil {
      camera.persistence = try await camera.examinePersistence(
        of: moved.values, seen: moved.picture
      ) { progress(.watching(frame: $0, of: $1)) }
    }
    let before = seen
    guard let back = try await camera.observe(values) else { throw try await unseen() }
    seen = back
    if camera.persistence?.baseline != .relativeToAutomatic, !isSame(back, before) {
      // If the automatic has been on meanwhile, it may have stopped at a slightly different place.
      guard persistence == nil,
        try await camera.isRelative(values, seen: back, after: Self.frameLimit) == true,
        let again = try await camera.observe(values)
      else { throw try await blame(values, seen: before, afterFrames: PictureWatch.limit) }
      camera.persistence?.baseline = .relativeToAutomatic
      seen = again
    }
    camera.learn(from: back)
    return Nudge(firstFrame: back.firstFrame, camera: camera)
  }

  /// Indicates whether each control changes the picture from here as the laws predict.
  ///
  /// - Parameter seen: The picture of the values, before and afterwards.
  func moves(
    asPredictedBy laws: ControlLaws, from values: [ControlValue], _ seen: inout SettledPicture
  ) async throws(CameraError) -> Bool {
    for control in laws.controls {
      let observed: ObservedSetting
      do throws(CameraError) {
        observed = try await moved(
          control, from: ObservedSetting(values: values, picture: seen), within: laws)
      } catch {
        if case .noLaw = error { return false }
        throw error
      }
      guard let expected = laws.change(from: values, to: observed.values) else { return false }
      let miss = CardColor.size(observed.picture.ratios - seen.ratios - expected)
      guard
        miss
          <= laws.tolerance(
            of: CardColor.size(expected), max(observed.picture.noise, seen.noise),
            between: [values, observed.values]),
        let back = try await observe(values), isSame(back, seen)
      else { return false }
      seen = back
    }
    return true
  }

  /// Updates latency and settling rate from a change that was observed.
  mutating func learn(from seen: SettledPicture) {
    if let found = seen.latency { latency = max(latency ?? 0, found) }
    if let found = seen.settlingRate { settlingRate = min(settlingRate ?? 1, found) }
  }

  /// The result of a nudge.
  struct Nudge {
    /// The first frame that shows the settings again.
    var firstFrame: FrameInfo?
    /// The camera with everything that is known now.
    var camera: Camera
  }
}
