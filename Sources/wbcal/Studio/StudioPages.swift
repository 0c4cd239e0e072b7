import Synchronization
import WbcalFoundation

/// The open pages, the events that are sent to them, and the page that controls the camera.
final class StudioPages: Sendable {
  private struct Visitor {
    var number: Int
    var page: String
    var queue: EventQueue
  }

  private struct State {
    var visitors: [Visitor] = []
    var last = 0
    var controller: String?
    /// The last time at which the controlling page was connected.
    var controllerSeen = ContinuousClock.now
    var log: [StudioEvent] = []
    /// The newest event of each name that describes a state.
    var states: [String: StudioEvent] = [:]

    func isHere(_ page: String) -> Bool { visitors.contains { $0.page == page } }

    /// `true` if no page controls the camera.
    var isFree: Bool {
      guard let controller else { return true }
      return !isHere(controller) && ContinuousClock.now - controllerSeen > StudioPages.patience
    }
  }
  private let state = Mutex(State())

  /// The time for which a page that is reloaded keeps its control.
  private static let patience = Duration.seconds(3)
  private static let keptLines = 200

  /// `true` if any page is connected.
  var hasVisitors: Bool { state.withLock { !$0.visitors.isEmpty } }

  /// Sends an event to all pages.
  func send(_ event: StudioEvent) {
    let queues = state.withLock { state in
      if event.isState { state.states[event.name] = event }
      return state.visitors.map(\.queue)
    }
    for queue in queues { queue.put(event) }
  }

  /// Sends an event to all pages, and later to those that connect.
  func log(_ event: StudioEvent) {
    state.withLock { state in
      state.log.append(event)
      if state.log.count > Self.keptLines { state.log.removeFirst() }
    }
    send(event)
  }

  /// Forgets the newest event of a name, so that later pages do not get it.
  func forget(_ name: String) { state.withLock { $0.states[name] = nil } }

  /// Connects a page to future events; it gets the log and the present states at once.
  func connect(_ page: String) -> (number: Int, queue: EventQueue) {
    let visitor = state.withLock { state in
      state.last += 1
      let visitor = Visitor(number: state.last, page: page, queue: EventQueue())
      let isAlone = !state.visitors.contains { $0.page != page }
      if state.isFree || isAlone && state.controller.map(state.isHere) != true {
        state.controller = page
      }
      state.visitors.append(visitor)
      for event in state.log { visitor.queue.put(event) }
      for event in state.states.sorted(by: { $0.key < $1.key }) { visitor.queue.put(event.value) }
      return visitor
    }
    tellWhoControls()
    return (visitor.number, visitor.queue)
  }

  func disconnect(_ number: Int) {
    state.withLock { state in
      guard let index = state.visitors.firstIndex(where: { $0.number == number }) else { return }
      let visitor = state.visitors.remove(at: index)
      visitor.queue.close()
      if visitor.page == state.controller { state.controllerSeen = .now }
    }
    tellWhoControls()
  }

  /// Gives the control to the page that has been connected longest, if no page has it any more.
  func passOnControl() {
    let isPassed = state.withLock { state in
      guard state.controller != nil, state.isFree, let oldest = state.visitors.first else {
        return false
      }
      state.controller = oldest.page
      return true
    }
    if isPassed { tellWhoControls() }
  }

  /// Indicates whether a page may change something; the first page that asks gets the control.
  func mayControl(_ page: String) -> Bool {
    let (may, isNew) = state.withLock { state in
      let isNew = state.controller != page && state.isFree
      if isNew { state.controller = page }
      guard state.controller == page else { return (false, false) }
      state.controllerSeen = .now
      return (true, isNew)
    }
    if isNew { tellWhoControls() }
    return may
  }

  /// Gives the control to a page.
  func takeOver(_ page: String) {
    state.withLock { state in
      state.controller = page
      state.controllerSeen = .now
    }
    tellWhoControls()
  }

  struct Control: Encodable {
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
      page: state.controller ?? "", here: state.controller == page,
      pages: Set(state.visitors.map(\.page)).count)
  }

  private func tellWhoControls() {
    state.withLock { state in
      for visitor in state.visitors {
        if let data = try? jsonLine(Self.control(state, visitor.page), version: nil) {
          visitor.queue.put(StudioEvent(name: "control", data: data, isState: true))
        }
      }
    }
  }

  /// Ends all streams of events.
  func close() {
    for visitor in state.withLock(\.visitors) { visitor.queue.close() }
  }
}
