internal import CameraProfiles
internal import WhiteBalance

extension Camera {
  /// Focuses the lens by the picture's sharpness, for cameras without autofocus: a coarse sweep
  /// over the range, a fine one around its best position, and the best step, which is set again to
  /// verify its sharpness.
  ///
  /// The scene in `focusRegion` must be still. Every position is approached from smaller values, so
  /// that a backlash of up to an eighth of the range does no harm. Autofocus is turned off. On
  /// failure the previous settings are restored.
  ///
  /// - Returns: The focus position, within 2 % of the range of the best one or 2 of its steps, if
  ///   these are larger (`FocusSweepTests`).
  /// - Throws: `noControl` if the camera lacks the control; `notFocused` if there is nothing to
  ///   focus on, if the sharpness does not change with the lens or is best at an end of its range,
  ///   or if noise hides the best position; `settingNotKept` if the camera uses another value.
  public func sweepFocus() async throws(CameraError) -> FocusSweep {
    try await restoringOnFailure { camera async throws(CameraError) in
      try await camera.holdLens()
      var search = FocusSearch(
        camera: camera, control: try await camera.port.required(.focusPosition),
        current: try await camera.port.value(of: .focusPosition))
      return try await search.run()
    }
  }
}

/// A sweep in progress.
private struct FocusSearch {
  let camera: Camera
  let control: ControlDescription
  /// The current value of the focus position.
  var current: Int
  var frames = 0
  /// The measures so far, by value.
  var seen: [Int: FocusMeasure] = [:]

  private var range: Double { Double(control.largest - control.minimum) }
  /// The accuracy aimed at: a step, or a hundredth of the range.
  private var unit: Double { max(Double(control.step), range / 100) }

  /// The number of intervals of the coarse sweep.
  private static let intervals = 32.0
  /// The number of standard deviations by which detail must exceed noise.
  private static let significance = 5.0

  init(camera: Camera, control: ControlDescription, current: Int) {
    self.camera = camera
    self.control = control
    self.current = current
  }

  mutating func run() async throws(CameraError) -> FocusSweep {
    guard control.largest > control.minimum else {
      throw .notFocused(.unchanged(ratio: 1))
    }
    let top = try await coarse()
    let peak = try await fine(around: Double(top.value))
    let best = control.nearestValue(to: peak.value)
    try await move(
      to: best - control.minimum > control.largest - best ? control.minimum : control.largest)
    let isFaint = peak.sharpnessError > 0.05 * peak.sharpness
    let away = try await look(frames: isFaint ? 160 : 16)
    try await approach(Double(best))
    try await camera.readBack([ControlValue(.focusPosition, best)])
    let again = try await look(frames: isFaint ? 160 : 16)
    // If the sharpness is not higher than far away, the lens no longer follows.
    guard isBelow(away, again) else { throw unchanged(again, away) }
    let change = again.sharpness / peak.sharpness - 1
    let error =
      (again.standardError * again.standardError + peak.sharpnessError * peak.sharpnessError)
      .squareRoot() / peak.sharpness
    // Rounding to a step also reduces the sharpness.
    let rounding = Double(control.step) / unit * 0.5
    if change < -0.2 - 0.5 * rounding, change < -Self.significance * error {
      throw .notFocused(.notRepeated(change: change))
    }
    return FocusSweep(
      value: best, position: camera.lensPosition(best, control), standardError: peak.error,
      curve: curve, repeatability: change, repeatabilityError: error, frames: frames)
  }

  private var curve: [FocusSweep.Sample] {
    seen.sorted { $0.key < $1.key }.map {
      FocusSweep.Sample(
        value: $0, sharpness: $1.sharpness, standardError: $1.standardError)
    }
  }

  /// Returns the sharpest of positions over the whole range, with more frames if noise hides the
  /// detail in a few.
  private mutating func coarse() async throws(CameraError) -> Seen {
    let positions = (0...Int(Self.intervals)).map {
      control.value(atShare: Double($0) / Self.intervals)
    }
    for count in [4, 24] {
      try await sweep(positions, frames: count)
      // This only determines where to look closer.
      if let top = most, top.measure.sharpness > 3 * top.measure.standardError { return top }
    }
    throw refusal()
  }

  private typealias Seen = (value: Int, measure: FocusMeasure)

  private var most: Seen? {
    seen.max { $0.value.sharpness < $1.value.sharpness }.map { ($0.key, $0.value) }
  }
  private var least: Seen? {
    seen.min { $0.value.sharpness < $1.value.sharpness }.map { ($0.key, $0.value) }
  }

  private func isDetailed(_ measure: FocusMeasure) -> Bool {
    measure.sharpness > Self.significance * measure.standardError
  }

  /// Returns the reason why the measures have no peak.
  private func refusal() -> CameraError {
    guard let most = most?.measure, let least = least?.measure else { return .notFocused(.noLight) }
    return isDetailed(most) ? unchanged(most, least) : noTexture(most)
  }

  /// Returns the error for an insignificant difference: there is none, or noise hides it.
  private func unchanged(_ most: FocusMeasure, _ least: FocusMeasure) -> CameraError {
    Self.significance * noise(most, least) < 0.5 * most.sharpness
      ? .notFocused(
        .unchanged(
          ratio: most.sharpness
            / max(least.sharpness, least.standardError, .leastNormalMagnitude)))
      : noTexture(most)
  }

  private func noTexture(_ most: FocusMeasure) -> CameraError {
    .notFocused(.noTexture(sharpness: most.sharpness, standardError: most.standardError))
  }

  private func noise(_ first: FocusMeasure, _ second: FocusMeasure) -> Double {
    (first.standardError * first.standardError + second.standardError * second.standardError)
      .squareRoot()
  }

  /// Returns the peak of positions around a value, with more frames if a few leave it uncertain.
  private mutating func fine(around first: Double) async throws(CameraError) -> FocusPeak {
    let step = max(Double(control.step), range / 128)
    let reach = max(1.5 * range / Self.intervals, 3 * step)
    var middle = first
    var count = 8
    var last: FocusPeak?
    for _ in 0..<4 {
      let positions = stride(from: middle - reach, through: middle + reach, by: step).map {
        control.nearestValue(to: $0)
      }
      let window = Set(positions).sorted()
      for position in window { seen[position] = nil }
      try await sweep(window, frames: count)
      guard let top = most, let least else { throw refusal() }
      guard isBelow(least.measure, top.measure) else {
        if count > 8 { throw refusal() }
        count = 32
        continue
      }
      let near = window.compactMap { value in seen[value].map { (value, $0) } }
      guard let peak = FocusPeak(near, unit: unit) else {
        // The peak is too narrow for a fit, or outside the window.
        last = nil
        middle = Double(top.value)
        count = 32
        continue
      }
      last = peak
      let isInside = Double(window[0])...Double(window[window.count - 1]) ~= peak.value
      if isInside, peak.error < 0.5 * unit { break }
      if isInside { count = 32 }
      middle = min(
        max(peak.value, middle - reach, Double(control.minimum)), middle + reach,
        Double(control.largest))
    }
    guard let peak = last else {
      if let most { try await checkSides(Double(most.value)) }
      throw .notFocused(.uncertain(standardError: reach / range))
    }
    try await checkSides(peak.value)
    try await checkFineness(peak)
    guard peak.error <= 2 * unit else {
      throw .notFocused(.uncertain(standardError: peak.error / range))
    }
    return peak
  }

  /// Indicates whether one sharpness is significantly below another.
  private func isBelow(_ low: FocusMeasure, _ high: FocusMeasure) -> Bool {
    high.sharpness - low.sharpness
      > max(Self.significance * noise(low, high), 0.1 * high.sharpness)
  }

  /// Verifies that the sharpness falls on both sides of a peak; otherwise the best position is at
  /// an end, or the lens does not follow.
  private mutating func checkSides(_ peak: Double) async throws(CameraError) {
    guard let top = most?.measure else { throw refusal() }
    let middle = min(max(peak, Double(control.minimum)), Double(control.largest))
    let low = seen.filter { isBelow($0.value, top) }.keys
    let falls = (
      below: low.contains { Double($0) < middle }, above: low.contains { Double($0) > middle }
    )
    if falls.below && falls.above { return }
    guard falls.below != falls.above else { throw refusal() }
    try await checkEnd(falls.below ? control.largest : control.minimum, middle)
  }

  /// Measures longer on the side where the sharpness was not seen to fall. If the camera's
  /// autofocus is still on, the picture is as sharp at the other end, so that end is measured, too.
  private mutating func checkEnd(_ end: Int, _ middle: Double) async throws(CameraError) {
    try await approach(middle)
    let top = try await look(frames: 64)
    if Double(end) < middle { try await approach(Double(end)) } else { try await move(to: end) }
    let last = try await look(frames: 64)
    if isBelow(last, top) { return }
    try await move(to: control.minimum + control.largest - end)
    let far = try await look(frames: 64)
    guard isBelow(far, last) else { throw unchanged(last, far) }
    guard isBelow(top, last) || Self.significance * noise(top, last) < 0.2 * top.sharpness else {
      throw .notFocused(.uncertain(standardError: abs(middle - Double(end)) / range))
    }
    throw .notFocused(.bestAtEnd(position: camera.lensPosition(end, control)))
  }

  /// Verifies that the detail is finest where the picture is sharpest. Edges outside the region
  /// whose blur reaches into it add coarse detail, most of it where the lens is out of focus.
  private mutating func checkFineness(_ peak: FocusPeak) async throws(CameraError) {
    let best = control.nearestValue(to: peak.value)
    let low = seen.filter { $0.value.sharpness < 0.6 * peak.sharpness }.keys
    let positions = [
      low.filter { $0 < best }.max() ?? control.minimum, best,
      low.filter { $0 > best }.min() ?? control.largest,
    ]
    var looks: [FocusMeasure] = []
    for count in [16, 64, 256] {
      looks = []
      try await approach(Double(positions[0]))
      for position in positions {
        if position != current { try await move(to: position) }
        looks.append(try await look(frames: count))
      }
      if isCoarser(looks[0], looks[1]), isCoarser(looks[2], looks[1]) { return }
      let isRising = isCoarser(looks[1], looks[2])
      guard isRising || isCoarser(looks[1], looks[0]) else { continue }
      let end = isRising ? control.largest : control.minimum
      if isRising { try await move(to: end) } else { try await approach(Double(end)) }
      throw isCoarser(looks[1], try await look(frames: count))
        ? .notFocused(.bestAtEnd(position: camera.lensPosition(end, control)))
        : .notFocused(.notFinest)
    }
    throw .notFocused(
      .noTexture(sharpness: looks[1].curvature, standardError: looks[1].curvatureError))
  }

  /// Indicates whether the detail of one measure is significantly coarser than that of another.
  private func isCoarser(_ coarse: FocusMeasure, _ fine: FocusMeasure) -> Bool {
    let noise =
      coarse.curvatureError * coarse.curvatureError + fine.curvatureError * fine.curvatureError
    return fine.curvature - coarse.curvature
      > max(4 * noise.squareRoot(), 0.1 * fine.curvature)
  }

  /// Measures at increasing positions, the first of which is approached from below.
  private mutating func sweep(_ positions: [Int], frames: Int) async throws(CameraError) {
    for (index, position) in positions.enumerated() {
      if index == 0 { try await approach(Double(position)) } else { try await move(to: position) }
      seen[position] = try await look(frames: frames)
    }
  }

  /// Moves to a position from below, by more than the lens's backlash.
  private mutating func approach(_ value: Double) async throws(CameraError) {
    try await move(to: control.nearestValue(to: value - range / 8))
    try await move(to: control.nearestValue(to: value))
  }

  private mutating func move(to value: Int) async throws(CameraError) {
    try await camera.send([ControlValue(.focusPosition, value)])
    let wait = camera.lensFrames(control, from: current, to: value)
    try await camera.skipFrames(wait)
    frames += wait
    current = value
  }

  private mutating func look(frames count: Int) async throws(CameraError) -> FocusMeasure {
    frames += count
    return try await camera.focusMeasure(frames: count)
  }
}
