#if GenICam
import CameraControl
import CameraProfiles
import ColorScience
import GenICam
import Testing
import WhiteBalance

extension LoopbackTests {
  struct ControlTests {
    @Test func aCameraIsFoundByItsNames() async throws {
      let peer = try Peer("--serial", "S-4711")
      let found = try #require(
        await GenICamCamera.connected().first { $0.path == Peer.address })
      #expect(found.identity.name == "wbcal Peer")
      #expect(found.identity.id == "genicam:wbcal-Peer-S_4711")
      #expect(found.bus == "GigEVision")
      for name in ["S-4711", "genicam:S-4711", found.identity.id, Peer.address] {
        let camera = try await GenICamCamera(opening: name)
        #expect(camera.identity == found.identity)
        await camera.close()
      }
      await #expect(throws: CameraError.notFound("nobody")) {
        try await GenICamCamera(opening: "nobody")
      }
      _ = peer
    }

    @Test func controlsAreDescribed() async throws {
      let peer = try Peer()
      let camera = try await peer.camera()
      let controls = await camera.controls
      for id in ControlID.balances {
        let control = try #require(controls.first { $0.id == id })
        #expect(control.range == 5000...40000)
        #expect(control.defaultValue == 10000)
      }
      let time = try #require(controls.first { $0.id == .exposureTime })
      #expect(time.secondsPerUnit == 1e-6)
      #expect(time.range == 20...1_000_000)
      for id in [ControlID.autoWhiteBalance, .exposureMode, .autoGain] {
        #expect(controls.first { $0.id == id }?.automatic == .init(off: 0, on: 1))
      }
      #expect(controls.contains { $0.id == .doWhiteBalance && $0.kind == .button })
      #expect(controls.contains { $0.id == .gain } && controls.contains { $0.id == .gamma })
      #expect(controls.contains { $0.id.rawValue == "BlackLevel" })
      #expect(controls.contains { $0.id.rawValue == "ColorTransformationEnable" })
      #expect(try await camera.flags(of: .redBalance) == [])
      #expect(try await camera.flags(of: .doWhiteBalance).contains(.writeOnly))
      await camera.close()
    }

    @Test func aTestPatternIsRefusedUntilItIsOff() async throws {
      let peer = try Peer("--test-pattern")
      let camera = try await peer.camera()
      let off = ControlValue(.testPattern, 0)
      await #expect(
        throws: CameraError.testPattern("GreyHorizontalRamp", camera: "wbcal Peer", off: off)
      ) {
        try await camera.withNextFrame { _, _ in }
      }
      try await camera.set([off])
      #expect(try await camera.value(of: .testPattern) == 0)
      try await camera.withNextFrame { _, _ in }
      try await camera.set([ControlValue(.testPattern, 1)])
      await #expect(throws: CameraError.self) { try await camera.withNextFrame { _, _ in } }
      await camera.close()
    }

    @Test func balancesAreSetOneByOne() async throws {
      let peer = try Peer("--noise", "0")
      let camera = try await peer.camera()
      let values = [
        ControlValue(.redBalance, 20000), ControlValue(.greenBalance, 10001),
        ControlValue(.blueBalance, 14545),
      ]
      try await camera.set(values)
      for value in values { #expect(try await camera.value(of: value.id) == value.value) }
      for _ in 0..<4 { try await camera.withNextFrame { _, _ in } }
      let truth = try peer.truth()
      #expect(abs(truth.red / (0.35 * 0.421274640 * 2) - 1) < 1e-6)
      #expect(abs(truth.blue / (0.35 * 0.765095349 * 1.4545) - 1) < 1e-6)
      await camera.close()
    }

    @Test func valuesOutOfRangeAreRefusedBeforeAnythingIsSet() async throws {
      let peer = try Peer()
      let camera = try await peer.camera()
      let outside = ControlValue(.blueBalance, 40001)
      await #expect(throws: CameraError.valueOutOfRange(outside, allowed: 5000...40000, step: 1)) {
        try await camera.set([ControlValue(.redBalance, 20000), outside])
      }
      #expect(try await camera.value(of: .redBalance) == 10000)
      await camera.close()
    }

    @Test func incrementsAreSteps() async throws {
      let peer = try Peer("--increments")
      let camera = try await peer.camera()
      let controls = await camera.controls
      #expect(controls.first { $0.id == .redBalance }?.range == 64...512)
      #expect(controls.first { $0.id == .exposureTime }?.step == 10)
      try await camera.set([ControlValue(.redBalance, 200)])
      #expect(try await camera.value(of: .redBalance) == 200)
      let between = ControlValue(.exposureTime, 10005)
      await #expect(
        throws: CameraError.valueOutOfRange(between, allowed: 20...1_000_000, step: 10)
      ) { try await camera.set([between]) }
      await camera.close()
    }

    @Test func boundsThatAnotherNodeMovesAreReadAgain() async throws {
      let peer = try Peer("--moving-bounds")
      let camera = try await peer.camera()
      #expect(await camera.controls.first { $0.id == .redBalance }?.maximum == 40000)
      try await camera.set([ControlValue(.gain, 1200)])
      #expect(await camera.controls.first { $0.id == .redBalance }?.maximum == 30000)
      // The first value of these moves the second one's bound.
      let (gain, high) = (ControlValue(.gain, 2400), ControlValue(.redBalance, 25000))
      await #expect(throws: CameraError.notSet(high, .outOfRange, written: [gain])) {
        try await camera.set([gain, high])
      }
      await camera.close()
    }

    @Test func whatAnAutomaticGovernsIsInactiveAndRefused() async throws {
      let peer = try Peer()
      let camera = try await peer.camera()
      try await camera.set([ControlValue(.autoWhiteBalance, 1)])
      #expect(try await camera.flags(of: .redBalance) == [.inactive, .volatile])
      let red = ControlValue(.redBalance, 20000)
      await #expect(throws: CameraError.notSet(red, .automatic, written: [])) {
        try await camera.set([red])
      }
      // In one call the mode is turned off first, whatever the order.
      try await camera.set([red, ControlValue(.autoWhiteBalance, 0)])
      #expect(try await camera.value(of: .redBalance) == 20000)
      await camera.close()
    }

    @Test func theCameraBalancesOnce() async throws {
      let peer = try Peer("--noise", "0")
      let camera = try await peer.camera()
      try await camera.set([ControlValue(.doWhiteBalance, 1)])
      #expect(try await camera.value(of: .autoWhiteBalance) == 1)
      for _ in 0..<80 { try await camera.withNextFrame { _, _ in } }
      #expect(try await camera.value(of: .autoWhiteBalance) == 0)
      let truth = try peer.truth()
      #expect(abs(truth.red / truth.green - 1) < 0.02 && abs(truth.blue / truth.green - 1) < 0.02)
      await camera.close()
    }

    @Test func smallRoundingIsKeptAndLargeRoundingIsReported() async throws {
      let fine = try Peer("--ratio-steps", "256")
      var camera = try await fine.camera()
      try await camera.set([ControlValue(.redBalance, 14545)])
      #expect(try await camera.value(of: .redBalance) == 14545)
      await camera.close()
      fine.unplug()
      let coarse = try Peer("--ratio-steps", "8")
      camera = try await coarse.camera()
      let red = ControlValue(.redBalance, 14545)
      await #expect(throws: CameraError.settingNotKept(red, reported: 13750)) {
        try await camera.set([red])
      }
      await camera.close()
    }

    @Test func olderNamesAndIntegers() async throws {
      let abs = try Peer("--names", "abs")
      var camera = try await abs.camera()
      try await camera.set([ControlValue(.redBalance, 20000), ControlValue(.exposureTime, 5000)])
      #expect(try await camera.value(of: .redBalance) == 20000)
      await camera.close()
      abs.unplug()
      let raw = try Peer("--names", "raw")
      camera = try await raw.camera()
      let controls = await camera.controls
      #expect(controls.first { $0.id == .redBalance }?.range == 32...255)
      // The unit of an integer of exposure time is the camera's own.
      #expect(controls.contains { $0.id == .exposureLines })
      #expect(!controls.contains { $0.id == .exposureTime })
      try await camera.set([ControlValue(.redBalance, 96), ControlValue(.gain, 60)])
      #expect(try await camera.value(of: .redBalance) == 96)
      await camera.close()
    }

    @Test func ratiosAreEnabledWhenTheyAreSet() async throws {
      let peer = try Peer("--enable", "--noise", "0")
      let camera = try await peer.camera()
      try await camera.set([ControlValue(.redBalance, 20000)])
      for _ in 0..<4 { try await camera.withNextFrame { _, _ in } }
      #expect(abs(try peer.truth().red / (0.35 * 0.421274640 * 2) - 1) < 1e-6)
      await camera.close()
    }

    @Test func gainsOfColorsAreBalances() async throws {
      let peer = try Peer("--gain-colors")
      let camera = try await peer.camera()
      let controls = await camera.controls.map(\.id)
      #expect(controls.contains(.redBalance) && controls.contains(.blueBalance))
      #expect(!controls.contains(.gain))
      try await camera.set([ControlValue(.blueBalance, 15000)])
      #expect(try await camera.value(of: .blueBalance) == 15000)
      #expect(try await camera.value(of: .redBalance) == 10000)
      await camera.close()
    }

    @Test func theSecondWhoOpensACameraOnlyReads() async throws {
      let peer = try Peer()
      let first = try await peer.camera()
      let start = ContinuousClock.now
      let second = try await peer.camera()
      #expect(try await second.value(of: .exposureTime) == 10000)
      #expect(ContinuousClock.now - start < .seconds(6))
      // The first one has selected blue, and only it may select another color.
      await #expect(throws: CameraError.notReadable(.redBalance, .busy)) {
        try await second.value(of: .redBalance)
      }
      await #expect(throws: CameraError.busy(camera: Peer.address)) {
        try await second.beginConfiguration()
      }
      await #expect(throws: CameraError.busy(camera: Peer.address)) {
        try await second.set([ControlValue(.exposureTime, 5000)])
      }
      #expect(try await first.value(of: .exposureTime) == 10000)
      await second.close()
      await first.close()
    }

    @Test func changesAreReported() async throws {
      let peer = try Peer()
      let camera = try await peer.camera()
      let changes = await camera.changes()
      var iterator = changes.makeAsyncIterator()
      try await Task.sleep(for: .milliseconds(300))
      try await camera.set([ControlValue(.gain, 300)])
      #expect(await iterator.next() == ControlValue(.gain, 300))
      peer.unplug()
      #expect(await iterator.next() == nil)
      await camera.close()
    }
  }
}
#endif
