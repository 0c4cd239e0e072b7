public import WhiteBalance
internal import ColorScience

/// A white balance that the picture showed.
public struct AppliedWhiteBalance: Hashable, Sendable {
  /// What the controls were set to.
  public let values: [ControlValue]
  /// The gains that these values mean, the smallest 1: the ones asked for, to the controls' steps.
  public let gains: Gains
  /// The first frame that shows the setting; `nil` where it changes the picture by less than can be
  /// told from noise, so that no frame is the first.
  public let firstFrame: FrameInfo?
}

extension Camera {
  /// Locks the white balance at gains and returns when the picture shows it.
  ///
  /// Gains are relative to the controls' reference values, as `WhiteBalanceControls` found them. The
  /// region may show anything that keeps still: what is checked is the change of its color.
  ///
  /// - Throws: `CameraError.gainsOutOfRange` before anything is set; `notHeld` or `notSeen` with the
  ///   controls set, for the caller to restore.
  public func lockWhiteBalance(
    at gains: Gains, controls: WhiteBalanceControls
  ) async throws(CameraError) -> AppliedWhiteBalance {
    let values: [ControlValue]
    do { values = try controls.values(for: gains) } catch { throw .gainsOutOfRange(error) }
    try await turnOffAutomatic()
    try await skipFrames(Self.latencyBound)
    // Where a channel is black or clipped no change can be measured; the reference is in between.
    if !(try await nextEstimate().1.isFairMean) { try await setToReference() }
    try await settle()
    let old = controls.gains(at: [
      ControlValue(.redBalance, try await port.value(of: .redBalance)),
      ControlValue(.blueBalance, try await port.value(of: .blueBalance)),
    ])
    let (before, noise) = try await steadyRatios()
    let applied = controls.gains(at: values)
    let change = Gains(red: applied.red / old.red, blue: applied.blue / old.blue)
    let expected = SIMD2(logarithm(change.red), logarithm(change.blue))
    try await setAndReadBack(values)

    let size = max(abs(expected.x), abs(expected.y))
    let tolerance = max(0.002, 6 * noise, 2 * max(controls.red.fitError, controls.blue.fitError))
    let canBeSeen = size > 2 * tolerance
    if !canBeSeen { try await skipFrames(Self.latencyBound) }
    var first: FrameInfo?
    var count = 0
    var seen = SIMD2<Double>.zero
    for _ in 0..<Self.patience {
      let (info, estimate) = try await nextEstimate()
      seen = try Self.logRatios(estimate) - before
      let miss = seen - expected
      if max(abs(miss.x), abs(miss.y)) <= tolerance {
        first = first ?? info
        count += 1
        if count == Self.agreeing {
          return AppliedWhiteBalance(
            values: values, gains: applied.normalized(), firstFrame: canBeSeen ? first : nil)
        }
      } else {
        first = nil
        count = 0
      }
    }
    throw .notSeen(
      expected: change, seen: Gains(red: exponential(seen.x), blue: exponential(seen.y)),
      frames: Self.patience)
  }

  /// The region's ratios, and the standard deviation of one frame's from them: what varies over the
  /// region is the same in each frame and no noise.
  private func steadyRatios() async throws(CameraError) -> (mean: SIMD2<Double>, noise: Double) {
    var ratios: [SIMD2<Double>] = []
    for _ in 0..<8 { ratios.append(try Self.logRatios(try await nextEstimate().1)) }
    let count = Double(ratios.count)
    let mean = ratios.reduce(.zero, +) / count
    let variance = ratios.reduce(.zero) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return (mean, variance.max().squareRoot())
  }
}
