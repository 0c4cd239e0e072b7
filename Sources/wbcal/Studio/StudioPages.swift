import Synchronization
import WbcalFoundation

/// The open pages, the events that they ask for, and the page that controls the camera.
///
/// A page is open as long as it asks for events. Each event has a number, and a page asks for those
/// after the last one that it has, so that no connection stays open for it.
final class StudioPages: Sendable {
  private struct Visitor {
    /// The order in which pages came.
    var number: Int
    var seen: ContinuousClock.Instant
  }

  private struct Numbered {
    var number: Int
    var event: StudioEvent
  }

  private struct State {
    var visitors: [String: Visitor] = [:]
    /// The number of the newest event.
    var last = 0
    /// The number of the last change of the pages or of their control.
    var changed = 0
    var controller: String?
    /// The last time at which the controlling page was there.
    var controllerSeen = ContinuousClock.now
    var log: [Numbered] = []
    /// The ends of tasks, which only pages get that were there.
    var ends: [Numbered] = []
    /// The newest event of each name that describes a state.
    var states: [String: Numbered] = [:]

    func isHere(_ page: String) -> Bool { visitors[page] != nil }

    /// `true` if no page controls the camera.
    var isFree: Bool {
      guard let controller else { return true }
      return !isHere(controller) && ContinuousClock.now - controllerSeen > StudioPages.patience
    }

    mutating func number(_ event: StudioEvent) -> Numbered {
      last += 1
      return Numbered(number: last, event: event)
    }

    mutating func control(_ page: String) {
      controller = page
      controllerSeen = .now
      noteChange()
    }

    mutating func noteChange() {
      last += 1
      changed = last
    }
  }
  private let state = Mutex(State())

  /// The time for which a page that is reloaded keeps its control.
  private static let patience = Duration.seconds(3)
  /// The time after which a page that has not said goodbye is gone, more than a hidden page sleeps.
  private static let silence = Duration.seconds(15)
  private static let keptLines = 200

  // MARK: Events

  /// Sends an event to all pages.
  func send(_ event: StudioEvent) {
    state.withLock { state in
      let numbered = state.number(event)
      if event.isState { state.states[event.name] = numbered } else { state.ends.append(numbered) }
      if state.ends.count > Self.keptLines { state.ends.removeFirst() }
    }
  }

  /// Sends an event to all pages, and later to those that come.
  func log(_ event: StudioEvent) {
    state.withLock { state in
      state.log.append(state.number(event))
      if state.log.count > Self.keptLines { state.log.removeFirst() }
    }
  }

  /// Forgets the newest event of a name, so that later pages do not get it.
  func forget(_ name: String) { state.withLock { $0.states[name] = nil } }

  /// Returns the events after a number, as one JSON object; `nil` if there is none. A page that
  /// comes asks for those after 0, and gets the log and the present states.
  func news(for page: String, after number: Int) -> String? {
    state.withLock { state in
      // A number of another studio has no meaning here.
      let first = number > state.last ? 0 : number
      guard state.last > first || first == 0 else { return nil }
      let kept = state.log + (first == 0 ? [] : state.ends) + state.states.values
      var events = kept.filter { $0.number > first }.sorted { $0.number < $1.number }.map(\.event)
      if state.changed > first,
        let data = try? jsonLine(Self.control(state, page), version: nil)
      {
        events.append(StudioEvent(name: "control", data: data))
      }
      return Self.text(events, last: state.last)
    }
  }

  /// Returns the object that means that there is nothing new.
  func noNews() -> String { Self.text([], last: state.withLock(\.last)) }

  private static func text(_ events: [StudioEvent], last: Int) -> String {
    let list = events.map { "{\"name\":\"\($0.name)\",\"data\":\($0.data)}" }
    return "{\"version\":1,\"last\":\(last),\"events\":[\(list.joined(separator: ","))]}"
  }

  // MARK: Visitors

  /// `true` if any page is open.
  var hasVisitors: Bool { state.withLock { !$0.visitors.isEmpty } }

  /// Notes that a page asks for events.
  ///
  /// - Returns: `true` if it has just been opened.
  func arrive(_ page: String) -> Bool {
    state.withLock { state in
      if state.controller == page { state.controllerSeen = .now }
      if state.visitors[page] != nil {
        state.visitors[page]?.seen = .now
        return false
      }
      let isAlone = state.visitors.isEmpty
      if state.isFree || isAlone && state.controller.map(state.isHere) != true {
        state.controller = page
      }
      state.visitors[page] = Visitor(number: state.last, seen: .now)
      state.noteChange()
      return true
    }
  }

  /// Notes that a page was closed.
  ///
  /// - Returns: `true` if it was open.
  func leave(_ page: String) -> Bool {
    state.withLock { state in
      guard state.visitors.removeValue(forKey: page) != nil else { return false }
      if page == state.controller { state.controllerSeen = .now }
      state.noteChange()
      return true
    }
  }

  /// Removes the pages that have asked for nothing for a while, and returns their number.
  func removeSilent() -> Int {
    let silent = state.withLock { state in
      state.visitors.filter { ContinuousClock.now - $1.seen > Self.silence }.map(\.key)
    }
    return silent.count(where: leave)
  }

  // MARK: Control of the camera

  /// Gives the control to the page that has been open longest, if no page has it any more.
  func passOnControl() {
    state.withLock { state in
      guard state.controller != nil, state.isFree,
        let oldest = state.visitors.min(by: { $0.value.number < $1.value.number })
      else { return }
      state.control(oldest.key)
    }
  }

  /// Indicates whether a page may change something; the first page that asks gets the control.
  func mayControl(_ page: String) -> Bool {
    state.withLock { state in
      if state.controller != page, state.isFree { state.control(page) }
      guard state.controller == page else { return false }
      state.controllerSeen = .now
      return true
    }
  }

  /// Gives the control to a page.
  func takeOver(_ page: String) { state.withLock { $0.control(page) } }

  struct Control: JSONRecord {
    var page: String
    var here: Bool
    var pages: Int
  }

  /// Returns the state of the control as a page receives it.
  func control(for page: String) -> Control {
    state.withLock { Self.control($0, page) }
  }

  private static func control(_ state: State, _ page: String) -> Control {
    Control(
      page: state.controller ?? "", here: state.controller == page, pages: state.visitors.count)
  }
}
