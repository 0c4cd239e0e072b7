public import ColorScience
internal import WhiteBalance

extension Camera {
  /// Brightness of the region's brightest channel that leaves room for gains, white 1.
  private static let wantedLevel = 0.3
  /// Levels at which an exposure is left as it is.
  private static let goodLevels = 0.15...0.45

  /// Stops the camera from choosing its exposure and, where it can be told, finds one at which the
  /// region is neither clipped nor dark.
  ///
  /// - Returns: whether the exposure can be told. A camera of which it cannot stays as it is.
  @discardableResult
  public func lockExposure() async throws(CameraError) -> Bool {
    for (id, off) in [(ControlID.exposureMode, 1), (.autoGain, 0), (.exposurePriority, 0)] {
      if let value = try await value(of: id), value != off,
        await port.description(of: id)?.accepts(off) == true
      {
        try await port.set([ControlValue(id, off)])
      }
    }
    guard let control = await port.description(of: .exposureTime),
      try await port.flags(of: .exposureTime).isDisjoint(with: [.readOnly, .inactive])
    else { return false }
    for _ in 0..<10 {
      try await skipFrames(Self.latencyBound)
      let estimate = try await estimate(frames: 2)
      let factor = Self.exposureFactor(for: estimate)
      let now = try await port.value(of: .exposureTime)
      let next = control.snapped(Double(max(now, 1)) * factor)
      if factor == 1 || next == now { break }
      try await setAndReadBack([ControlValue(.exposureTime, next)])
    }
    return true
  }

  /// What the exposure is to be multiplied by.
  private static func exposureFactor(for estimate: GrayCardEstimate) -> Double {
    let level = estimate.response.vector.max()
    let isClipped = estimate.refusals.contains { if case .clipped = $0 { true } else { false } }
    if isClipped { return 0.35 }
    // Where all is dark there is no level to go by.
    if !(level > 0) { return 6 }
    return goodLevels.contains(level) ? 1 : min(max(wantedLevel / level, 0.1), 10)
  }

  /// Finds the picture's tone curve from pictures of one still scene at several exposures, for
  /// light is proportional to exposure time; `nil` where the exposure cannot be told, or the
  /// pictures follow no curve that is known.
  ///
  /// Drivers name a curve, sRGB as a rule, but cameras have one of their own. A curve is taken that
  /// explains the pictures to 1 %; sRGB if it does. Leaves the exposure as it was, and the
  /// automatic white balance off.
  public func findToneCurve() async throws(CameraError) -> TransferFunction? {
    guard let control = await port.description(of: .exposureTime),
      let mode = try await value(of: .exposureMode), mode == 1,
      let usual = try await value(of: .exposureTime)
    else { return nil }
    try await turnOffAutomatic()
    try await settle(after: Self.latencyBound)
    var camera = self
    // The codes themselves, black 0 and white 1, as far as a mean of them can be taken.
    camera.curve = .linear
    var series: [(time: Double, codes: [Double])] = []
    for factor in [0.35, 0.6, 1, 1.5] {
      let time = control.snapped(Double(usual) * factor)
      try await setAndReadBack([ControlValue(.exposureTime, time)])
      try await skipFrames(Self.latencyBound)
      let estimate = try await camera.estimate(frames: 4)
      guard estimate.isFairMean else { continue }
      let codes = estimate.response
      series.append((Double(time), [codes.red, codes.green, codes.blue]))
    }
    try await setAndReadBack([ControlValue(.exposureTime, usual)])
    try await skipFrames(Self.latencyBound)
    return Self.toneCurve(through: series)
  }

  /// The curve under which codes are most nearly proportional to time, channel by channel.
  static func toneCurve(through series: [(time: Double, codes: [Double])]) -> TransferFunction? {
    guard series.count >= 3,
      let least = series.map(\.time).min(), let most = series.map(\.time).max(), most > 2 * least
    else { return nil }
    func deviation(_ curve: TransferFunction) -> Double {
      var sum = 0.0
      for channel in 0..<3 {
        let ratios = series.map { logarithm(curve.linear($0.codes[channel]) / $0.time) }
        let mean = ratios.reduce(0, +) / Double(ratios.count)
        sum += ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ratios.count)
      }
      return (sum / 3).squareRoot()
    }
    let accepted = 0.01
    if deviation(.sRGB) < accepted / 3 { return .sRGB }
    let exponents = stride(from: 1, through: 3, by: 0.01).map { TransferFunction.gamma($0) }
    let candidates = [.sRGB, .bt709] + exponents
    let best = candidates.map { (curve: $0, deviation: deviation($0)) }
      .min { $0.deviation < $1.deviation }
    guard let best, best.deviation < accepted else { return nil }
    return best.curve
  }
}
