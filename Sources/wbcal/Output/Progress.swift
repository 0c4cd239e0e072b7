import CameraControl
import ColorScience
import Dispatch
import Synchronization
import WbcalFoundation
import WbcalReports

/// What the command is doing, and for how long: a line on the terminal that appears after half a
/// second and is gone when something else is written or the work is done.
final class Progress: Sendable {
  static let shared = Progress()

  private struct State: ~Copyable {
    var line = ProgressLine.onStandardError(quiet: false)
    var subject: String?
    var text: String?
    var start = ContinuousClock.now
    var isTicking = false

    mutating func draw() {
      guard let text else { return }
      let seconds = (ContinuousClock.now - start).components.seconds
      let subject = subject.map { "\($0): " } ?? ""
      line.update(subject + text + (seconds > 1 ? " (\(seconds) s)" : ""))
    }
  }
  private let state = Mutex(State())
  private let listener = Mutex<(@Sendable (Report) -> Void)?>(nil)

  /// What somebody else than a terminal is told.
  enum Report: Sendable {
    /// What is being done, and the share of it that is done, if that is known.
    case doing(String, share: Double?)
    /// A remark for the person.
    case remark(String)
  }

  /// Tells `listener` of all that is shown and remarked from now on.
  func tell(_ listener: (@Sendable (Report) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Passes on a remark.
  func heard(_ remark: String) { listener.withLock(\.self)?(.remark(remark)) }

  /// Says what is being done now; `nil` where that is nothing that anybody waits for.
  ///
  /// - Parameter share: the share of it that is done, if that is known.
  func show(_ text: String?, share: Double? = nil) {
    if let text, let listener = listener.withLock(\.self) {
      let subject = state.withLock { $0.subject.map { "\($0): " } ?? "" }
      listener(.doing(subject + text, share: share))
    }
    state.withLock { state in
      guard state.line.isShown, state.text != text else { return }
      state.text = text
      state.start = .now
      guard text != nil else { return state.line.clear() }
      if !state.isTicking {
        state.isTicking = true
        DispatchQueue(label: "progress").async { self.tick() }
      } else if state.line.isVisible {
        state.draw()
      }
    }
  }

  /// Says what happens while a card is made neutral, or a setting is watched.
  func show(_ step: NeutralizingStep) {
    switch step {
    case .looking(let settings): show("moving the controls: \(settings) settings seen")
    case .watching(let frame, let frames):
      // Every frame would be too much to read.
      show(
        "watching that it stays: frame \(frame / 10 * 10) of \(frames)",
        share: Double(frame) / Double(max(frames, 1)))
    }
  }

  /// Says how well a camera is known.
  func show(_ step: LearningStep) {
    switch step {
    case .neutralizing(let step): show(step)
    case .learning(let error, let goal, let looks):
      let certainty =
        error.isFinite
        ? "gains ±\(shortNumber(100 * error)) %, goal ±\(shortNumber(100 * goal)) %" : "first looks"
      show("learning the camera: \(certainty), \(looks) settings seen")
    }
  }

  /// Whether somebody may see it.
  var isShown: Bool { state.withLock { $0.line.isShown } }

  /// Says what all that follows is about, such as the light that is on the card.
  func setSubject(_ subject: String?) { state.withLock { $0.subject = subject } }

  /// Runs what writes to the terminal while the line is not there.
  func withoutLine<Result>(_ write: () -> Result) -> Result {
    state.withLock {
      $0.line.clear()
      return write()
    }
  }

  private func tick() {
    while true {
      usleep(500_000)
      state.withLock { $0.draw() }
    }
  }
}
