import CWbcalMicroHTTP
import Synchronization

/// A request and its response.
///
/// The library's thread never waits: a connection that has nothing to send is suspended, and
/// resumed by the task that made the response or its next piece. A connection exists at least as
/// long as it is suspended.
@safe final class Exchange: Sendable {
  private struct State {
    var body: [UInt8] = []
    var response: WebResponse?
    var isSuspended = false
    /// Indicates that the client has left, all is sent, or the server stops.
    var isOver = false
    var piece: [UInt8] = []
    var sent = 0
    var isLast = false
    var wantsPiece = false
    var producer: CheckedContinuation<Bool, Never>?
    var task: Task<Void, Never>?
  }

  nonisolated(unsafe) private let connection: OpaquePointer
  private let request: WebRequest?
  private let bodyLimit: Int
  private let state: Mutex<State>

  /// Creates an exchange with the request for a handler, or with its response.
  init(
    _ connection: OpaquePointer, request: WebRequest?, response: WebResponse?, bodyLimit: Int
  ) {
    unsafe self.connection = unsafe connection
    self.request = request
    self.bodyLimit = bodyLimit
    state = Mutex(State(response: response))
  }

  /// Receives a part of the body, unless there is a response already.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      guard state.response == nil else { return }
      guard state.body.count + bytes.count <= bodyLimit else {
        state.body = []
        state.response = .failure(
          413, error: "usage", exitCode: 64, reasons: ["The request's body is too large."])
        return
      }
      unsafe state.body.append(contentsOf: bytes)
    }
  }

  /// Sends the response, or starts the handler that makes it.
  func answer(by handler: @escaping WebServer.Handler) -> MHD_Result {
    let (response, result): (WebResponse?, MHD_Result) = state.withLock { state in
      guard !state.isOver else { return (nil, .NO) }
      guard state.response == nil, var request else { return (state.response, .NO) }
      request.body = state.body
      state.body = []
      suspend(&state)
      state.task = Task { [request] in await self.run(request, handler) }
      return (nil, .YES)
    }
    return response.map(queue) ?? result
  }

  private func run(_ request: WebRequest, _ handler: WebServer.Handler) async {
    let response = await handler(request)
    state.withLock { state in
      state.response = response
      resume(&state)
    }
    guard case .stream(let stream) = response.body else { return }
    while await isPieceWanted(), let piece = await stream.next() {
      state.withLock { state in
        guard !piece.isEmpty, !state.isOver else { return }
        state.piece = piece
        state.sent = 0
        state.wantsPiece = false
        resume(&state)
      }
    }
    state.withLock { state in
      state.isLast = true
      resume(&state)
    }
    // This task may be cancelled, which must not prevent the cleanup.
    await Task { await stream.ended() }.value
  }

  /// Waits until the network has accepted the previous piece; `false` if the exchange is over.
  private func isPieceWanted() async -> Bool {
    await withCheckedContinuation { continuation in
      let isWanted: Bool? = state.withLock { state in
        if state.isOver { return false }
        if state.wantsPiece { return true }
        state.producer = continuation
        return nil
      }
      if let isWanted { continuation.resume(returning: isWanted) }
    }
  }

  /// Fills the library's buffer with the available bytes of the stream.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      if state.isOver { return -2 }  // MHD_CONTENT_READER_END_WITH_ERROR
      let count = min(buffer.count, state.piece.count - state.sent)
      if count > 0 {
        unsafe buffer.copyBytes(from: state.piece[state.sent..<state.sent + count])
        state.sent += count
        return count
      }
      if state.isLast { return -1 }  // MHD_CONTENT_READER_END_OF_STREAM
      state.piece = []
      state.sent = 0
      suspend(&state)
      state.wantsPiece = true
      state.producer?.resume(returning: true)
      state.producer = nil
      return 0
    }
  }

  /// Ends the exchange in any state; the client no longer waits for it.
  func end() {
    let task = state.withLock { state in
      state.isOver = true
      state.piece = []
      state.producer?.resume(returning: false)
      state.producer = nil
      resume(&state)
      return state.task
    }
    task?.cancel()
  }

  private func suspend(_ state: inout State) {
    unsafe MHD_suspend_connection(connection)
    state.isSuspended = true
  }

  private func resume(_ state: inout State) {
    guard state.isSuspended else { return }
    state.isSuspended = false
    unsafe MHD_resume_connection(connection)
  }

  /// Passes a response to the library; only on its thread.
  func queue(_ answer: WebResponse) -> MHD_Result {
    let response: OpaquePointer? =
      switch answer.body {
      case .bytes(let bytes):
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe MHD_create_response_from_buffer(
            buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
            .RESPMEM_MUST_COPY)
        }
      case .stream:
        unsafe MHD_create_response_from_callback(
          .max, 32 << 10,
          { context, _, buffer, count in
            guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            return unsafe exchange.read(
              into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
          }, Unmanaged.passRetained(self).toOpaque(),
          { context in
            if let context = unsafe context {
              unsafe Unmanaged<Exchange>.fromOpaque(context).release()
            }
          })
      }
    guard let response = unsafe response else { return .NO }
    defer { unsafe MHD_destroy_response(response) }
    // A header of the response replaces the general one of the same name.
    let rules = AccessRules.headers.filter { rule in
      !answer.headers.contains { $0.name == rule.0 }
    }
    for (name, value) in rules + [("Content-Type", answer.contentType)]
      + answer.headers.map({ ($0.name, $0.value) })
    {
      guard unsafe MHD_add_response_header(response, name, value) == .YES else { return .NO }
    }
    return unsafe MHD_queue_response(connection, UInt32(clamping: answer.status), response)
  }
}
