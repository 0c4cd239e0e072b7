internal import ColorScience
public import WhiteBalance

extension ProbedCamera {
  /// Locks the white balance at gains and returns when the picture shows it.
  ///
  /// The region may show anything that keeps still: what is checked is the change of its color.
  /// What fails leaves the camera as it was before.
  ///
  /// - Throws: `CameraError.gainsOutOfRange` before anything is set; `notSet`, `notHeld` or
  ///   `notSeen` after which of setting, reading back and the picture failed; `superseded` where a
  ///   newer operation decides the white balance.
  public func lock(at gains: Gains) async throws(CameraError) -> AppliedWhiteBalance {
    let setting = try laws.reachableSetting(for: gains)
    return try await camera.restoringOnFailure(decidesBalance: true) {
      camera async throws(CameraError) in
      try await ProbedCamera(camera, laws: laws).apply(setting)
    }
  }

  /// Locks the white balance where it is now, returns when the picture is at rest, and brings the
  /// color back where the camera lost it.
  ///
  /// - Throws: `CameraError.notSeen` where the color jumped and could not be brought back; the
  ///   camera is as before then.
  public func lock() async throws(CameraError) {
    try await camera.restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.lock(with: laws)
    }
  }

  /// Sets controls in the course of an operation, and waits until the picture shows it.
  func apply(_ setting: WhiteBalanceSetting) async throws(CameraError) -> AppliedWhiteBalance {
    let values = setting.values
    try await camera.turnOffAutomatic()
    try await camera.hold(laws)
    try await camera.skipFrames(camera.delay)
    let old = try await startingGains()
    try await camera.settle()
    let (before, noise) = try await steadyRatios()
    let reached = setting.reached
    let change = Gains(
      red: reached.red / reached.green / (old.red / old.green),
      blue: reached.blue / reached.green / (old.blue / old.green))
    let expected = SIMD2(logarithm(change.red), logarithm(change.blue))
    try await camera.setAndReadBack(values)

    let size = max(abs(expected.x), abs(expected.y))
    // A tone curve that is not quite the one supposed stretches every change, and 8 bits round what
    // is a smooth patch by up to 0.3 %.
    let tolerance = max(0.004, 6 * noise, 2 * laws.fitError, 0.03 * size)
    let canBeSeen = size > 2 * tolerance
    if !canBeSeen { try await camera.skipFrames(camera.delay) }
    var first: FrameInfo?
    var count = 0
    var seen = SIMD2<Double>.zero
    for _ in 0..<Camera.frameLimit {
      let (info, ratios) = try await camera.nextRatios()
      seen = ratios - before
      let miss = seen - expected
      if max(abs(miss.x), abs(miss.y)) <= tolerance {
        first = first ?? info
        count += 1
        if count == Camera.agreeingFrames {
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
    try await camera.readBack(values)
    throw .notSeen(
      expected: change, seen: Gains(red: exponential(seen.x), blue: exponential(seen.y)),
      frames: Camera.frameLimit)
  }

  /// The gains in force; first the controls are set to their reference if the picture is black or
  /// clipped, where no change can be measured, or the laws do not reach.
  func startingGains() async throws(CameraError) -> Gains {
    let gains = try await gainsInForce()
    if gains.arePositiveAndFinite, try await camera.nextMean().1.ratios != nil { return gains }
    try await setToReference()
    return try await gainsInForce()
  }

  /// The region's ratios, and the standard deviation of one frame's from them. What varies over the
  /// region is the same in each frame, and no noise.
  private func steadyRatios() async throws(CameraError) -> (mean: SIMD2<Double>, noise: Double) {
    var ratios: [SIMD2<Double>] = []
    for _ in 0..<8 { ratios.append(try await camera.nextRatios().1) }
    let count = Double(ratios.count)
    let mean = ratios.reduce(.zero, +) / count
    let variance = ratios.reduce(.zero) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return (mean, variance.max().squareRoot())
  }
}
