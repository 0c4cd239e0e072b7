#if GenICam
import CameraControl
import CameraProfiles
import ColorScience
import GenICam
import Testing
import WhiteBalance

extension LoopbackTests {
  struct FrameTests {
    /// The mean of the middle of the next frame.
    private func middle(_ camera: GenICamCamera) async throws -> LinearRGB {
      try await camera.withNextFrame { info, bytes in
        let (width, height) = (info.layout.width, info.layout.height)
        let region = PixelRectangle(
          x: width / 4, y: height / 4, width: width / 2, height: height / 2)
        return try? FrameStatistics(bytes, layout: info.layout, region: region).mean
      } ?? LinearRGB(red: 0, green: 0, blue: 0)
    }

    static let mosaics = ["RG", "GR", "GB", "BG"].flatMap { order in
      ["8", "10", "12", "16", "10p", "12p", "12Packed"].map { "Bayer" + order + $0 }
    }

    @Test func everyFormatShowsTheCard() async throws {
      let peer = try Peer("--noise", "0")
      for name in Self.mosaics + ["RGB8", "BGR8"] {
        let camera = try await peer.camera(PictureRequest(pixelFormat: name))
        for _ in 0..<2 { _ = try await middle(camera) }
        let (seen, truth) = (try await middle(camera), try peer.truth())
        for (one, other) in [
          (seen.red, truth.red), (seen.green, truth.green), (seen.blue, truth.blue),
        ] { #expect(abs(one - other) < 0.003, "\(name)") }
        await camera.close()
      }
      let camera = try await peer.camera(PictureRequest(pixelFormat: "Mono12"))
      let (gray, truth) = (try await middle(camera), try peer.truth())
      #expect(abs(gray.green - (truth.red + truth.green + truth.blue) / 3) < 0.001)
      await camera.close()
    }

    @Test func whatIsNotAskedStays() async throws {
      let peer = try Peer("--format", "BayerGB10p", "--size", "200x100")
      let camera = try await peer.camera()
      let layout = try await camera.withNextFrame { info, _ in info.layout }
      #expect(layout.format == .bayer(.gbrg, bits: 10))
      #expect((layout.width, layout.height) == (200, 100))
      #expect(try await camera.frameRate() == FrameRate(frames: 100_000, seconds: 1000))
      await camera.close()
    }

    @Test func sizesAndRatesAreSet() async throws {
      let peer = try Peer()
      let camera = try await peer.camera(
        PictureRequest(width: 130, height: 64, framesPerSecond: 50))
      let layout = try await camera.withNextFrame { info, _ in info.layout }
      // The camera's steps are 4 pixels.
      #expect((layout.width, layout.height) == (132, 64))
      #expect(try await camera.frameRate() == FrameRate(frames: 50_000, seconds: 1000))
      await camera.close()
    }

    @Test func unknownFormatsAreRefusedWithThoseOffered() async throws {
      let peer = try Peer()
      let camera = try await peer.camera(PictureRequest(pixelFormat: "BayerRG9"))
      let error = await #expect(throws: CameraError.self) {
        try await camera.withNextFrame { _, _ in }
      }
      guard case .noFormat(_, asked: "BayerRG9", let offered) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(offered.contains("BayerRG12Packed"))
      await camera.close()
    }

    /// The peer's numbers begin at 65401, and 1 follows 65535.
    @Test func sequenceNumbersRiseByOne() async throws {
      let peer = try Peer("--fps", "200")
      let camera = try await peer.camera()
      var last = -1
      for _ in 0..<200 {
        let info = try await camera.withNextFrame { info, _ in info }
        #expect(info.sequence >= last + 1 && info.sequence <= last + 20)
        last = info.sequence
      }
      #expect(last >= 199)
      await camera.close()
    }

    @Test func gammaIsUndone() async throws {
      let peer = try Peer("--noise", "0", "--format", "RGB8")
      let camera = try await peer.camera()
      try await camera.set([ControlValue(.gamma, 450)])
      for _ in 0..<6 { _ = try await middle(camera) }
      #expect(abs(try await middle(camera).green - 0.35) < 0.003)
      await camera.close()
    }

    @Test func framesWithLostPacketsAreSkippedAndCounted() async throws {
      let peer = try Peer("--loss", "0.01", "--noise", "0")
      let camera = try await peer.camera()
      for _ in 0..<20 { #expect(abs(try await middle(camera).green - 0.35) < 0.001) }
      #expect(await camera.damagedFrames > 0)
      await camera.close()
    }

    @Test func aCameraWhosePacketsAllGetLostStalls() async throws {
      let peer = try Peer("--loss", "0.5")
      let camera = try await peer.camera(timeout: .seconds(1))
      let error = await #expect(throws: CameraError.self) {
        try await camera.withNextFrame { _, _ in }
      }
      guard case .stalled(_, seconds: 1, let damaged, let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(damaged > 0)
      #expect(reason?.contains("are missing") == true, "\(reason ?? "")")
      await camera.close()
    }

    @Test func aCameraThatStallsStillAnswers() async throws {
      let peer = try Peer("--stall", "5")
      let camera = try await peer.camera(timeout: .milliseconds(600))
      await #expect(throws: CameraError.stalled(camera: Peer.address, seconds: 0.6)) {
        while true { try await camera.withNextFrame { _, _ in } }
      }
      #expect(try await camera.value(of: .redBalance) == 10000)
      await camera.close()
    }

    @Test func aCameraThatVanishesIsNamedInTime() async throws {
      let peer = try Peer("--vanish", "5")
      let camera = try await peer.camera(timeout: .seconds(1))
      let start = ContinuousClock.now
      await #expect(throws: CameraError.vanished(camera: Peer.address)) {
        while true { try await camera.withNextFrame { _, _ in } }
      }
      #expect(ContinuousClock.now - start < .seconds(9))
      await #expect(throws: CameraError.vanished(camera: Peer.address)) {
        try await camera.value(of: .redBalance)
      }
      _ = peer
    }

    @Test func lostControlIsReportedAndTakenAgain() async throws {
      let peer = try Peer("--lose-control", "20")
      let camera = try await peer.camera()
      let error = await #expect(throws: CameraError.self) {
        while true { try await camera.withNextFrame { _, _ in } }
      }
      #expect("\(try #require(error))".contains("as it does when heartbeats get lost"))
      try await camera.withNextFrame { _, _ in }
      try await camera.set([ControlValue(.redBalance, 20000)])
      await camera.close()
    }

    @Test func aCancelledWaitEnds() async throws {
      let peer = try Peer("--stall", "1")
      let camera = try await peer.camera(timeout: .seconds(20))
      let task = Task { while true { try await camera.withNextFrame { _, _ in } } }
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      task.cancel()
      await #expect(throws: CameraError.cancelled) { try await task.value }
      #expect(ContinuousClock.now - start < .seconds(1))
      await camera.close()
      _ = peer
    }

    @Test func theStreamStopsAndStartsAgain() async throws {
      let peer = try Peer()
      let camera = try await peer.camera()
      let first = try await camera.withNextFrame { info, _ in info.sequence }
      await camera.stopStreaming()
      let second = try await camera.withNextFrame { info, _ in info.sequence }
      #expect(second > first)
      await camera.close()
    }
  }
}
#endif
