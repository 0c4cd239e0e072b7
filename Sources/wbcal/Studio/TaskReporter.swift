import Synchronization
import WbcalFoundation
import WbcalSystem

/// Reports the progress and the remarks of a long action to pages.
final class TaskReporter: Sendable {
  struct Record: JSONRecord {
    var action, text: String
    var fraction: Double?
    var state: String
  }

  struct Line: JSONRecord {
    var command: String?
    var remark: String?
    var at: String
  }

  private let pages: StudioPages
  private let running = Mutex<(action: String?, next: ContinuousClock.Instant)>((nil, .now))

  private static let interval = Duration.milliseconds(100)

  init(_ pages: StudioPages) { self.pages = pages }

  /// Passes on the program's progress and remarks.
  func listen() {
    Progress.shared.setListener { report in
      switch report {
      case .doing(let text, let share): self.doing(text, share)
      case .remark(let text): self.write(Line(remark: text, at: Self.now))
      }
    }
  }

  func begin(_ action: String) {
    running.withLock { $0 = (action, .now) }
    send(Record(action: action, text: "", state: "running"))
  }

  func end(_ action: String, _ state: String, _ text: String) {
    running.withLock { $0.action = nil }
    send(Record(action: action, text: text, state: state))
    // A page that connects later does not get the state of a finished action.
    pages.forget("task")
  }

  /// Logs a command that does the same as an action.
  func log(_ command: ShellWords) { write(Line(command: command.description, at: Self.now)) }

  private func doing(_ text: String, _ share: Double?) {
    let action = running.withLock { running -> String? in
      let now = ContinuousClock.now
      guard let action = running.action, now >= running.next else { return nil }
      running.next = now + Self.interval
      return action
    }
    guard let action else { return }
    send(
      Record(
        action: action, text: text, fraction: share.map { min(max($0, 0), 1) },
        state: "running"))
  }

  private func send(_ record: Record) {
    guard let data = try? jsonLine(record, version: nil) else { return }
    pages.send(StudioEvent(name: "task", data: data, isState: record.state == "running"))
  }

  private func write(_ line: Line) {
    guard let data = try? jsonLine(line, version: nil) else { return }
    pages.log(StudioEvent(name: "log", data: data))
  }

  private static var now: String {
    let (hour, minute, second) = localTime()
    func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return "\(digits(hour)):\(digits(minute)):\(digits(second))"
  }
}
