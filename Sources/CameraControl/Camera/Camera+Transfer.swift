internal import CameraProfiles
public import ColorScience
internal import WhiteBalance

extension Camera {
  /// Measures the picture's transfer function in pictures of one still scene at several exposures,
  /// since light is proportional to exposure time; returns `nil` if the exposure time is not set
  /// manually, too few exposures can be measured, or the picture does not follow the time.
  ///
  /// Drivers report a function, usually sRGB, but cameras have their own. A known function is
  /// returned if it explains the pictures to 1 %, preferably sRGB; otherwise the measured curve,
  /// which reaches close to white if the exposure does. The exposure is restored, and automatic
  /// white balance is left off.
  ///
  /// - Parameter progress: A closure that is called with the number of exposures seen, up to 26.
  /// - Throws: `noLaw` if no known function explains the pictures and flicker leaves stripes in
  ///   them.
  public func findTransfer(
    progress: (Int) -> Void = { _ in }
  ) async throws(CameraError) -> TransferFunction? {
    try await exposureSeries(progress: progress)?.transfer
  }

  /// Measures the transfer function, and the law and latency of the exposure time.
  package func exposureSeries(
    progress: (Int) -> Void = { _ in }
  ) async throws(CameraError) -> ExposureSeries? {
    try await restoringOnFailure { camera async throws(CameraError) in
      guard let (control, initial) = try await camera.manualExposure() else { return nil }
      try await camera.turnOffAutomatic()
      // If the card was just neutralized, the picture has settled.
      if !camera.isPrompt || camera.neutral.isEmpty { try await camera.settle(after: delay) }
      // A swing of the light would be mistaken for the tone curve.
      var isSwinging = camera.flickers
      if !isSwinging, camera.neutral.isEmpty {
        isSwinging = try await PictureWatch.flickers(
          camera.means(PictureWatch.flickeringFrames))
      }
      var linear = camera
      // The codes themselves, with black 0 and white 1.
      linear.transfer = .linear
      linear.mixing = nil
      linear.flickers = isSwinging
      var sweep = try await ToneSweep(linear, control, initial)
      try await camera.exposing { expose async throws(CameraError) in
        try await sweep.run(expose, progress)
      }
      return sweep.series.transfer.map { transfer in
        ExposureSeries(
          control: control, reference: initial, series: sweep.series.points, transfer: transfer,
          latency: sweep.latency)
      }
    }
  }
}

/// Measures one still scene at several exposures.
private struct ToneSweep {
  typealias Expose = (Double) async throws(CameraError) -> (time: Double, latency: Int?)

  private let reader: Camera
  private let control: ControlDescription
  private let initial: Int
  private(set) var series = ToneSeries()
  private(set) var latency: Int?
  /// The largest factor with a usable mean, and the smallest one that clips.
  private var (largest, clipping) = (0.0, Double.infinity)
  /// The standard error of one frame.
  private var error = 0.0

  /// - Parameter reader: A camera that reads codes as if they were linear.
  init(
    _ reader: Camera, _ control: ControlDescription, _ initial: Int
  ) async throws(CameraError) {
    (self.reader, self.control, self.initial) = (reader, control, initial)
    if reader.isPrompt {
      let first = try await reader.nextEstimate().1.standardError
      error = max(first.red, first.blue)
    }
  }

  /// Measures as many exposures as necessary.
  mutating func run(
    _ expose: Expose, _ progress: (Int) -> Void
  ) async throws(CameraError) {
    // A few exposures suffice for a known function.
    try await measure(all: Self.fewFactors, expose, progress)
    if series.isKnownWell { return }
    try await measure(
      all: Self.factors.filter { !Self.fewFactors.contains($0) }, expose, progress)
    // For an unknown curve, only codes near white determine the linear value of white.
    guard case .curve = series.transfer else { return }
    if series.hasStripes {
      throw .noLaw(
        control.id,
        reason: "the light flickers, which leaves stripes in short exposures, so the tone curve "
          + "cannot be measured; use a lamp that does not flicker, or daylight")
    }
    for _ in 0..<8 where clipping > 1.02 * largest {
      // Exposures that are close together look alike.
      let steps = reader.isPrompt && clipping > 1.25 * largest ? 3 : 1
      let step = min(power(clipping / largest, 1 / Double(steps + 1)), 1.3)
      let first = largest
      // Starting from a clipped picture, so that the first change is large.
      try await measure(
        all: (1...steps).reversed().map { first * power(step, Double($0)) }.alternating,
        areNearWhite: true, expose, progress)
    }
  }

  private mutating func note(_ factor: Double, _ time: Double, _ estimate: GrayCardEstimate) {
    guard estimate.isUsableAsMean else {
      if largest > 0 { clipping = min(clipping, factor) }
      return
    }
    error = max(estimate.standardError.red, estimate.standardError.blue)
    largest = max(largest, factor)
    series.add(estimate, at: time)
  }

  private mutating func measure(
    all factors: [Double], areNearWhite: Bool = false, _ expose: Expose,
    _ progress: (Int) -> Void
  ) async throws(CameraError) {
    let times = factors.map { control.nearestValue(to: Double(initial) * $0) }
    let (found, successive) = try await estimates(of: times)
    latency = latency ?? found
    for ((factor, time), estimate) in zip(zip(factors, times), successive) {
      progress(series.points.count)
      if let estimate {
        note(factor, Double(time), estimate)
      } else if !areNearWhite, factor > largest,
        series.points.contains(where: { $0.codes.contains { $0 > 0.9 } })
      {
        // Brighter ones are clipped too.
        break
      } else {
        let (time, frames) = try await expose(factor)
        if let frames { latency = max(latency ?? 0, frames) }
        note(
          factor, time,
          try await reader.estimate(
            frames: reader.flickers ? PictureWatch.averagedFrames : 4))
      }
    }
  }

  /// Returns the card's estimates at times that are set in quick succession; `nil` for those that
  /// must be observed by themselves.
  private func estimates(
    of times: [Int]
  ) async throws(CameraError) -> (latency: Int?, seen: [GrayCardEstimate?]) {
    guard reader.isPrompt, times.count > 1 else { return (nil, times.map { _ in nil }) }
    let (found, seen) = try await reader.readInSuccession(
      times.map { [ControlValue(control.id, $0)] }, latency: latency,
      count: min(PictureWatch.framesInSuccession(noise: error), 4),
      isSame: { one, other in
        guard one.isUsableAsMean, other.isUsableAsMean else {
          return one.isUsableAsMean == other.isUsableAsMean
        }
        // Dark pictures have more noise.
        let errors = [one, other].map { max($0.standardError.red, $0.standardError.blue) }
        return abs(logarithm(one.response.green / other.response.green))
          < max(0.01, 6 * error, 6 * max(errors[0], errors[1]))
      }
    ) { () async throws(CameraError) in try await reader.nextEstimate() }
    return (found, seen.map { $0.map { GrayCardEstimate(averaging: $0) } })
  }

  /// The factors of the exposure.
  private static let factors = [
    0.012, 0.025, 0.05, 0.1, 0.2, 0.35, 0.6, 0.8, 1, 1.25, 1.5, 1.9, 2.4, 3,
  ]
  /// A few of the factors; the last one leaves the exposure unchanged.
  private static let fewFactors = [0.025, 0.1, 0.35, 0.8, 1.5, 2.4, 1]
}

/// Properties of a camera, from pictures of one surface at several exposure times.
package struct ExposureSeries: Sendable {
  /// The control of the exposure time.
  let control: ControlID
  /// The tone curve for which light is proportional to the time.
  package let transfer: TransferFunction
  /// The law of the time, if a known tone curve shows that it is proportional. For a curve measured
  /// in these pictures it would be proportional by construction.
  let law: ControlLaw?
  /// The largest observed latency of a time, in frames; `nil` if none could be determined.
  let latency: Int?

  /// Creates a series from a model of the camera.
  init(control: ControlID, transfer: TransferFunction, law: ControlLaw?, latency: Int) {
    (self.control, self.transfer, self.law) = (control, transfer, law)
    self.latency = min(latency, Camera.longestLatency)
  }

  fileprivate init(
    control: ControlDescription, reference: Int, series: [(time: Double, codes: [Double])],
    transfer: TransferFunction, latency: Int?
  ) {
    self.control = control.id
    self.transfer = transfer
    self.latency = latency.map { min($0, Camera.longestLatency) }
    if case .curve = transfer {
      law = nil
      return
    }
    let points = series.map { point in
      let light = point.codes.map { transfer.linear($0) }
      return ControlLaw.Point(
        value: Int(point.time), gain: light.reduce(0, +) / Double(light.count))
    }
    let law = ControlLaw(
      control: control, reference: reference, points: points,
      testedBy: Set(points.indices.filter { $0 % 3 == 1 }.map { points[$0].value }),
      passesZero: true)
    self.law = law.flatMap { $0.isSimple ? $0 : nil }
  }
}
