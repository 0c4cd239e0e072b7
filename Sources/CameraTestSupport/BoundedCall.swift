import CameraControl
import Synchronization

/// The failure of a call to a port.
enum CallFailure: Error, CustomStringConvertible {
  case thrown(call: String, any Error)
  case late(call: String, seconds: Double)

  var description: String {
    switch self {
    case .thrown(let call, let error): "`\(call)` threw: \(error)"
    case .late(let call, let seconds): "`\(call)` did not return within \(seconds) s"
    }
  }

  /// The error that the port threw; `nil` if it did not return.
  var error: CameraError? {
    if case .thrown(call: _, let error) = self { error as? CameraError } else { nil }
  }

  /// `true` if the call did not return.
  var isLate: Bool { if case .late = self { true } else { false } }
}

/// A call of a port, or of a function of the test, that runs on its own.
final class RunningCall<Value: Sendable>: Sendable {
  private let call: String
  private let state = Mutex(State())

  private struct State {
    var task: Task<Void, Never>?
    var result: Result<Value, CallFailure>?
    var waiting: CheckedContinuation<Result<Value, CallFailure>, Never>?
  }

  /// Starts a call.
  init(_ call: String, _ body: @escaping @Sendable () async throws -> Value) {
    self.call = call
    let task = Task {
      do { self.finish(.success(try await body())) } catch {
        self.finish(.failure(.thrown(call: call, error)))
      }
    }
    state.withLock { $0.task = task }
  }

  func cancel() { state.withLock { $0.task }?.cancel() }

  /// Waits until the call returns, and cancels it after a time.
  func result(within limit: Duration) async -> Result<Value, CallFailure> {
    let timer = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      // The result is stored before the call is cancelled, so that a call that ends because of this
      // is late, too.
      self.finish(.failure(.late(call: self.call, seconds: limit / .seconds(1))))
      self.cancel()
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiting = continuation }
        return state.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Stores the first result.
  private func finish(_ result: Result<Value, CallFailure>) {
    let waiting: CheckedContinuation<Result<Value, CallFailure>, Never>? = state.withLock { state in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: result)
  }
}
