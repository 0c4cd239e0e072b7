public import WhiteBalance
internal import ColorScience

/// A white balance that the picture showed.
public struct AppliedWhiteBalance: Hashable, Sendable {
  /// What the controls were set to.
  public let values: [ControlValue]
  /// The gains that these values mean, the smallest 1: the ones asked for, to the controls' steps.
  public let gains: Gains
  /// The first frame that shows the setting.
  public let firstFrame: FrameInfo
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
    try await settle(after: Self.latencyBound)
    let old = controls.gains(at: [
      ControlValue(.redBalance, try await port.value(of: .redBalance)),
      ControlValue(.blueBalance, try await port.value(of: .blueBalance)),
    ])
    let before = try Self.logRatios(try await estimate(frames: 4))
    let applied = controls.gains(at: values)
    let change = Gains(red: applied.red / old.red, blue: applied.blue / old.blue)
    let expected = SIMD2(logarithm(change.red), logarithm(change.blue))
    try await setAndReadBack(values)

    var first: FrameInfo?
    var count = 0
    var seen = SIMD2<Double>.zero
    for _ in 0..<Self.patience {
      let (info, estimate) = try await nextEstimate()
      seen = try Self.logRatios(estimate) - before
      let noise = max(estimate.standardError.red, estimate.standardError.blue)
      // A law is good to its fit error; a setting of which half is still missing must not pass.
      let tolerance = max(
        0.01, 6 * noise, 2 * max(controls.red.fitError, controls.blue.fitError))
      let miss = seen - expected
      if max(abs(miss.x), abs(miss.y)) <= tolerance {
        first = first ?? info
        count += 1
        if count == Self.agreeing, let first {
          return AppliedWhiteBalance(
            values: values, gains: applied.normalized(), firstFrame: first)
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
}
