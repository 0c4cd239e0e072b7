import CameraControl
import CameraProfiles
import CameraTestSupport
import SimulatedCamera
import SimulatedScenes

/// A simulated camera with what all its ports share: its plug, and the reservation of its
/// configuration.
actor Bench {
  nonisolated let sabotage: Sabotage?
  private var ports = 0
  private(set) var isStalled = false
  /// The number of times that it was closed, or connected again.
  private var (closings, returns) = (0, 0)
  private var holder: (port: Int, count: Int)?
  /// The ports for which a refused attempt has left the camera reserved.
  private var remaining: Set<Int> = []
  private var camera: SimulatedCamera

  static let sensorVersion = ControlID(rawValue: "sensor_version")

  init(_ sabotage: Sabotage? = nil) throws {
    self.sabotage = sabotage
    camera = try SimulatedCamera(Self.configuration())
  }

  private static func configuration() throws -> SimulatedCamera.Configuration {
    guard let sensor = MeasuredSensor.all.first, let lamp = MeasuredLamp.all.first else {
      throw CameraError.notFound("measured sensor")
    }
    var configuration = SimulatedCamera.Configuration(sensor: sensor, lamp: lamp, size: (32, 24))
    configuration.frameRate = 100
    configuration.replayedFrames = 4
    configuration.exposure = SimulatedExposure(.absolute, .proportional)
    configuration.lens = SimulatedLens(best: 100)
    configuration.lens?.automatic = .continuousAndOnce
    configuration.faults.refusesWhileAutomatic = true
    configuration.otherControls = [
      ControlDescription(id: .brightness, minimum: 0, maximum: 100, step: 10, defaultValue: 50),
      ControlDescription(
        id: .imageStabilization, minimum: 0, maximum: 1, defaultValue: 0, kind: .boolean),
      ControlDescription(
        id: .powerLineFrequency, minimum: 0, maximum: 3, defaultValue: 1,
        kind: .menu(
          [(0, "off"), (1, "50 Hz"), (3, "automatic")].map {
            ControlKind.Item(value: $0.0, name: $0.1)
          })),
      ControlDescription(id: sensorVersion, minimum: 1, maximum: 9, defaultValue: 3),
    ]
    return configuration
  }

  /// The camera with everything that a test can do to it.
  nonisolated var underTest: CameraUnderTest {
    var camera = CameraUnderTest { await self.open() }
    camera.openAnother = camera.open
    camera.close = { await ($0 as? SabotagedPort)?.close() }
    camera.stopFrames = { _ in await self.stall() }
    camera.unplug = { _ in await self.unplug() }
    camera.plugIn = { try await self.plugIn() }
    camera.limits.call = .seconds(4)
    camera.limits.cancellation = .seconds(1)
    camera.limits.change = .seconds(2)
    camera.limits.vanishing = .seconds(2)
    camera.limits.holding = .milliseconds(30)
    return camera
  }

  private func unplug() async { await camera.disconnect() }

  private func open() -> any CameraPort {
    ports += 1
    return SabotagedPort(self, camera, number: ports, returns: returns, closings: closings)
  }

  private func stall() { isStalled = true }

  private func plugIn() throws {
    camera = try SimulatedCamera(Self.configuration())
    returns += 1
  }

  func reserve(_ port: Int) -> Bool {
    if sabotage == .reservesOnce, holder?.count == 1 { return false }
    if holder.map({ $0.port == port }) ?? remaining.isSubset(of: [port]) {
      holder = (port, (holder?.count ?? 0) + 1)
      return true
    }
    if sabotage == .reservesForRefused { remaining.insert(port) }
    return sabotage == .reservesForAll
  }

  func release(_ port: Int) {
    guard let holder, holder.port == port else { return }
    let count = sabotage == .releasesAll ? 0 : holder.count - 1
    self.holder = count == 0 ? nil : (port, count)
  }

  func isReserved(by port: Int) -> Bool { holder?.port == port }

  func noteClosing(_ port: Int) {
    closings += 1
    isStalled = false
    if holder?.port == port { holder = nil }
    remaining.remove(port)
  }
}
