import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

@testable import CameraControl
@testable import CameraProfiles

/// Operations of one camera that are requested before earlier ones have ended.
struct OverlappingOperationTests {
  private func camera(interval: Duration = .milliseconds(10)) async throws -> ProbedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D65")), seed: 3, size: (48, 32))
    let laws = try await Camera(try SimulatedCamera(configuration)).probe().laws
    configuration.frameInterval = interval
    return ProbedCamera(Camera(try SimulatedCamera(configuration)), laws: laws)
  }

  private func red(_ camera: ProbedCamera) async throws -> Int {
    try await camera.camera.port.value(of: .redBalance)
  }

  /// Requests an operation, and returns when the camera has queued it.
  private func start<Result: Sendable>(
    _ camera: ProbedCamera, _ work: @escaping @Sendable (ProbedCamera) async throws -> Result
  ) async throws -> Task<Result, any Error> {
    let last = await camera.camera.turns.last
    let task = Task { try await work(camera) }
    while await camera.camera.turns.last == last { try await Task.sleep(for: .milliseconds(1)) }
    return task
  }

  private func outcome(_ work: Task<some Sendable, any Error>) async -> CameraError? {
    do {
      _ = try await work.value
      return nil
    } catch { return error as? CameraError }
  }

  /// A second lock at any moment succeeds, and the camera ends at the reported values.
  @Test(arguments: Array(stride(from: 0, through: 1100, by: 100)))
  func theNewerLockWins(milliseconds: Int) async throws {
    let camera = try await camera()
    let first = try await start(camera) { try await $0.lock(at: Gains(red: 2, blue: 1.2)) }
    try await Task.sleep(for: .milliseconds(milliseconds))
    let second = try await start(camera) { try await $0.lock(at: Gains(red: 1.2, blue: 2)) }
    #expect([nil, .superseded].contains(await outcome(first)))
    let applied = try await second.value
    #expect(try await red(camera) == applied.values[.redBalance])
    #expect(abs(try #require(applied.gains).red - 1.2) < 0.01)
  }

  /// A slider that is dragged: each lock except the last ends at once.
  @Test func ofManyLocksTheLastCounts() async throws {
    let camera = try await camera()
    var work: [Task<AppliedWhiteBalance, any Error>] = []
    for step in 0..<8 {
      let gains = Gains(red: 1.2 + 0.1 * Double(step), blue: 1)
      work.append(try await start(camera) { try await $0.lock(at: gains) })
      try await Task.sleep(for: .milliseconds(10))
    }
    for task in work.dropLast() { #expect(await outcome(task) == .superseded) }
    #expect(abs(try #require(try await work[7].value.gains).red - 1.9) < 0.01)
  }

  /// A failure of the last operation restores the settings from before the first one.
  @Test func aFailureRestoresWhatWasBeforeAllOfThem() async throws {
    let camera = try await camera()
    _ = try await camera.lock(at: Gains(red: 1.5, blue: 1.5))
    let before = try await camera.camera.settings()
    let first = try await start(camera) { try await $0.lock(at: Gains(red: 2.5, blue: 1)) }
    // Its values are then set, but not yet seen.
    while try await red(camera) != 640 { try await Task.sleep(for: .milliseconds(1)) }
    let second = try await start(camera) { try await $0.lock(at: Gains(red: 1, blue: 2.5)) }
    #expect(await outcome(first) == .superseded)
    second.cancel()
    #expect(await outcome(second) == .cancelled)
    #expect(try await camera.camera.settings() == before)
  }

  /// An Auto button during a lock.
  @Test func aModeSupersedesALock() async throws {
    let camera = try await camera()
    let lock = try await start(camera) { try await $0.lock(at: Gains(red: 2, blue: 1.2)) }
    try await Task.sleep(for: .milliseconds(40))
    try await camera.camera.setWhiteBalanceMode(.continuousAutomatic)
    #expect(await outcome(lock) == .superseded)
    #expect(try await camera.camera.isAutomatic)
  }

  /// An operation other than a lock or a mode change waits its turn, and the operation before it
  /// completes.
  @Test func othersTakeTurns() async throws {
    let camera = try await camera(interval: .zero)
    async let applied = camera.lock(at: Gains(red: 2, blue: 1.2))
    async let again = camera.camera.probe()
    async let third: Void = camera.setToReference()
    #expect(abs(try #require(try await applied.gains).red - 2) < 0.01)
    #expect(try await again.laws.reference == camera.laws.reference)
    try await third
  }

  /// All observers receive every frame, while a lock reports the same frame as without observers.
  @Test func everyWatcherSeesEveryFrame() async throws {
    let camera = try await camera()
    try await camera.setToReference()
    @Sendable func sequences(_ count: Int) async throws -> [Int] {
      var seen: [Int] = []
      for try await reading in camera.readings() {
        seen.append(reading.frame.sequence)
        if seen.count == count { break }
      }
      return seen
    }
    async let one = sequences(60)
    async let two = sequences(60)
    try await Task.sleep(for: .milliseconds(10))
    let port = try #require(camera.camera.port as? SimulatedCamera)
    let applied = try await camera.lock(at: Gains(red: 1.6, blue: 1.3))
    #expect(await applied.firstFrame?.sequence == port.lastSettingShows)
    for seen in try await [one, two] {
      #expect(seen == Array(seen[0]..<seen[0] + 60))
    }
  }

  /// A closure that is isolated to an actor, as in an app's views.
  @MainActor @Test func progressIsToldToTheCallersActor() async throws {
    var told = 0
    let camera = try await camera(interval: .zero)
    _ = try await camera.camera.probe { done, _ in
      MainActor.assertIsolated()
      told = done
    }
    #expect(told > 0)
  }

  @Test func gainsInOneCall() async throws {
    let camera = try await camera(interval: .zero)
    try await camera.setToReference()
    #expect(try await camera.gains == Gains(red: 1, blue: 1))
    let setting = try await camera.set(Gains(red: 1.5, blue: 1.25))
    #expect(setting.values[.redBalance] == 384)
    let gains = try #require(try await camera.gains)
    #expect(abs(gains.red - 1.5) < 0.01 && abs(gains.blue - 1.25) < 0.01)
    // The mean of the scene needs the same gains, whatever the device's are.
    try await camera.camera.settle(after: 4)
    let gray = try #require(try await camera.grayWorldGains)
    try await camera.setToReference()
    let again = try #require(try await camera.grayWorldGains)
    #expect(abs(gray.red / again.red - 1) < 0.02 && abs(gray.blue / again.blue - 1) < 0.02)
  }
}
