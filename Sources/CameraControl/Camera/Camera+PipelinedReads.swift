internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Indicates whether several white-balance settings may be sent in quick succession: they take
  /// effect at once after a known latency, and automatic white balance is turned off only once.
  var isPrompt: Bool {
    automaticOffPolicy == .once && latency != nil && settlingRate == 1 && !flickers
      && !approachesFromBelow
  }

  /// Sends settings in quick succession, each before the previous one shows, so that none waits for
  /// its own latency, and returns the frames of each (`FrameSuccession`).
  ///
  /// - Parameters:
  ///   - known: The latency in frames; if `nil`, the first change determines it.
  ///   - count: The number of frames for each setting, at least 2, plus one in which it may be
  ///     late.
  ///   - isSame: A closure that indicates whether two frames may show the same setting.
  ///   - next: A closure that reads the next frame.
  /// - Returns: The latency, if any setting was seen, and the frames of each; `nil` for one that
  ///   must be observed by itself, because its frames differ, one was lost, or the camera reports
  ///   another value.
  dynamic func readInSuccession<Reading>(
    _ settings: [[ControlValue]], latency known: Int?, count: Int,
    isSame: (Reading, Reading) -> Bool,
    next: () async throws(CameraError) -> (FrameInfo, Reading)
  ) async throws(CameraError) -> (latency: Int?, seen: [[Reading]?]) {
    let unknown = (Int?.none, settings.map { _ in [Reading]?.none })
    guard let first = settings.first, try await self.settings(of: first) != first else {
      return unknown
    }
    let (start, before) = try await next()
    var succession = FrameSuccession(after: start.sequence, before)
    for values in settings {
      try await send(values)
      succession.noteSetting()
      for _ in 0...count {
        let (info, reading) = try await next()
        succession.add(info.sequence, reading)
      }
      guard try await misreported(values).isEmpty else { return unknown }
    }
    guard let latency = known ?? succession.latency(isSame: isSame) else { return unknown }
    for _ in 0..<latency {
      let (info, reading) = try await next()
      succession.add(info.sequence, reading)
    }
    let seen = succession.readings(latency: latency, count: count, isSame: isSame)
    return seen.map { (latency, $0) } ?? unknown
  }
}
