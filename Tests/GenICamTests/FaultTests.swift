#if GenICam
import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import GenICam
import Testing

@testable import wbcal

/// The faults of the table, caused in the peer on command.
extension LoopbackTests {
  struct FaultTests {
    @Test(arguments: Fault.all) func theToolStatesTheFault(_ fault: Fault) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "faults-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "run"), withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let peer = try fault.peer.map { try Peer($0, lamp: fault.lamp) }
      let before = peer == nil ? [:] : try await values()
      let holder = fault.isHeld ? try await GenICamCamera(opening: Peer.address) : nil
      let outcome = try await runTool(in: folder, fault.command)
      #expect(outcome.status == fault.status, "\(outcome.errors)")
      let lines = (outcome.errors.isEmpty ? outcome.output : outcome.errors)
        .split(separator: "\n").map { Fault.withoutNumbers(String($0)) }
      let message = Fault.withoutNumbers(fault.message)
      #expect(lines.contains { $0.contains(message) }, "\(outcome.errors)\(outcome.output)")
      let seconds = outcome.duration / .seconds(1)
      #expect(seconds <= fault.seconds)
      print("fault: \(fault.name): \(fixed(seconds, decimals: 1)) s: \(lines.last ?? "")")
      await holder?.close()
      switch fault.afterwards {
      case .asBefore: #expect(try await values() == before)
      case .stated:
        let isStated = outcome.errors.contains("the settings of the camera could not be restored")
        let now = try await values()
        #expect(isStated || now == before)
      case .neutral:
        try await Task.sleep(for: .milliseconds(200))
        let truth = try #require(try peer?.truth())
        #expect(try #require(Neutrality(of: truth)).ciede2000 < 0.5)
      case .closest:
        // The bound at this gain.
        #expect(try await values()[.blueBalance] == 20000)
      case .none, .unknown: break
      }
    }

    /// The values of the peer's controls.
    private func values() async throws -> [ControlID: Int] {
      let camera = try await GenICamCamera(opening: Peer.address)
      var values: [ControlID: Int] = [:]
      for control in await camera.controls where control.kind != .button {
        values[control.id] = try await camera.value(of: control.id)
      }
      await camera.close()
      return values
    }
  }
}

struct FaultArticleTests {
  /// The table of the guide; with WBCAL_WRITE_ARTICLES it is written.
  @Test func theGuideHasTheTable() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/Guides.docc/MachineVisionFaults.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    var lines = text.components(separatedBy: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("| ") })
    let last = try #require(lines.lastIndex { $0.hasPrefix("| ") })
    lines.replaceSubrange(first...last, with: Fault.table)
    let wanted = lines.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["WBCAL_WRITE_ARTICLES"] != nil {
      try wanted.write(to: page, atomically: true, encoding: .utf8)
      return
    }
    #expect(
      text == wanted, "WBCAL_WRITE_ARTICLES=1 make test-genicam FILTER=FaultArticle writes it")
  }

  @Test func thereAreTwentyFaults() {
    #expect(Fault.all.count >= 20)
    #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
  }
}
#endif
