internal import WhiteBalance
internal import ColorScience

extension Camera {
  /// Finds out what the numbers of red and blue balance mean, from the pictures of a still scene.
  ///
  /// Leaves the automatic off and both controls at their defaults, which are the reference: the
  /// response there is the camera's response "before any gain".
  ///
  /// - Parameter progress: called with the number of settings tried and their total.
  public func probeControls(
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> WhiteBalanceControls {
    let red = try await description(of: .redBalance)
    let blue = try await description(of: .blueBalance)
    try await setToReference()
    let reference = try Self.logRatios(try await estimate())
    var tried = 0
    var laws: [ControlLaw] = []
    for control in [red, blue] {
      let values = Self.probeValues(of: control)
      var points: [(value: Int, gain: Double)] = [(control.defaultValue, 1)]
      for value in values {
        progress(tried, values.count * 2)
        tried += 1
        try await setAndReadBack([ControlValue(control.id, value)])
        try await skipFrames(Self.latencyBound)
        // A setting that clips the channel or blackens it says nothing about the law.
        guard let ratios = try await settledRatios() else { continue }
        let change = ratios - reference
        points.append(
          (value, exponential(control.id == .redBalance ? change.x : change.y)))
      }
      try await setAndReadBack([ControlValue(control.id, control.defaultValue)])
      try await skipFrames(Self.latencyBound)
      laws.append(try Self.law(control, points: points))
    }
    return WhiteBalanceControls(red: laws[0], blue: laws[1])
  }

  /// Turns the automatic off, sets red and blue to their defaults and waits for the picture.
  public func setToReference() async throws(CameraError) {
    let controls = [
      try await description(of: .redBalance), try await description(of: .blueBalance),
    ]
    try await turnOffAutomatic()
    try await setAndReadBack(controls.map { ControlValue($0.id, $0.defaultValue) })
    try await settle(after: Self.latencyBound)
  }

  private func description(of id: ControlID) async throws(CameraError) -> ControlDescription {
    guard let control = await port.controls.first(where: { $0.id == id }) else {
      throw .noControl(id, camera: await port.identity.name)
    }
    return control
  }

  func skipFrames(_ count: Int) async throws(CameraError) {
    for _ in 0..<count {
      if Task.isCancelled { throw .cancelled }
      try await port.withNextFrame { _, _ in }
    }
  }

  private func settledRatios() async throws(CameraError) -> SIMD2<Double>? {
    let estimate = try await estimate(frames: 4)
    return estimate.isFairMean ? estimate.logRatios : nil
  }

  /// Values over the whole range; the reference is measured on its own.
  private static func probeValues(of control: ControlDescription) -> [Int] {
    let span = Double(control.maximum - control.minimum)
    let values = [0.1, 0.25, 0.4, 0.6, 0.8, 1].map {
      control.snapped(Double(control.minimum) + $0 * span)
    }
    return Set(values).subtracting([control.defaultValue]).sorted()
  }

  private static func law(
    _ control: ControlDescription, points: [(value: Int, gain: Double)]
  ) throws(CameraError) -> ControlLaw {
    let gains = points.map(\.gain)
    guard let least = gains.min(), let most = gains.max(), points.count >= 3 else {
      throw .noLaw(
        control.id,
        reason: "the picture is clipped or black at nearly all of its values; change the exposure")
    }
    guard most / least > 1.02 else {
      throw .noLaw(control.id, reason: "the picture does not change with it")
    }
    guard let law = ControlLaw(control: control, reference: control.defaultValue, points: points)
    else { throw .noLaw(control.id, reason: "the picture's response to it does not rise") }
    guard law.fitError < 0.03 else {
      throw .noLaw(
        control.id,
        reason: "the picture's response to it is no straight line (off by "
          + "\(shortNumber(law.fitError * 100)) %)")
    }
    return law
  }
}
