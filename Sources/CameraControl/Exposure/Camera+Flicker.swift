internal import CameraProfiles
public import WhiteBalance

extension Camera {
  /// Determines from pictures of a still scene what makes its light flicker, at as many exposure
  /// times as necessary, up to four. The exposure is restored at the end.
  ///
  /// Rows must be in the sensor's order. Error: that of `FlickerMeasurement`; without a choice of
  /// frame rates more scenes are undecided (`CameraFlickerTests`).
  ///
  /// - Parameters:
  ///   - exposures: The largest number of exposure times to try, above 0. The first is the current
  ///     one, which may hide a flicker.
  ///   - progress: A closure that is called with the number of frames read.
  /// - Throws: The errors of the camera's port; an undecided light is a verdict, not an error.
  public func measureFlicker(
    exposures: Int = 4, progress: (_ frames: Int) -> Void = { _ in }
  ) async throws(CameraError) -> FlickerMeasurement {
    let measurement = try await puttingExposureBack { camera async throws(CameraError) in
      try await camera.measureFlicker(exposures, progress)
    }
    // The caller continues with the restored exposure in the picture.
    try await skipExposureFrames()
    return measurement
  }

  private static let framesOfARun = 64

  private func measureFlicker(
    _ exposures: Int, _ progress: (Int) -> Void
  ) async throws(CameraError) -> FlickerMeasurement {
    let laws = try? await lawsOfExposure()
    let canChoose = try await lockExposure() && laws?.durations != nil
    var frames = 0
    var runs: [FlickerRun] = []
    while true {
      var exposure: Double?
      if canChoose, let laws, let control = laws.time?.control {
        exposure = laws.duration(at: try await port.value(of: control.id))
      }
      var run: [FlickerFrame] = []
      for _ in 0..<Self.framesOfARun {
        run.append(try await nextFlickerFrame())
        frames += 1
        progress(frames)
      }
      runs.append(FlickerRun(run, exposure: exposure))
      let rate = Self.rate(of: run)
      let longest = min(laws?.durations?.upperBound ?? 0, 1 / rate)
      let shortest = laws?.durations?.lowerBound ?? 0
      let choices = FlickerMeasurement.Trial.Choices(
        frameRates: [rate], exposures: max(shortest, 2e-4)...max(longest, shortest, 4e-4))
      let found = FlickerMeasurement(runs, choices: choices)
      guard canChoose, runs.count < exposures, let next = found.next?.exposure, let exposure,
        let laws,
        abs(next / exposure - 1) > 0.03, let durations = laws.durations, durations ~= next
      else { return found }
      let name = await port.identity.name
      try await send(
        laws.values(
          duration: next, amplification: nil, now: try await exposureValues(laws), of: name))
      try await skipExposureFrames()
    }
  }

  /// Returns the exposure times that can be set without lowering the frame rate, in seconds; `nil`
  /// if their unit is unknown.
  public func durationsWithinAFrame() async throws(CameraError) -> ClosedRange<Double>? {
    guard let laws = try? await lawsOfExposure(), let durations = laws.durations else { return nil }
    let camera = await watching()
    let first = try await camera.nextFlickerFrame()
    let rate = Self.rate(of: [first, try await camera.nextFlickerFrame()])
    let longest = min(durations.upperBound, 1 / rate)
    return durations.lowerBound <= longest ? durations.lowerBound...longest : nil
  }

  private func nextFlickerFrame() async throws(CameraError) -> FlickerFrame {
    try await nextFrame { info, layout, bytes throws(FrameError) in
      try FlickerFrame(
        bytes, layout: layout, sequence: info.sequence, time: info.timestamp / .seconds(1))
    }.1
  }

  private static func rate(of run: [FlickerFrame]) -> Double {
    guard let first = run.first, let last = run.last, last.time > first.time else { return 30 }
    return Double(last.sequence - first.sequence) / (last.time - first.time)
  }

  /// Sets the mains frequency whose flicker the camera avoids as far as it can; returns `false` if
  /// it has no control for it. On failure the previous settings are restored.
  @discardableResult
  public func setMainsFrequency(_ mains: MainsFrequency) async throws(CameraError) -> Bool {
    guard let control = await port.description(of: .powerLineFrequency) else { return false }
    // V4L2's menu: off, 50 Hz, 60 Hz, automatic.
    let value = mains == .hertz50 ? 1 : 2
    guard control.range ~= value else { return false }
    try await choose(value, of: control.id)
    return true
  }
}
