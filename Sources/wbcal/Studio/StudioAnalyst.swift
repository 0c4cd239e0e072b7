import CameraControl
import CameraProfiles
import ColorScience
import WbcalReports
import WhiteBalance

/// Reads frames one after another.
actor StudioAnalyst {
  private var reader: WhiteBalanceReader?
  private var generation = -1
  private var opening = -1
  private var exposure = StudioReading.Exposure()
  private var focus: StudioReading.Focus?
  private var plane: LinearPlane?
  private var sharpness: Double?
  private var sharpest = 0.0
  private var lightChange = StandingLightChange()

  /// Returns the reading of a frame; `nil` if the camera is gone or the frame cannot be read.
  func reading(
    of frame: StudioFrame, _ setup: ReadingDesk.Setup, generation: Int, rate: Double?
  ) async -> Joined<Watch.State.Record, StudioReading>? {
    let camera = setup.session.camera
    let laws = setup.session.knownLaws
    if generation != self.generation {
      reader = WhiteBalanceReader(
        laws.map { ProbedCamera(camera, laws: $0).camera } ?? camera, laws: laws)
      (self.generation, plane) = (generation, nil)
    }
    if setup.opening != opening {
      (opening, sharpness, sharpest, lightChange) = (setup.opening, nil, 0, StandingLightChange())
    }
    guard var reader else { return nil }
    do {
      if try await reader.readControls() { try await readOtherControls(of: camera) }
    } catch { return nil }
    let sums = frame.read { bytes, layout throws(FrameError) in
      (
        try FrameLight(bytes, layout: layout), try FrameOverview(bytes, layout: layout)
      )
    }
    guard let (light, overview) = sums else { return nil }
    let reading = reader.reading(of: frame.info, light)
    lightChange.add(reading)
    self.reader = reader
    measureSharpness(of: frame, camera)
    let record = Watch.State(
      reading, setup.profile, nil, lightChange: lightChange.change
    ).record
    let region = Self.region(of: frame, setup, reading, laws)
    exposure.stops = region.stops
    let seen = StudioReading(
      region: region.record, exposure: exposure, focus: focus, sharpness: sharpness,
      histogram: .init(overview.histogram), zebra: .init(overview), set: setup.set,
      wanted: Self.wanted(setup.set?.asked, record.device), latency: laws?.latency,
      rate: rate)
    return Joined(first: record, second: seen)
  }

  private static func wanted(
    _ asked: StudioReading.Setting.Light?, _ device: LightRecord?
  ) -> [Double]? {
    let light = asked.map { ($0.temperature, $0.tint) } ?? device.map { ($0.temperature, $0.tint) }
    return light.map { temperature, tint in
      let place = Chromaticity(TemperatureAndTint(temperature: temperature, tint: tint ?? 0))
      return [place.x, place.y]
    }
  }

  private func readOtherControls(of camera: Camera) async throws {
    let (duration, gain) = try await camera.exposureSetting
    exposure = .init(
      duration: duration, gain: gain, mode: try await camera.exposureMode.rawValue)
    guard await !camera.supportedFocusModes.isEmpty else { return }
    let canMove = await camera.canSetLensPosition
    focus = .init(
      position: canMove ? try await camera.lensPosition : nil,
      mode: try await camera.focusMode.rawValue)
  }

  /// Sharpness is measured from pairs of frames, whose noise cancels.
  private func measureSharpness(of frame: StudioFrame, _ camera: Camera) {
    let rectangle = GrayCardEstimator(region: camera.focusRegion).rectangle(in: frame.layout)
    let seen = frame.read { bytes, layout throws(FrameError) in
      try LinearPlane(bytes, layout: layout, region: rectangle)
    }
    guard let new = seen else { return }
    guard let old = plane, old.isAsLarge(as: new) else {
      plane = new
      return
    }
    plane = nil
    var meter = FocusMeter()
    meter.add(old)
    meter.add(new)
    guard let measure = meter.measure, measure.sharpness > 3 * measure.standardError else {
      sharpness = nil
      return
    }
    sharpest = max(sharpest, measure.sharpness)
    sharpness = measure.sharpness / sharpest
  }

  private static func region(
    of frame: StudioFrame, _ setup: ReadingDesk.Setup, _ reading: WhiteBalanceReading,
    _ laws: ControlLaws?
  ) -> (record: StudioReading.Region?, stops: Double?) {
    let region = setup.region.map { GrayCardEstimator.Region.rectangle($0) }
    let estimator = GrayCardEstimator(region: region ?? CardOptions.defaultRegion)
    let rectangle = estimator.rectangle(in: frame.layout)
    let found = frame.read { bytes, layout throws(FrameError) in
      try estimator.estimate(bytes, layout: layout)
    }
    guard let estimate = found else { return (nil, nil) }
    let light = reading.deviceGains.flatMap {
      StudioLight(estimate, deviceGains: $0, mixing: laws?.mixing, profile: setup.profile)
    }
    let response = estimate.response
    let counts = estimate.pixels
    let errors = estimate.standardError
    let seen = light?.reading
    let isSure = errors.red.isFinite && errors.blue.isFinite
    let record = StudioReading.Region(
      rectangle: [rectangle.x, rectangle.y, rectangle.width, rectangle.height],
      rgb: [response.red, response.green, response.blue], gains: estimate.gains,
      standardError: isSure ? .init(red: errors.red, blue: errors.blue) : nil,
      xy: seen.flatMap { $0.isTintKnown ? [$0.chromaticity.x, $0.chromaticity.y] : nil },
      ellipse: light?.ellipse,
      temperature: finite(seen?.light?.temperature), tint: finite(seen?.tint),
      temperatureError: finite(seen?.standardError?.temperature),
      tintError: finite(seen?.standardError?.tint), nonuniformity: finite(estimate.nonuniformity),
      pixels: .init(
        total: counts.total, used: counts.used, clipped: counts.clipped, dark: counts.dark),
      accepted: estimate.isAccepted, reasons: estimate.refusals.map(\.description))
    let brightest = max(response.red, response.green, response.blue)
    // If much is clipped, the mean of the rest means nothing.
    let isClipped = Double(counts.clipped) > 0.5 * Double(counts.total)
    return (record, isClipped ? 0 : brightest > 0 ? logarithm(brightest) / logarithm(2) : nil)
  }
}

/// The light on a card, from the total gains that it needs.
struct StudioLight {
  let reading: LightReading
  let ellipse: [[Double]]?

  /// Returns `nil` if the light cannot be determined.
  init?(
    _ estimate: GrayCardEstimate, deviceGains: Gains, mixing: ChannelMixing?,
    profile: CameraProfile?
  ) {
    guard let profile, estimate.isAccepted,
      let missing = Gains(
        neutralizing: mixing.map { $0.unmixed(estimate.response) } ?? estimate.response),
      let reading = try? profile.model.reading(of: Gains(missing.vector * deviceGains.vector))
    else { return nil }
    self.reading = reading
    let center = reading.chromaticity
    let outline = profile.covariance(at: center).flatMap { covariance in
      profile.model.logGainSlopes(at: center, lightClass: nil).flatMap {
        UncertaintyEllipse.outline(around: center, covariance, $0)
      }
    }
    ellipse = outline?.map { [$0.x, $0.y] }
  }
}
