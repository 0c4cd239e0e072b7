internal import ColorScience
public import WhiteBalance

/// A white balance that the picture showed.
public struct AppliedWhiteBalance: Hashable, Sendable {
  /// What the controls were set to.
  public let values: [ControlValue]
  /// The gains that these values mean, the smallest 1.
  public let gains: Gains
  /// The software gains that finish the job, the smallest 1: what the controls' steps leave of the
  /// gains asked for, and what the camera has no control for.
  public let remainder: Gains
  /// How bright the picture is beside the one asked for, in green: below 1 where the gains asked
  /// for have green above 1 and the camera has no control for it.
  public let brightness: Double
  /// The first frame that shows the setting; `nil` where it changes the picture by less than can be
  /// told from noise, so that no frame is the first.
  public let firstFrame: FrameInfo?
}

extension Camera {
  /// Locks the white balance at gains and returns when the picture shows it.
  ///
  /// Gains are relative to the controls' reference values, as `WhiteBalanceControls` found them.
  /// The region may show anything that keeps still: what is checked is the change of its color.
  /// What fails leaves the camera as it was before.
  ///
  /// - Throws: `CameraError.gainsOutOfRange` before anything is set; `notSet`, `notHeld` or
  ///   `notSeen` after which of setting, reading back and the picture failed.
  public func lockWhiteBalance(
    at gains: Gains, controls: WhiteBalanceControls
  ) async throws(CameraError) -> AppliedWhiteBalance {
    let setting = try Self.setting(for: gains, controls)
    return try await restoringOnFailure { () async throws(CameraError) in
      try await apply(setting, controls: controls)
    }
  }

  func apply(
    _ setting: WhiteBalanceSetting, controls: WhiteBalanceControls
  ) async throws(CameraError) -> AppliedWhiteBalance {
    let values = setting.values
    try await turnOffAutomatic()
    try await hold(controls)
    try await skipFrames(delay)
    let old = try await startingGains(controls)
    try await settle()
    let (before, noise) = try await steadyRatios()
    let reached = setting.reached
    let change = Gains(
      red: reached.red / reached.green / (old.red / old.green),
      blue: reached.blue / reached.green / (old.blue / old.green))
    let expected = SIMD2(logarithm(change.red), logarithm(change.blue))
    try await setAndReadBack(values)

    let size = max(abs(expected.x), abs(expected.y))
    // A tone curve that is not quite the one supposed stretches every change, and 8 bits round what
    // is a smooth patch by up to 0.3 %.
    let tolerance = max(0.004, 6 * noise, 2 * controls.fitError, 0.03 * size)
    let canBeSeen = size > 2 * tolerance
    if !canBeSeen { try await skipFrames(delay) }
    var first: FrameInfo?
    var count = 0
    var seen = SIMD2<Double>.zero
    for _ in 0..<Self.patience {
      let (info, ratios) = try await nextRatios()
      seen = ratios - before
      let miss = seen - expected
      if max(abs(miss.x), abs(miss.y)) <= tolerance {
        first = first ?? info
        count += 1
        if count == Self.agreeing {
          return AppliedWhiteBalance(
            values: values, gains: reached.normalized(), remainder: setting.remainder,
            brightness: reached.green / setting.wanted.green, firstFrame: canBeSeen ? first : nil)
        }
      } else {
        // One frame off is noise; two are no arrival.
        if count == 0 { first = nil }
        count = 0
      }
    }
    // Another program's value is not seen either.
    try await readBack(values)
    throw .notSeen(
      expected: change, seen: Gains(red: exponential(seen.x), blue: exponential(seen.y)),
      frames: Self.patience)
  }

  static func setting(
    for gains: Gains, _ controls: WhiteBalanceControls
  ) throws(CameraError) -> WhiteBalanceSetting {
    do { return try controls.setting(for: gains) } catch { throw .gainsOutOfRange(error) }
  }

  /// The gains in force; first the controls are set to their reference if the picture is black or
  /// clipped, where no change can be measured, or the laws do not reach.
  func startingGains(_ controls: WhiteBalanceControls) async throws(CameraError) -> Gains {
    let gains = try await currentGains(controls)
    if gains.arePositiveAndFinite, try await nextMean().1.ratios != nil { return gains }
    try await setToReference(controls)
    return try await currentGains(controls)
  }

  /// The gains of what the controls are set to now; not numbers where the laws do not reach.
  func currentGains(_ controls: WhiteBalanceControls) async throws(CameraError) -> Gains {
    var values: [ControlValue] = []
    for control in controls.reference.map(\.id) {
      values.append(ControlValue(control, try await port.value(of: control)))
    }
    return controls.gains(at: values)
  }

  /// The region's ratios, and the standard deviation of one frame's from them: what varies over the
  /// region is the same in each frame and no noise.
  private func steadyRatios() async throws(CameraError) -> (mean: SIMD2<Double>, noise: Double) {
    var ratios: [SIMD2<Double>] = []
    for _ in 0..<8 { ratios.append(try await nextRatios().1) }
    let count = Double(ratios.count)
    let mean = ratios.reduce(.zero, +) / count
    let variance = ratios.reduce(.zero) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return (mean, variance.max().squareRoot())
  }
}
