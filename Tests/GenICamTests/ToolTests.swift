#if GenICam
import ColorScience
import Foundation
import Testing

@testable import wbcal

extension LoopbackTests {
  struct ToolTests {
    private func difference(_ peer: Peer) async throws -> Double {
      try await Task.sleep(for: .milliseconds(200))
      return try #require(Neutrality(of: try peer.truth())).ciede2000
    }

    @Test func calibratedUnderTwoLampsAndRightUnderOthers() async throws {
      let peer = try Peer(lamp: "A")
      let device = "genicam:\(Peer.address)"
      let lamp = peer.lampFile.path
      let change = "echo \"$WBCAL_LIGHT\" > \(lamp).new && mv \(lamp).new \(lamp) && sleep 0.3"
      let calibrated = try await peer.run(
        "calibrate", "--device", device, "--light", "A", "--light", "D65",
        "--change-light", change, "-o", "desk.json")
      try #require(calibrated.status == 0, "\(calibrated.errors)")
      // The pictures are linear, and the gain is the same for all colors.
      #expect(!calibrated.errors.contains("could not be determined"), "\(calibrated.errors)")
      #expect(!calibrated.output.contains("gain affects"), "\(calibrated.output)")
      #expect(calibrated.output.contains("exposure_time_absolute: light ="))
      try peer.switchOn("D50")
      let set = try await peer.run(
        "set", "--device", device, "--profile", "desk.json", "--light", "D50")
      try #require(set.status == 0, "\(set.errors)")
      let off = try await difference(peer)
      #expect(off < 1)
      for lamp in ["FL11", "LED-B3"] {
        try peer.switchOn(lamp)
        let gray = try await peer.run("gray", "--device", "genicam:PEER1")
        try #require(gray.status == 0, "\(gray.errors)")
        let off = try await difference(peer)
        #expect(off < 0.3, "\(lamp)")
      }
    }

    @Test func theExposureIsSetInSeconds() async throws {
      let peer = try Peer("--noise", "0.001")
      let device = "genicam:\(Peer.address)"
      let set = try await peer.run("exposure", "--device", device, "--duration", "1/300")
      #expect(set.status == 0, "\(set.errors)")
      try await Task.sleep(for: .milliseconds(100))
      #expect(abs(try peer.truth().green / (0.35 / 3) - 1) < 0.005)
      let doubled = try await peer.run("exposure", "--device", device, "--gain", "2")
      #expect(doubled.status == 0, "\(doubled.errors)")
      try await Task.sleep(for: .milliseconds(100))
      #expect(abs(try peer.truth().green / (0.35 / 1.5) - 1) < 0.02)
    }

    @Test func camerasAreListedWithTheirControls() async throws {
      let peer = try Peer("--serial", "22371842")
      let list = try await peer.run("devices")
      #expect(list.output.contains("genicam:wbcal-Peer-22371842 (wbcal Peer, 127.0.0.1)\n"))
      let controls = try await peer.run("devices", "--device", "genicam:22371842")
      #expect(controls.output.contains("  red_balance 10000 (5000…40000; default 10000)\n"))
      #expect(controls.output.contains("  exposure_time_absolute 10000 (20…1000000"))
    }

    @Test func failuresHaveTheirExitCodes() async throws {
      let peer = try Peer("--vanish", "30")
      let unknown = try await peer.run("gray", "--device", "genicam:nobody")
      #expect(unknown.status == 69)
      #expect(unknown.errors.contains("there is no camera 'nobody'"))
      let nameless = try await peer.run("gray", "--device", "genicam:")
      #expect(nameless.status == 64)
      let setting = try await peer.run("gray", "--device", "genicam:PEER1,light=A")
      #expect(setting.status == 64)
      #expect(setting.errors.contains("size=, format=, fps="))
      let format = try await peer.run("gray", "--device", "genicam:127.0.0.1,format=YUYV")
      #expect(format.status == 69)
      #expect(format.errors.contains("BayerRG12"))
      let vanished = try await peer.run("gray", "--device", "genicam:\(Peer.address)")
      #expect(vanished.status == 69)
      #expect(vanished.errors.contains("127.0.0.1 went away"), "\(vanished.errors)")
    }
  }
}
#endif
