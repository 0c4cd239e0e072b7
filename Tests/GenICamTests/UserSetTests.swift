#if GenICam
import CameraControl
import CameraProfiles
import Foundation
import GenICam
import Testing

extension LoopbackTests {
  struct UserSetTests {
    private static let sets = FileManager.default.temporaryDirectory
      .appending(path: "peer-sets-\(getpid())")

    private func balances() async throws -> [Int] {
      let camera = try await GenICamCamera(opening: Peer.address)
      var values: [Int] = []
      for id in ControlID.balances { values.append(try await camera.value(of: id)) }
      await camera.close()
      return values
    }

    private func set(_ peer: Peer, gains: String, _ rest: String...) async throws -> Outcome {
      try await runTool(
        in: peer.folder,
        ["set", "--device", "genicam:\(Peer.address)", "--gains", gains] + rest)
    }

    @Test func theBalanceSurvivesWithoutPower() async throws {
      defer { try? FileManager.default.removeItem(at: Self.sets) }
      let options = ["--user-sets", Self.sets.path]
      let first = try Peer(options)
      let saved = try await set(first, gains: "1.4,1,1.9", "--save-in-camera", "UserSet1")
      try #require(saved.status == 0, "\(saved.errors)")
      #expect(saved.errors.contains("in UserSet1, and starts with them"))
      let balances = try await balances()
      #expect(balances != [10000, 10000, 10000])
      first.unplug()
      let second = try Peer(options)
      #expect(try await self.balances() == balances)
      // What is set without the option is lost with the power.
      #expect(try await set(second, gains: "1.9,1,1.4").status == 0)
      #expect(try await self.balances() != balances)
      second.unplug()
      let third = try Peer(options)
      #expect(try await self.balances() == balances)
      third.unplug()
    }

    @Test func setsOfTheMakerAndUnknownOnesAreRefused() async throws {
      defer { try? FileManager.default.removeItem(at: Self.sets) }
      let peer = try Peer("--user-sets", Self.sets.path)
      let camera = try await peer.camera()
      #expect(try await camera.userSets() == ["UserSet1", "UserSet2"])
      await camera.close()
      for name in ["Default", "UserSet9"] {
        let refused = try await set(peer, gains: "1.4,1,1.9", "--save-in-camera", name)
        #expect(refused.status == 69)
        #expect(
          refused.errors.contains(
            "cannot save settings in \(name), only in UserSet1, UserSet2"), "\(refused.errors)")
        #expect(try await balances() == [10000, 10000, 10000])
      }
    }

    @Test func camerasWithoutSetsAreNamed() async throws {
      let peer = try Peer()
      let refused = try await set(peer, gains: "1.4,1,1.9", "--save-in-camera", "UserSet1")
      #expect(refused.status == 69)
      #expect(refused.errors.contains("127.0.0.1 has no user sets"), "\(refused.errors)")
      #expect(try await balances() == [10000, 10000, 10000])
    }

    @Test func aSetThatHasOtherValuesIsNoticed() async throws {
      defer { try? FileManager.default.removeItem(at: Self.sets) }
      let peer = try Peer("--user-sets", Self.sets.path, "--forgetful")
      let camera = try await peer.camera()
      try await camera.set([ControlValue(.redBalance, 20000)])
      let error = await #expect(throws: CameraError.self) {
        try await camera.save(inUserSet: "UserSet1")
      }
      guard case .settingNotKept(let value, reported: 10000) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(value == ControlValue(.redBalance, 20000))
      #expect(try await camera.value(of: .redBalance) == 20000)
      await camera.close()
    }
  }
}
#endif
