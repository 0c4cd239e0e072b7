#if GenICam
import CameraControl
import GenICam
import Testing
import WhiteBalance

extension LoopbackTests {
  struct FormatTests {
    /// Every format is opened with the smallest and the largest size.
    @Test func whatIsListedCanBeChosen() async throws {
      let peer = try Peer("--fps", "30")
      var camera = try await peer.camera()
      let formats = try await camera.offeredFormats()
      await camera.close()
      #expect(formats.count == 32 && formats.allSatisfy(\.isReadable))
      for format in formats {
        let sizes = try #require(format.sizes.first)
        #expect(sizes.description == "16x16…2048x2048 in steps of 4x2")
        let (slow, fast) = (
          FrameRate(frames: 100, seconds: 1000), FrameRate(frames: 1_000_000, seconds: 1000)
        )
        #expect(sizes.rates == .range(slow, through: fast))
        for (width, height) in [(sizes.width.low, sizes.height.low), (644, 2048)] {
          var request = PictureRequest(
            width: width, height: height, pixelFormat: format.name, framesPerSecond: 20)
          request.required = [.size, .rate]
          camera = try await peer.camera(request)
          let layout = try await camera.withNextFrame { info, _ in info.layout }
          #expect((layout.width, layout.height) == (width, height), "\(format.name)")
          await camera.close()
        }
      }
    }

    @Test func whatIsNotListedIsRefused() async throws {
      let peer = try Peer()
      let device = "genicam:\(Peer.address)"
      let listed = try await peer.run("devices", "--device", device, "--formats")
      #expect(
        listed.output.contains("  BayerRG12 16x16…2048x2048 in steps of 4x2: 0.1…1000 fps\n"),
        "\(listed.output)")
      let refusals = [
        (
          "size=130x64",
          "does not deliver 130x64 as BayerRG12, only 16x16…2048x2048 in steps of 4x2"
        ), ("size=4000x64", "does not deliver 4000x64 as BayerRG12, only 16x16…2048x2048"),
        ("fps=0.05", "a camera's fps must be a number from 0.1 to 1000.0"),
        ("format=YUYV", "does not deliver YUYV, only BayerRG8, "),
      ]
      for (setting, message) in refusals {
        let outcome = try await peer.run(
          "watch", "--every", "1", "--seconds", "0.1", "--device", "\(device),\(setting)")
        let status: Int32 = setting.hasPrefix("fps") ? 64 : 69
        #expect(outcome.status == status, "\(setting): \(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(setting): \(outcome.errors)")
      }
    }

    @Test func formatsThatCannotBeReadAreListed() async throws {
      let peer = try Peer("--unknown-format")
      let listed = try await peer.run(
        "devices", "--device", "genicam:\(Peer.address)", "--formats")
      #expect(listed.output.contains("  Coord3D_C16 (cannot be read) 16x16…2048x2048"))
    }
  }
}
#endif
