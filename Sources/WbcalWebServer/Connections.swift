import CWbcalMicroHTTP
import Synchronization
import WbcalSystem

/// The connections of a server, and the callbacks of the HTTP library.
///
/// Locks are taken in one order: this one, an exchange's, the library's own.
final class Connections: Sendable {
  private struct Connection {
    let descriptor: CInt
    let client: String
    /// The time after which the client is too slow; `nil` while the server processes the request.
    var deadline: ContinuousClock.Instant?
    var target = ""
    var exchange: Exchange?
    let opened = ContinuousClock.now
    /// Indicates whether an authorized request has come over this connection.
    var isKnown = false
    /// Indicates whether it is being closed to make room.
    var isLeaving = false
  }

  private struct State {
    /// The connections by the library's pointers.
    var connections: [UInt: Connection] = [:]
    var daemon: UInt?
    var isStopping = false
    var watch: Task<Void, Never>?
  }

  private let rules: AccessRules
  private let limits: WebServer.Limits
  private let handler: WebServer.Handler
  private let state = Mutex(State())

  init(rules: AccessRules, limits: WebServer.Limits, handler: @escaping WebServer.Handler) {
    self.rules = rules
    self.limits = limits
    self.handler = handler
  }

  /// Passes a socket to the library, with its callbacks.
  ///
  /// - Returns: `true` if it is being served.
  func start(_ socket: ListeningSocket, certificate: [UInt8]?, key: [UInt8]?) -> Bool {
    var configuration = unsafe CMHDConfiguration()
    let context = unsafe Unmanaged.passRetained(self)
    unsafe configuration.context = context.toOpaque()
    unsafe configuration.socket = socket.descriptor
    unsafe configuration.isIPv6 = socket.isIPv6 ? 1 : 0
    // Twice the strangers, because as many again may be about to be closed.
    unsafe configuration.connections = UInt32(limits.connections + 2 * limits.strangers)
    unsafe configuration.seconds = UInt32(limits.idle.components.seconds)
    unsafe configuration.memory = limits.header
    unsafe configuration.changed = { context, connection, _, code in
      guard let server = unsafe Connections.from(context), let connection = unsafe connection
      else { return }
      unsafe server.changed(connection, isNew: code == .CONNECTION_NOTIFY_STARTED)
    }
    unsafe configuration.began = { context, target, connection in
      guard let server = unsafe Connections.from(context), let connection = unsafe connection,
        let target = unsafe target
      else { return nil }
      unsafe server.began(connection, target: String(cString: target))
      return nil
    }
    unsafe configuration.access = { context, connection, _, method, _, bytes, count, place in
      guard let server = unsafe Connections.from(context), let connection = unsafe connection,
        let method = unsafe method, let count = unsafe count, let place = unsafe place
      else { return .NO }
      // The library keeps the value that is stored here until the request ends.
      guard unsafe place.pointee != nil else {
        unsafe place.pointee = context
        return unsafe server.head(connection, method: String(cString: method))
      }
      let body = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      unsafe count.pointee = 0
      return unsafe server.body(connection, body)
    }
    unsafe configuration.completed = { context, connection, _, _ in
      guard let server = unsafe Connections.from(context), let connection = unsafe connection
      else { return }
      unsafe server.completed(connection)
    }
    let daemon = unsafe Self.withText(certificate) { certificate in
      unsafe Self.withText(key) { key in
        unsafe configuration.certificate = unsafe certificate
        unsafe configuration.key = unsafe key
        return unsafe cmhd_start(&configuration)
      }
    }
    guard let daemon = unsafe daemon else {
      unsafe context.release()
      return false
    }
    state.withLock { $0.daemon = UInt(bitPattern: daemon) }
    return true
  }

  private static func withText<Result>(
    _ bytes: [UInt8]?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let bytes else { return body(nil) }
    return unsafe (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      unsafe body($0.baseAddress)
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Connections? {
    unsafe context.map { unsafe Unmanaged<Connections>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Ends all exchanges, and waits until the library has stopped.
  func stop() {
    let (daemon, exchanges, watch) = state.withLock { state in
      defer {
        state.daemon = nil
        state.watch = nil
        state.isStopping = true
      }
      return (state.daemon, state.connections.values.compactMap(\.exchange), state.watch)
    }
    guard let daemon else { return }
    watch?.cancel()
    for exchange in exchanges { exchange.end() }
    unsafe MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
    unsafe Unmanaged.passUnretained(self).release()
  }

  // MARK: Callbacks on the library's thread

  private func changed(_ connection: OpaquePointer, isNew: Bool) {
    let key = UInt(bitPattern: connection)
    guard isNew else {
      state.withLock { _ = $0.connections.removeValue(forKey: key) }
      return
    }
    let descriptor = unsafe cmhd_socket(connection)
    let client = ListeningSocket.peer(of: descriptor)
    state.withLock { state in
      state.connections[key] = Connection(
        descriptor: descriptor, client: client, deadline: .now + limits.request)
      makeRoom(in: &state, for: key)
      if state.watch == nil, !state.isStopping { state.watch = Task { await self.watch() } }
    }
  }

  /// Closes one stranger's connection if there are too many: the oldest of the client that has the
  /// most. Unauthorized clients never keep out authorized ones.
  private func makeRoom(in state: inout State, for newest: UInt) {
    let strangers = state.connections.filter { !$1.isKnown && !$1.isLeaving && $0 != newest }
    guard strangers.count >= limits.strangers else { return }
    let counts = Dictionary(grouping: strangers.values, by: \.client).mapValues(\.count)
    let most = counts.values.max()
    let oldest = strangers.filter { counts[$1.client] == most }
      .min { $0.value.opened < $1.value.opened }
    guard let oldest else { return }
    state.connections[oldest.key]?.isLeaving = true
    shutdown(oldest.value.descriptor, CInt(SHUT_RDWR))
  }

  private func began(_ connection: OpaquePointer, target: String) {
    state.withLock { state in
      let key = UInt(bitPattern: connection)
      state.connections[key]?.target = target
      state.connections[key]?.deadline = .now + limits.request
    }
  }

  private func head(_ connection: OpaquePointer, method: String) -> MHD_Result {
    var headers = RequestHeaders()
    unsafe withUnsafeMutablePointer(to: &headers) { pointer in
      _ = unsafe MHD_get_connection_values(
        connection, .HEADER_KIND,
        { headers, _, name, value in
          if let name = unsafe name, let value = unsafe value {
            unsafe headers?.assumingMemoryBound(to: RequestHeaders.self).pointee
              .append(String(cString: name), String(cString: value))
          }
          return .YES
        }, pointer)
    }
    let key = UInt(bitPattern: connection)
    guard let place = state.withLock({ $0.connections[key] }) else { return .NO }
    var request: WebRequest?
    var answer: WebResponse?
    var isFinal = false
    switch rules.verdict(method: method, target: place.target, headers: headers) {
    case .allowed(let target):
      state.withLock { $0.connections[key]?.isKnown = true }
      request = WebRequest(method: method, client: place.client, target: target, headers: headers)
    case .answered(let response, let final):
      answer = response
      isFinal = final
    }
    let exchange = unsafe Exchange(
      connection, request: request, response: answer, bodyLimit: limits.body)
    let isStopping = state.withLock { state in
      state.connections[key]?.exchange = exchange
      return state.isStopping
    }
    if isStopping { return .NO }
    return isFinal ? answer.map(exchange.queue) ?? .NO : .YES
  }

  private func body(
    _ connection: OpaquePointer, _ bytes: UnsafeRawBufferPointer
  ) -> MHD_Result {
    let exchange = state.withLock { state in
      let key = UInt(bitPattern: connection)
      if unsafe bytes.isEmpty { state.connections[key]?.deadline = nil }
      return state.connections[key]?.exchange
    }
    guard let exchange else { return .NO }
    guard unsafe bytes.isEmpty else {
      unsafe exchange.receive(bytes)
      return .YES
    }
    return exchange.answer(by: handler)
  }

  private func completed(_ connection: OpaquePointer) {
    let exchange = state.withLock { state in
      let key = UInt(bitPattern: connection)
      let exchange = state.connections[key]?.exchange
      state.connections[key]?.exchange = nil
      state.connections[key]?.deadline = .now + limits.idle
      return exchange
    }
    exchange?.end()
  }

  // MARK: Slow and lost clients

  /// Detects clients that leave while their connection is suspended, and those that are too slow,
  /// as long as there are connections.
  private func watch() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(250))
      let exchanges: [Exchange]? = state.withLock { state in
        if state.connections.isEmpty { state.watch = nil }
        return state.watch == nil ? nil : Self.lost(&state)
      }
      guard let exchanges else { return }
      for exchange in exchanges { exchange.end() }
    }
  }

  /// Closes connections past their deadline, and returns the exchanges whose clients have left. A
  /// descriptor is not closed before its connection is removed here.
  private static func lost(_ state: inout State) -> [Exchange] {
    let now = ContinuousClock.now
    var lost: [Exchange] = []
    for (key, connection) in state.connections {
      if let deadline = connection.deadline, deadline < now {
        shutdown(connection.descriptor, CInt(SHUT_RDWR))
        state.connections[key]?.deadline = nil
      }
      #if os(Linux)
      let events: Int16 = 0x2000  // POLLRDHUP, which the header has for GNU programs only.
      #else
      let events: Int16 = 0
      #endif
      var entry = pollfd(fd: connection.descriptor, events: events, revents: 0)
      if let exchange = connection.exchange, unsafe poll(&entry, 1, 0) > 0 { lost.append(exchange) }
    }
    return lost
  }
}
