internal import CameraProfiles
internal import WhiteBalance

/// Runs the operations of one camera one after the other, in the order of their requests.
///
/// Two operations that set the white balance would undo each other: the newer one supersedes the
/// older, which ends with `CameraError.superseded`, and restores its settings too on failure.
actor CameraTurns {
  /// An operation that is running.
  struct Turn: Sendable {
    let number: Int
    /// The settings from before the operations that this one has superseded; `nil` if it has
    /// superseded none, or if those have restored their settings.
    let inherited: [ControlValue]?
  }

  private struct Waiting {
    let number: Int
    let decidesBalance: Bool
    var inherited: [ControlValue]?
    let continuation: CheckedContinuation<Result<Turn, CameraError>, Never>
  }

  private var current: (number: Int, decidesBalance: Bool, isSuperseded: Bool)?
  private var waiting: [Waiting] = []
  /// The number of the last requested operation.
  private(set) var last = 0
  /// Indicates whether controls have been set and not restored.
  private(set) var hasSet = false
  /// The number of frames taken when settings were last restored, which nobody waits for; `nil` if
  /// none were.
  private(set) var lastRestored: Int?

  /// Waits until all earlier operations have ended; `end(_:)` must follow.
  ///
  /// - Throws: `CameraError.superseded` if a newer operation was requested meanwhile.
  func begin(decidesBalance: Bool) async throws(CameraError) -> Turn {
    last += 1
    let number = last
    guard let running = current else {
      current = (number, decidesBalance, false)
      return Turn(number: number, inherited: nil)
    }
    if decidesBalance && running.decidesBalance { current?.isSuperseded = true }
    return try await withCheckedContinuation { continuation in
      var new = Waiting(number: number, decidesBalance: decidesBalance, continuation: continuation)
      if decidesBalance, let index = waiting.firstIndex(where: \.decidesBalance) {
        let old = waiting[index]
        new.inherited = old.inherited
        waiting[index] = new
        old.continuation.resume(returning: .failure(.superseded))
      } else {
        waiting.append(new)
      }
    }.get()
  }

  /// Indicates whether a newer operation that sets the white balance has superseded an operation.
  func isSuperseded(_ turn: Turn) -> Bool {
    current.map { $0.number == turn.number && $0.isSuperseded } ?? false
  }

  /// Passes settings to the next operation, which restores them on failure, if it has superseded
  /// this one; returns `false` if the caller has to restore them itself.
  func leave(_ settings: [ControlValue], by turn: Turn) -> Bool {
    guard isSuperseded(turn), waiting.first?.decidesBalance == true else { return false }
    waiting[0].inherited = settings
    return true
  }

  /// Indicates whether the running operation has reserved the camera's configuration.
  private var isConfiguring = false

  /// Reserves the camera's configuration for the rest of the operation.
  func configure(_ port: any CameraPort) async throws(CameraError) {
    guard !isConfiguring else { return }
    try await port.beginConfiguration()
    isConfiguring = true
  }

  /// The last setting that was observed for stability, and the region that showed it; `nil` once
  /// anything else has been set.
  private(set) var watched: (observed: ObservedSetting, region: GrayCardEstimator.Region)?

  /// The number of frames taken when the automatic was last turned off; `nil` if it may be on
  /// again.
  private(set) var offSince: Int?

  func noteOff(since frame: Int?) { offSince = frame }

  /// The last values of the balances, and the number of frames taken then.
  private(set) var balances: (values: [ControlValue], frame: Int)?

  /// Records that the balances were set.
  func noteBalances(_ values: [ControlValue], at frame: Int) { balances = (values, frame) }

  /// Records that a control was set, after which the observed setting no longer counts.
  func noteSetting() { (hasSet, watched) = (true, nil) }

  /// Forgets the observed setting, because the light has changed.
  func forgetWatched() { watched = nil }

  /// Records a setting that was observed for stability.
  func noteWatched(_ observed: ObservedSetting, in region: GrayCardEstimator.Region) {
    watched = (observed, region)
  }

  /// Records that the previous settings were restored.
  func noteRestoring(at frame: Int) { (hasSet, lastRestored) = (false, frame) }

  func end(_ port: any CameraPort) async {
    if isConfiguring {
      isConfiguring = false
      await port.endConfiguration()
    }
    current = nil
    guard !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    current = (next.number, next.decidesBalance, false)
    next.continuation.resume(
      returning: .success(Turn(number: next.number, inherited: next.inherited)))
  }
}
