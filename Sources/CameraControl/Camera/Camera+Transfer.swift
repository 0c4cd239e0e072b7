public import ColorScience
internal import WhiteBalance

extension Camera {
  /// Finds the picture's transfer function from pictures of one still scene at several exposures,
  /// for light is proportional to exposure time; `nil` where the exposure time is not set by hand,
  /// or the pictures follow no function that is known.
  ///
  /// Drivers name a function, sRGB as a rule, but cameras have one of their own. The one that is
  /// returned explains the pictures to 1 %; sRGB is preferred. Leaves the exposure as it was, and
  /// the automatic white balance off.
  public func findTransfer() async throws(CameraError) -> TransferFunction? {
    try await performing { camera async throws(CameraError) in
      guard try await camera.manualExposure() != nil else { return nil }
      try await camera.turnOffAutomatic()
      try await camera.settle(after: Self.latencyBound)
      var linear = camera
      // The codes themselves, black 0 and white 1, as far as a mean of them can be taken.
      linear.transfer = .linear
      let reader = linear
      var series: [(time: Double, codes: [Double])] = []
      try await camera.exposing(by: [0.35, 0.6, 1, 1.5]) { time async throws(CameraError) in
        let estimate = try await reader.estimate(frames: 4)
        guard estimate.isFairMean else { return }
        let codes = estimate.response
        series.append((time, [codes.red, codes.green, codes.blue]))
      }
      return Self.transfer(through: series)
    }
  }

  /// The function under which codes are most nearly proportional to time, channel by channel.
  static func transfer(through series: [(time: Double, codes: [Double])]) -> TransferFunction? {
    guard series.count >= 3,
      let least = series.map(\.time).min(), let most = series.map(\.time).max(), most > 2 * least
    else { return nil }
    func deviation(_ transfer: TransferFunction) -> Double {
      var sum = 0.0
      for channel in 0..<3 {
        let ratios = series.map { logarithm(transfer.linear($0.codes[channel]) / $0.time) }
        let mean = ratios.reduce(0, +) / Double(ratios.count)
        sum += ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ratios.count)
      }
      return (sum / 3).squareRoot()
    }
    let accepted = 0.01
    if deviation(.sRGB) < accepted / 3 { return .sRGB }
    let exponents = stride(from: 1, through: 3, by: 0.01).map { TransferFunction.gamma($0) }
    let best = ([.sRGB, .bt709] + exponents).map { (transfer: $0, deviation: deviation($0)) }
      .min { $0.deviation < $1.deviation }
    return best.flatMap { $0.deviation < accepted ? $0.transfer : nil }
  }
}
