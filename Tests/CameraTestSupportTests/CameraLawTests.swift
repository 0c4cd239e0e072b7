import CameraControl
import CameraProfiles
import CameraTestSupport
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing

/// The laws of camera ports: a port without a fault keeps all, and each finds its sabotage.
@Suite(.timeLimit(.minutes(10))) struct CameraLawTests {
  @Test func aPortWithoutFaultsKeepsAllLaws() async throws {
    let report = await (try Bench()).underTest.report()
    #expect(report.isKept, "\(report)")
    #expect(report.notApplicable.isEmpty, "\(report)")
    #expect(report.entries.count == CameraLaw.all.count)
  }

  @Test func namesAreUniqueAndEachLawHasASabotage() {
    let names = CameraLaw.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(Sabotage.allCases.map(\.law)) == Set(names))
  }

  @Test(arguments: Sabotage.allCases) func itsLawFailsAndNoOther(_ sabotage: Sabotage) async throws
  {
    let report = await (try Bench(sabotage)).underTest.report()
    #expect(
      Set(report.broken.map(\.law.name)) == Set([sabotage.law] + sabotage.others), "\(report)")
    #expect(!report.isKept)
    // Without frames the laws about them cannot be checked.
    #expect(report.unchecked.isEmpty == (sabotage != .stallsAtOnce), "\(report)")
  }

  /// Simulated cameras of other kinds, by a name.
  static let kinds: [String: @Sendable (inout SimulatedCamera.Configuration) -> Void] = [
    "default": { _ in },
    "temperature": { $0.balance = .temperature },
    "presets": { $0.balance = .presets },
    "guarded": { $0.balance = .guarded },
    "coupled": { $0.balance = .coupled },
    "channels": { $0.balance = .channels },
    "exposure": { $0.exposure = SimulatedExposure(.lines(3e-5, less: 4), .decibels) },
    "bias": {
      $0.exposure = SimulatedExposure(.logarithmic(stepsPerStop: 8), .doublings)
      $0.exposure?.hasBias = true
    },
    "lens": {
      $0.lens = SimulatedLens(range: 0...255, best: 80)
      $0.lens?.step = 5
      $0.lens?.automatic = .continuousAndOnce
    },
    "nothing": { $0.balance = .none },
  ]

  @Test(arguments: kinds.keys.sorted()) func simulatedCamerasKeepAllLaws(_ kind: String)
    async throws
  {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor.all.first), lamp: try #require(MeasuredLamp.all.first),
      size: (32, 24))
    Self.kinds[kind]?(&configuration)
    configuration.frameInterval = .milliseconds(5)
    let chosen = configuration
    var camera = CameraUnderTest { try SimulatedCamera(chosen) }
    camera.unplug = { await ($0 as? SimulatedCamera)?.disconnect() }
    camera.plugIn = {}
    camera.limits.holding = .milliseconds(20)
    let report = await camera.report()
    #expect(report.isKept, "\(report)")
    #expect(report["frames come"] == .kept("12 frames"))
  }

  @Test func aRecordingPortKeepsTheLawsOfItsCamera() async throws {
    let bench = try Bench()
    var camera = bench.underTest
    let open = camera.open
    camera.open = { try await RecordingPort(try await open(), CameraRecorder()) }
    camera.openAnother = open
    camera.close = {
      let port = ($0 as? RecordingPort)?.recorded ?? $0
      await (port as? SabotagedPort)?.close()
    }
    let report = await camera.report()
    #expect(report.isKept, "\(report)")
  }

  @Test func whatCannotBePutBackIsNamed() async throws {
    var camera = (try Bench(.refusesFirstValue)).underTest
    camera.plugIn = nil
    let report = await camera.report()
    #expect(report.unrestored == [ControlValue(.brightness, 50)])
    #expect(report["returned"] == .notApplicable("the test has no function `plugIn`"))
    #expect(report.broken.map(\.law.name) == ["settings put back"], "\(report)")
  }

  @Test func lawsWithoutTheirFunctionAreNotApplicable() async throws {
    let bench = try Bench()
    let report = await CameraUnderTest(open: bench.underTest.open).report()
    #expect(report.isKept, "\(report)")
    #expect(
      report.notApplicable.map(\.law.name) == [
        "reservation excludes", "reservation ends last", "reservation released", "opens again",
        "stalled", "stalled wait cancelled", "vanished wait", "vanished calls", "vanished changes",
        "vanished cleanup", "returned",
      ])
  }

  @Test func controlsThatAreNotToBeSetStay() async throws {
    let bench = try Bench(.acceptsReadOnly)
    var camera = bench.underTest
    camera.untouched = Set(await (try await camera.open()).controls.map(\.id))
    camera.plugIn = nil
    let changes = await (try await camera.open()).changes()
    let report = await camera.report()
    #expect(report.isKept, "\(report)")
    #expect(report["kept value"] == .notApplicable("there is no control to set"))
    // The sequence ends when the camera is disconnected.
    var seen: [ControlValue] = []
    for await change in changes { seen.append(change) }
    #expect(seen.isEmpty)
  }

  @Test func whatCannotBeOpenedIsNotChecked() async {
    let camera = CameraUnderTest { throw CameraError.notFound("none") }
    let report = await camera.report()
    #expect(report.unchecked.count == CameraLaw.all.count && !report.isKept)
  }

  @Test func aCancelledReportPutsSettingsBack() async throws {
    let bench = try Bench()
    let camera = bench.underTest
    let task = Task { await camera.report() }
    task.cancel()
    let report = await task.value
    #expect(report.unchecked.count == CameraLaw.all.count && report.unrestored.isEmpty)
  }
}
