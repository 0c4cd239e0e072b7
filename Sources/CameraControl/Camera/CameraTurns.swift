internal import CameraProfiles
internal import WhiteBalance

/// Lets the operations of one camera take turns, in the order in which they were asked for.
///
/// Two operations decide the white balance in vain if both do: the newer one supersedes the older,
/// which ends with `CameraError.superseded`, and takes over what to restore if it fails.
actor CameraTurns {
  /// An operation whose turn it is.
  struct Turn: Sendable {
    let number: Int
    /// The settings from before the operations that this one has superseded; `nil` where it has
    /// superseded none, or they have restored them.
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
  /// The number of the operation that was asked for last.
  private(set) var last = 0
  /// Whether controls have been set that have not been restored.
  private(set) var hasSet = false
  /// The number of frames that had been taken when settings were put back last, for which nobody
  /// waits; `nil` where none were.
  private(set) var lastRestored: Int?

  /// Waits until all earlier operations have ended; `end(_:)` must follow.
  ///
  /// - Throws: `CameraError.superseded` where a newer operation came meanwhile.
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

  /// Whether a newer operation decides the white balance now.
  func isSuperseded(_ turn: Turn) -> Bool {
    current.map { $0.number == turn.number && $0.isSuperseded } ?? false
  }

  /// Leaves it to the operation that comes next to restore settings, if that has superseded this
  /// one; else the caller has to restore them itself.
  func leave(_ settings: [ControlValue], by turn: Turn) -> Bool {
    guard isSuperseded(turn), waiting.first?.decidesBalance == true else { return false }
    waiting[0].inherited = settings
    return true
  }

  /// Whether the running operation has the camera's configuration.
  private var isConfiguring = false

  /// Takes the camera's configuration for the rest of the operation.
  func configure(_ port: any CameraPort) async throws(CameraError) {
    guard !isConfiguring else { return }
    try await port.beginConfiguration()
    isConfiguring = true
  }

  /// The last setting that was watched, and the part of the picture that showed it; `nil` once
  /// anything else has been set.
  private(set) var watched: (place: Place, region: GrayCardEstimator.Region)?

  /// The number of frames that had been taken when the automatic was turned off last; `nil` where
  /// it may be on again.
  private(set) var offSince: Int?

  func noteOff(since frame: Int?) { offSince = frame }

  /// What balances were set to last, and the number of frames that had been taken then.
  private(set) var balances: (values: [ControlValue], frame: Int)?

  func noteBalances(_ values: [ControlValue], at frame: Int) { balances = (values, frame) }

  func noteSetting() { (hasSet, watched) = (true, nil) }

  /// The light is another one.
  func forgetWatched() { watched = nil }

  func noteWatched(_ place: Place, in region: GrayCardEstimator.Region) {
    watched = (place, region)
  }

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
