import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc
import Testing
import WhiteBalance

@testable import Video4Linux

struct SubdeviceTests {
  private let line = Double(1640 + 1808) / 182_400_000

  @Test func controlsOfSubdevicesAreTheCameras() async throws {
    let device = try await SensorSystem().device()
    #expect(device.missingControls == nil)
    #expect(
      device.controls.map(\.id) == [
        .redBalance, .blueBalance, .exposureTime, .verticalBlanking, .gain, .testPattern,
        .digitalGain,
      ])
    let time = try #require(await device.description(of: .exposureTime))
    #expect(time.minimum == 4 && time.maximum == 1763)
    #expect(abs(try #require(time.secondsPerUnit) - line) < 1e-12)
    // That of the sensor, not of the image processor.
    #expect(await device.description(of: .digitalGain)?.maximum == 4095)
  }

  @Test func eachControlIsReadAndSetWhereItIs() async throws {
    let system = try SensorSystem()
    let device = try await system.device()
    try await device.set([
      ControlValue(.redBalance, 300), ControlValue(.exposureTime, 800), ControlValue(.gain, 10),
      ControlValue(.digitalGain, 512), ControlValue(.blueBalance, 200),
    ])
    #expect(try await device.value(of: .exposureTime) == 800)
    #expect(try await device.value(of: .blueBalance) == 200)
    let sensor = [V4L2_CID_EXPOSURE, V4L2_CID_ANALOGUE_GAIN, V4L2_CID_DIGITAL_GAIN].map(Int.init)
    #expect(system.sensor.written == [sensor])
    let processor = [V4L2_CID_RED_BALANCE, V4L2_CID_BLUE_BALANCE].map(Int.init)
    #expect(system.processor.written == [processor])
    #expect(system.video.written.isEmpty)
  }

  @Test func nothingIsSetOnAnyDeviceIfOneValueIsBad() async throws {
    let system = try SensorSystem()
    let device = try await system.device()
    await #expect(
      throws: CameraError.valueOutOfRange(
        ControlValue(.exposureTime, 1764), allowed: 4...1763, step: 1)
    ) { try await device.set([ControlValue(.redBalance, 1), ControlValue(.exposureTime, 1764)]) }
    #expect(system.sensor.written.isEmpty && system.processor.written.isEmpty)
  }

  /// An error names what was written before it, on any device.
  @Test func whatWasWrittenOnOtherDevicesIsNamed() async throws {
    let system = try SensorSystem()
    let device = try await system.device()
    system.processor.state.withLock { $0.refuse = { _ in (EIO, 0) } }
    let error = try #require(
      await #expect(throws: CameraError.self) {
        try await device.set([ControlValue(.redBalance, 300), ControlValue(.exposureTime, 800)])
      })
    guard case .notSet(ControlValue(.redBalance, 300), _, written: let written) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(written == [ControlValue(.exposureTime, 800)])
  }

  @Test func anAutomaticIsTurnedOffBeforeAndOnAfterOtherDevices() async throws {
    let automatic = ScriptedDriver.Control(
      number: V4L2_CID_AUTO_WHITE_BALANCE.bits, type: V4L2_CTRL_TYPE_BOOLEAN, maximum: 1)
    let system = try SensorSystem(processor: SensorSystem.processorControls + [automatic])
    let device = try await system.device()
    // The sensor refuses, so that only those before it are written.
    system.sensor.state.withLock { $0.refuse = { _ in (EIO, 0) } }
    let exposure = ControlValue(.exposureTime, 800)
    await #expect(throws: CameraError.self) {
      try await device.set([exposure, ControlValue(.autoWhiteBalance, 1)])
    }
    #expect(system.processor.written.isEmpty)
    await #expect(throws: CameraError.self) {
      try await device.set([exposure, ControlValue(.autoWhiteBalance, 0)])
    }
    #expect(system.processor.written == [[Int(V4L2_CID_AUTO_WHITE_BALANCE)]])
  }

  @Test func theVideoNodesOwnControlWins() async throws {
    let system = try SensorSystem(
      video: [
        .init(number: V4L2_CID_RED_BALANCE.bits, maximum: 7, initial: 3),
        .init(number: V4L2_CID_GAIN.bits, maximum: 15),
      ])
    let device = try await system.device()
    #expect(await device.description(of: .redBalance)?.maximum == 7)
    #expect(await device.description(of: .gain)?.maximum == 15)
    // There is another gain, so the sensor's has a name of its own.
    #expect(await device.description(of: .analogueGain)?.maximum == 232)
    try await device.set([ControlValue(.redBalance, 5), ControlValue(.analogueGain, 9)])
    #expect(system.video.written == [[Int(V4L2_CID_RED_BALANCE)]])
    #expect(system.sensor.written == [[Int(V4L2_CID_ANALOGUE_GAIN)]])
  }

  @Test func longerFramesAllowLongerExposures() async throws {
    let device = try await SensorSystem().device()
    try await device.set([ControlValue(.verticalBlanking, 5000)])
    let time = try #require(await device.description(of: .exposureTime))
    #expect(time.maximum == 6228)
    #expect(abs(try #require(time.secondsPerUnit) - line) < 1e-12)
    try await device.set([ControlValue(.exposureTime, 6228)])
  }

  /// The format decides on the time of a line, so it is read again when a stream has started.
  @Test func theUnitFollowsTheFormatOfTheStream() async throws {
    let system = try SensorSystem()
    system.video.state.withLock { $0.endless = 256 }
    let device = try await system.device()
    system.sensor.state.withLock {
      $0.padSizes[0] = (640, 1232)
      $0.values[V4L2_CID_HBLANK.bits] = 2808
    }
    try await device.withNextFrame { _, _ in }
    let unit = await device.description(of: .exposureTime)?.secondsPerUnit
    #expect(try #require(unit) == 3448.0 / 182_400_000)
    system.sensor.state.withLock { $0.values[V4L2_CID_HBLANK.bits] = 3008 }
    await device.stopStreaming()
    try await device.withNextFrame { _, _ in }
    let longer = await device.description(of: .exposureTime)?.secondsPerUnit
    #expect(try #require(longer) == 3648.0 / 182_400_000)
  }

  @Test(arguments: [V4L2_CID_HBLANK, V4L2_CID_VBLANK, V4L2_CID_PIXEL_RATE])
  func withoutTheTimeOfALineExposuresAreLines(missing: Int32) async throws {
    let system = try SensorSystem(
      sensor: SensorSystem.sensorControls.filter { $0.number != missing.bits })
    let device = try await system.device()
    #expect(await device.description(of: .exposureTime) == nil)
    #expect(await device.description(of: .exposureLines)?.secondsPerUnit == nil)
  }

  @Test func exposuresLongerThanAFrameAreInAnotherUnit() async throws {
    var controls = SensorSystem.sensorControls
    controls[0].maximum = 1_048_575
    let device = try await SensorSystem(sensor: controls).device()
    #expect(await device.description(of: .exposureLines)?.maximum == 1_048_575)
  }

  // MARK: - Rates

  /// A video node whose driver knows no rates, as of cameras with sub-devices.
  private func systemWithoutRates() throws -> SensorSystem {
    let system = try SensorSystem()
    system.video.state.withLock {
      ($0.rate, $0.endless) = ((0, 0), 256)
      $0.sizes = [(1640, 1232), (820, 616)]
    }
    return system
  }

  /// An imx219 reads 1640 × 1232 pixels, with 1808 of blanking in each of 1767 lines, 29.94 times
  /// a second.
  @Test func theRateIsThatOfTheSensor() async throws {
    let system = try systemWithoutRates()
    let device = try await system.device()
    let rate = FrameRate(frames: 182_400_000, seconds: 3448 * 1767)
    #expect(try await device.frameRate() == rate)
    let sizes = try await device.offeredFormats()[0].sizes
    #expect(sizes.map(\.rates) == [.list([rate]), .list([])])
    try await device.set([ControlValue(.verticalBlanking, 2302)])
    let slower = FrameRate(frames: 182_400_000, seconds: 3448 * (1232 + 2302))
    #expect(try await device.frameRate() == slower)
  }

  @Test func anotherRateThanTheSensorsIsRefused() async throws {
    let system = try systemWithoutRates()
    for (rate, isRefused) in [(60.0, true), (29.94, false)] {
      var request = FormatRequest(framesPerSecond: rate)
      request.required = [.rate]
      let device = try await VideoDevice(
        opening: "/dev/null", in: system.list, request: request, frameTimeout: .milliseconds(500))
      guard isRefused else {
        try await device.withNextFrame { _, _ in }
        continue
      }
      let error = await #expect(throws: CameraError.self) {
        try await device.withNextFrame { _, _ in }
      }
      guard case .noFormat(_, _, let offered) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(offered == ["29.938 fps"])
    }
  }

  // MARK: - Test patterns

  @Test func aTestPatternIsNeverMeasured() async throws {
    let system = try SensorSystem()
    system.video.state.withLock { $0.endless = 256 }
    let device = try await system.device()
    try await device.withNextFrame { _, _ in }
    try await device.set([ControlValue(.testPattern, 1)])
    let error = CameraError.testPattern(
      "Color Bars", camera: "Scripted Camera", off: ControlValue(.testPattern, 0))
    await #expect(throws: error) { try await device.withNextFrame { _, _ in } }
    #expect(
      "\(error)" == "Scripted Camera delivers the test pattern 'Color Bars' instead of pictures; "
        + "test_pattern 0 turns it off")
    // Buffers that were filled meanwhile show it too, so the stream has ended.
    #expect(system.video.state.withLock { $0.calls.contains(CV4L_STREAMOFF) })
    try await device.set([ControlValue(.testPattern, 0)])
    try await device.withNextFrame { _, _ in }
    #expect(system.video.state.withLock { $0.calls.filter { $0 == CV4L_STREAMON }.count } == 2)
  }

  /// A pattern that another program turns on while a frame is awaited.
  @Test func aTestPatternThatComesMeanwhileIsRefused() async throws {
    let system = try SensorSystem()
    system.video.state.withLock { $0.endless = 256 }
    let device = try await system.device()
    let sensor = system.sensor
    await #expect(throws: CameraError.self) {
      try await device.withNextFrame { _, _ in
        sensor.state.withLock { $0.values[V4L2_CID_TEST_PATTERN.bits] = 2 }
      }
    }
  }

  @Test(arguments: [
    (["Disabled", "Bars"], 0, nil), (["Disabled", "Bars"], 1, "Bars"),
    (["Bars", "Ramp", "Disable"], 2, nil), (["Bars", "Ramp", "Disable"], 0, "Bars"),
    (["Normal", "Vertical colorbar"], 0, nil), (["75% Colorbar"], 0, "75% Colorbar"),
  ])
  func patternsAreKnownByTheirNames(names: [String], value: Int, pattern: String?) {
    let items = names.enumerated().map { ControlKind.Item(value: $0, name: $1) }
    let control = ControlDescription(
      id: .testPattern, minimum: 0, maximum: 9, defaultValue: 0, kind: .menu(items))
    guard
      case .testPattern(let name, _, _)? = TestPattern.problem(
        control, value: value, camera: "cam")
    else {
      #expect(pattern == nil)
      return
    }
    #expect(name == pattern)
  }

  // MARK: - What is missing

  @Test(arguments: ["/dev/media0", "/dev/v4l-subdev0"])
  func withoutPermissionTheCameraWorksAndSaysWhatIsMissing(file: String) async throws {
    var system = try SensorSystem()
    system.refused[file] = .notPermitted(file, group: "video")
    system.video.state.withLock { $0.endless = 256 }
    let device = try await system.device()
    #expect(
      device.missingControls
        == "no permission to use \(file): this user is not in the group video")
    #expect(await device.description(of: .exposureTime) == nil)
    #expect((await device.description(of: .redBalance) != nil) == (file != "/dev/media0"))
    try await device.withNextFrame { _, _ in }
  }

  @Test func severalSensorsAreNotOne() async throws {
    var graph = MediaGraph.board
    graph.add(
      5, "imx477", MEDIA_INTF_T_V4L_SUBDEV, .init(major: 81, minor: 12),
      function: MEDIA_ENT_F_CAM_SENSOR)
    graph.connect(5, 0, to: 2)
    let device = try await SensorSystem(graph: graph).device()
    #expect(
      device.missingControls
        == "its pictures can come from several sensors: imx219 10-0010, imx477")
    #expect(device.controls.isEmpty)
  }

  @Test func aCameraOfAnotherMediaDeviceHasItsOwnControlsOnly() async throws {
    let device = try await SensorSystem(graph: MediaGraph()).device()
    #expect(device.missingControls == nil && device.controls.isEmpty)
  }

  @Test func closingClosesAllDevices() async throws {
    let device = try await SensorSystem().device()
    await device.close()
    await #expect(throws: CameraError.self) { try await device.value(of: .gain) }
    await #expect(throws: CameraError.self) { try await device.set([ControlValue(.gain, 1)]) }
  }

  // MARK: - Changes

  @Test func changesOfAllDevicesAreReported() async throws {
    let system = try SensorSystem()
    let device = try await system.device()
    system.sensor.state.withLock { $0.reportsChanges = true }
    // This sub-device reports no events, so it is read twice a second.
    system.processor.state.withLock { $0.errors[CV4L_SUBSCRIBE_EVENT] = ENOTTY }
    let changes = await device.changes()
    try await Task.sleep(for: .milliseconds(600))
    try await device.set([ControlValue(.exposureTime, 900), ControlValue(.redBalance, 333)])
    var seen: Set<ControlValue> = []
    for await change in changes {
      seen.insert(change)
      if seen.count == 2 { break }
    }
    #expect(seen == [ControlValue(.exposureTime, 900), ControlValue(.redBalance, 333)])
  }
}
