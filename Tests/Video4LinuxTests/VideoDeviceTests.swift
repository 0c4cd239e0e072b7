import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc
import Synchronization
import Testing
import WhiteBalance

@testable import Video4Linux

struct VideoDeviceTests {
  private static func streaming(
    _ steps: [ScriptedDriver.Step] = [], change: (inout ScriptedDriver.State) -> Void = { _ in }
  ) -> ScriptedDriver {
    ScriptedDriver {
      $0.controls = ScriptedDriver.webcam
      $0.picture.width = 16
      $0.picture.height = 16
      $0.picture.bytesperline = 32
      $0.steps = steps
      change(&$0)
    }
  }

  private func frame(
    _ sequence: UInt32, used: UInt32 = 512, flags: Int32 = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC
  ) -> ScriptedDriver.Step {
    .frame(.init(flags: flags, used: used, sequence: sequence))
  }

  private func device(
    _ driver: ScriptedDriver, timeout: Duration = .seconds(3)
  ) async throws -> VideoDevice {
    let list = DeviceList { (_) throws(CameraError) in ScriptedFile(driver) }
    // Any device file is suitable.
    return try await VideoDevice(opening: "/dev/null", in: list, frameTimeout: timeout)
  }

  @Test func openingStreamsNothing() async throws {
    let driver = Self.streaming()
    let device = try await device(driver)
    #expect(device.identity.name == "Scripted Camera")
    #expect(device.identity.id == "platform:scripted")
    #expect(device.controls.count == 6)
    #expect(!driver.state.withLock { $0.calls.contains(CV4L_S_FMT) })
  }

  @Test func theConfigurationIsGivenBackWithTheLastThatTookIt() async throws {
    let driver = Self.streaming()
    let device = try await device(driver)
    try await device.beginConfiguration()
    try await device.beginConfiguration()
    await device.endConfiguration()
    #expect(driver.state.withLock { $0.isLocked })
    await device.endConfiguration()
    #expect(!driver.state.withLock { $0.isLocked })
    await device.endConfiguration()
    driver.state.withLock { $0.lockAnswer = -EWOULDBLOCK }
    await #expect(throws: CameraError.busy(camera: "Scripted Camera")) {
      try await device.beginConfiguration()
    }
    // This file system has no locks.
    driver.state.withLock { $0.lockAnswer = -EOPNOTSUPP }
    try await device.beginConfiguration()
  }

  /// The process that has locked a file is named.
  @Test func programsAreNamed() throws {
    let path = "/tmp/wbcal-lock-\(getpid())"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer {
      close(descriptor)
      unsafe unlink(path)
    }
    #expect(DeviceUsers.holder(ofLockOn: path) == nil)
    #expect(DeviceUsers.user(of: path) == nil)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let holder = DeviceUsers.holder(ofLockOn: path)
    #expect(holder?.hasSuffix("(process \(getpid()))") == true)
  }

  @Test func framesAreWholeAndLieWhereTheDriverPutThem() async throws {
    let driver = Self.streaming([
      frame(4), frame(5, flags: V4L2_BUF_FLAG_ERROR), frame(6, used: 511), .nothing,
      .dequeue(EAGAIN),
      frame(7),
    ])
    let device = try await device(driver)
    var infos: [FrameInfo] = []
    for _ in 0..<2 {
      let (info, count, byte) = try await device.withNextFrame { ($0, $1.count, $1[511]) }
      infos.append(info)
      #expect(count == 512 && byte == 0x80)
    }
    #expect(infos.map(\.sequence) == [4, 7])
    #expect(infos[0].timestamp == .seconds(7) + .milliseconds(500))
    #expect(infos[0].layout.format == .subsampled(.yuyv))
    // The driver has all buffers again.
    #expect(driver.state.withLock { $0.queued.sorted() } == [0, 1])
  }

  @Test func aFrameWithoutATimeGetsThePresent() async throws {
    let device = try await device(Self.streaming([frame(0, flags: 0)]))
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let info = try await device.withNextFrame { info, _ in info }
    #expect(info.timestamp >= .seconds(now.tv_sec) && info.timestamp < .seconds(now.tv_sec + 5))
  }

  @Test func aStreamThatStartsAgainCountsOn() async throws {
    let driver = Self.streaming([frame(0), frame(3), frame(0), frame(1)])
    let device = try await device(driver)
    var sequences: [Int] = []
    for index in 0..<4 {
      if index == 2 { await device.stopStreaming() }
      sequences.append(try await device.withNextFrame { info, _ in info.sequence })
    }
    #expect(sequences == [0, 3, 4, 5])
  }

  @Test func aCameraThatSendsNothingOrOnlyBrokenFramesHasStalled() async throws {
    let silent = try await device(Self.streaming(), timeout: .milliseconds(50))
    await #expect(throws: CameraError.stalled(camera: "Scripted Camera", seconds: 0.05)) {
      try await silent.withNextFrame { _, _ in }
    }
    let broken = [ScriptedDriver.Step](repeating: frame(0, used: 0), count: 20_000)
    let noisy = try await device(Self.streaming(broken), timeout: .milliseconds(50))
    let error = await #expect(throws: CameraError.self) {
      try await noisy.withNextFrame { _, _ in }
    }
    let sentence =
      "Scripted Camera has sent no complete picture for 0.1 s, only [0-9]+ damaged ones "
    #expect(
      try "\(#require(error))".firstMatch(of: Regex(sentence + "\\(0 bytes instead of 512\\)"))
        != nil)
    #expect(await noisy.damagedFrames > 10)
  }

  @Test(arguments: [
    ScriptedDriver.Step.dequeue(ENODEV), .poll(POLLERR | POLLHUP), .poll(-ENODEV),
  ])
  func aCameraThatGoesAwayVanishes(step: ScriptedDriver.Step) async throws {
    let device = try await device(Self.streaming([frame(0), step]))
    try await device.withNextFrame { _, _ in }
    await #expect(throws: CameraError.vanished(camera: "Scripted Camera")) {
      try await device.withNextFrame { _, _ in }
    }
  }

  @Test func aStreamThatFailedStartsAgain() async throws {
    let driver = Self.streaming([frame(0), .dequeue(EIO), frame(0)])
    let device = try await device(driver)
    try await device.withNextFrame { _, _ in }
    await #expect(
      throws: CameraError.system(call: "VIDIOC_DQBUF", number: 5, text: "Input/output error")
    ) { try await device.withNextFrame { _, _ in } }
    #expect(try await device.withNextFrame { info, _ in info.sequence } == 1)
    #expect(driver.state.withLock { $0.calls.filter { $0 == CV4L_STREAMON }.count } == 2)
  }

  @Test(arguments: [CV4L_S_FMT, CV4L_REQBUFS, CV4L_STREAMON])
  func aCameraThatStreamsForAnotherIsBusyAndNothingLeaks(call: UInt) async throws {
    let driver = Self.streaming { $0.errors[call] = EBUSY }
    let device = try await device(driver)
    let error = await #expect(throws: CameraError.self) {
      try await device.withNextFrame { _, _ in }
    }
    // Another process may have the node of these tests open.
    guard case .busy(camera: "Scripted Camera", by: _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(driver.state.withLock { $0.mapped } == 0)
  }

  @Test(arguments: [(ENOSPC, "use smaller ones, or another port"), (EPIPE, "'media-ctl -V' sets")])
  func aStreamThatDoesNotStartSaysWhatHelps(number: CInt, advice: String) async throws {
    let device = try await device(Self.streaming { $0.errors[CV4L_STREAMON] = number })
    let error = await #expect(throws: CameraError.self) {
      try await device.withNextFrame { _, _ in }
    }
    #expect("\(try #require(error))".contains(advice))
  }

  @Test func aCameraWithoutAFormatNamesWhatItHas() async throws {
    let device = try await device(Self.streaming { $0.formats = ["MJPG", "H264"] })
    await #expect(
      throws: CameraError.noFormat(
        camera: "Scripted Camera", asked: nil, offered: ["MJPG", "H264"])
    ) { try await device.withNextFrame { _, _ in } }
  }

  @Test func aCancelledTaskWaitsForNothing() async throws {
    let device = try await device(Self.streaming(), timeout: .seconds(60))
    let task = Task { try await device.withNextFrame { _, _ in } }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CameraError.cancelled) { try await task.value }
  }

  @Test func closingGivesEverythingBack() async throws {
    let driver = Self.streaming([frame(0)])
    let device = try await device(driver)
    try await device.withNextFrame { _, _ in }
    #expect(driver.state.withLock { $0.mapped } == 2)
    await device.close()
    #expect(driver.state.withLock { $0.mapped } == 0)
    #expect(driver.state.withLock { $0.calls.suffix(2) } == [CV4L_STREAMOFF, CV4L_REQBUFS])
    await #expect(throws: CameraError.self) { try await device.value(of: .redBalance) }
  }

  @Test func changesAreTold() async throws {
    let driver = Self.streaming()
    let device = try await device(driver)
    let changes = await device.changes()
    driver.state.withLock {
      for value: Int32 in [7, 9] {
        var event = v4l2_event()
        event.type = V4L2_EVENT_CTRL.bits
        event.id = V4L2_CID_BRIGHTNESS.bits
        unsafe event.u.ctrl.changes = V4L2_EVENT_CTRL_CH_VALUE.bits
        unsafe event.u.ctrl.value = value
        $0.events.append(event)
        // A change of flags only is not a change of the value.
        unsafe event.u.ctrl.changes = V4L2_EVENT_CTRL_CH_FLAGS.bits
        $0.events.append(event)
      }
      $0.steps = [.nothing, .poll(POLLERR | POLLHUP)]
    }
    var seen: [ControlValue] = []
    for await change in changes { seen.append(change) }
    #expect(seen == [ControlValue(.brightness, 7), ControlValue(.brightness, 9)])
    #expect(driver.state.withLock { $0.calls.filter { $0 == CV4L_SUBSCRIBE_EVENT }.count } == 6)
  }

  @Test func valuesThatTheCameraMovesAreLookedAt() async throws {
    let driver = Self.streaming { $0.controls[2].flags = V4L2_CTRL_FLAG_VOLATILE }
    let device = try await device(driver)
    let changes = await device.changes()
    try await Task.sleep(for: .milliseconds(100))
    driver.state.withLock { $0.values[V4L2_CID_RED_BALANCE.bits] = 300 }
    for await change in changes {
      #expect(change == ControlValue(.redBalance, 300))
      break
    }
  }

  @Test func whoStopsListeningLeavesNothingBehind() async throws {
    weak var last: ScriptedDriver?
    do {
      let driver = Self.streaming()
      last = driver
      let device = try await device(driver)
      let changes = await device.changes()
      let listener = Task { for await _ in changes {} }
      try await Task.sleep(for: .milliseconds(20))
      #expect(last != nil)
      listener.cancel()
      await listener.value
    }
    for _ in 0..<200 where last != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(last == nil)
  }

  @Test func aCameraComesBackElsewhere() async throws {
    let system = try VideoSystem()
    let identity = CameraIdentity(driver: "scripted", name: "cam", id: "platform:scripted")
    await #expect(throws: CameraError.vanished(camera: "cam")) {
      try await VideoDevice.waitForReturn(of: identity, within: .zero, in: system.list)
    }
    try system.add(7, device: "platform/scripted", driver: .success(ScriptedDriver()))
    #expect(
      try await VideoDevice.waitForReturn(of: identity, within: .seconds(9), in: system.list)
        == system.root + "/dev/video7")
  }
}
