import Foundation

/// Work on many inputs, done by all processors at once, with results in the order of the inputs.
///
/// A processor takes the next input when it is done with its last one, so that there are never more
/// inputs in progress than processors; only results wait for those before them.
final class OrderedWork<Input: Sendable, Output: Sendable>: @unchecked Sendable {
  // Reading an input may last until somebody types it, so it has a lock of its own.
  private let inputLock = NSLock()
  private let nextInput: () throws -> Input?
  private var taken = 0
  private var hasMore = true

  private let condition = NSCondition()
  private var results: [Int: Result<(Input, Output), any Error>] = [:]
  private var busyWorkers: Int
  private var isStopped = false

  /// Starts the work. `worker` is called once on each thread, and returns what handles that
  /// thread's inputs.
  ///
  /// - Parameter nextInput: the next input, `nil` after the last; not called by two at once.
  init(
    nextInput: @escaping () throws -> Input?, worker: @escaping @Sendable () -> (Input) -> Output
  ) {
    self.nextInput = nextInput
    busyWorkers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    for _ in 0..<busyWorkers { Thread.detachNewThread { self.run(worker()) } }
  }

  /// Passes all results to `body` in order; throws an error from `nextInput` in its place.
  func forEach(_ body: (Input, Output) throws -> Void) throws {
    defer { condition.withLock { isStopped = true } }
    var index = 0
    while let result = wait(for: index) {
      let (input, output) = try result.get()
      try body(input, output)
      index += 1
    }
  }

  private func wait(for index: Int) -> Result<(Input, Output), any Error>? {
    condition.withLock {
      while results[index] == nil, busyWorkers > 0 { condition.wait() }
      return results.removeValue(forKey: index)
    }
  }

  private func run(_ work: (Input) -> Output) {
    while let (index, input) = take() {
      let result = input.map { ($0, work($0)) }
      condition.withLock {
        results[index] = result
        condition.signal()
      }
    }
    condition.withLock {
      busyWorkers -= 1
      condition.signal()
    }
  }

  /// The next input and its number; `nil` if there is none, or if no more are wanted.
  private func take() -> (Int, Result<Input, any Error>)? {
    inputLock.withLock {
      guard hasMore, !condition.withLock({ isStopped }) else { return nil }
      defer { taken += 1 }
      do {
        let input = try nextInput()
        hasMore = input != nil
        return input.map { (taken, .success($0)) }
      } catch {
        hasMore = false
        return (taken, .failure(error))
      }
    }
  }
}
