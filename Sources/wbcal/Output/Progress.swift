import CameraControl
import ColorScience
import Dispatch
import Synchronization
import WbcalFoundation
import WbcalReports

/// The current activity of the command and its duration: a line on the terminal that appears after
/// half a second, and disappears when something else is written or the work is done.
final class Progress: Sendable {
  static let shared = Progress()

  private struct State: ~Copyable {
    var line = ProgressLine.onStandardError()
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

  /// A message to a listener other than the terminal.
  enum Report: Sendable {
    /// The current activity, and the share of it that is done, if known.
    case doing(String, share: Double?)
    /// A remark for the user.
    case remark(String)
  }

  /// Calls `listener` with all activities and remarks from now on.
  func setListener(_ listener: (@Sendable (Report) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// Passes a remark to the listener.
  func report(remark: String) { listener.withLock(\.self)?(.remark(remark)) }

  /// Shows the current activity; `nil` if there is none for which the user waits.
  ///
  /// - Parameter share: the share of it that is done, if known.
  @inline(never)
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

  /// Shows a step of making a card neutral or of watching a setting.
  func show(_ step: NeutralizingStep) {
    switch step {
    case .looking(let settings): show("moving the controls: setting \(settings)")
    case .watching(let frame, let frames):
      // Showing every frame would be too much to read.
      show(
        "checking that the setting stays: frame \(frame / 10 * 10) of \(frames)",
        share: Double(frame) / Double(max(frames, 1)))
    }
  }

  /// Shows the present uncertainty while a camera is learned.
  func show(_ step: LearningStep) {
    switch step {
    case .neutralizing(let step): show(step)
    case .learning(let error, let goal, let looks):
      let certainty =
        error.isFinite
        ? "gains ±\(shortNumber(100 * error)) %, goal ±\(shortNumber(100 * goal)) %"
        : "starting"
      show("probing the camera: \(certainty), setting \(looks)")
    }
  }

  /// `true` if the line can be visible.
  var isShown: Bool { state.withLock { $0.line.isShown } }

  /// Sets the subject of all later activities, such as the lamp on the card.
  func setSubject(_ subject: String?) { state.withLock { $0.subject = subject } }

  /// Runs a function that writes to the terminal while the line is removed.
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
