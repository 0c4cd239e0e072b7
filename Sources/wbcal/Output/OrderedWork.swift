import Foundation

/// Work on many inputs, done by all processors at once, with results in the order of the inputs.
///
/// A processor takes the next input when it is done with its last one, so that there are never more
/// inputs in progress than processors. Results wait for those before them, and for whoever receives
/// them, but never more than a few for each processor.
final class OrderedWork<Input: Sendable, Output: Sendable>: @unchecked Sendable {
  // Reading an input may last until somebody types it, so it has a lock of its own.
  private let inputLock = NSLock()
  private let nextInput: () throws -> Input?
  private var taken = 0
  private var hasMore = true

  private let condition = NSCondition()
  private var results: [Int: Result<(Input, Output), any Error>] = [:]
  private var busyWorkers: Int
  private let mostWaiting: Int
  private var received = 0
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
    mostWaiting = 4 * busyWorkers
    for _ in 0..<busyWorkers { Thread.detachNewThread { self.run(worker()) } }
  }

  /// Passes all results to `body` in order; throws an error from `nextInput` in its place.
  func forEach(_ body: (Input, Output) throws -> Void) throws {
    defer {
      condition.withLock {
        isStopped = true
        condition.broadcast()
      }
    }
    while let result = nextResult() {
      let (input, output) = try result.get()
      try body(input, output)
    }
  }

  private func nextResult() -> Result<(Input, Output), any Error>? {
    condition.withLock {
      while results[received] == nil, busyWorkers > 0 { condition.wait() }
      defer {
        received += 1
        condition.broadcast()
      }
      return results.removeValue(forKey: received)
    }
  }

  /// Waits until another result may be kept; whether more are wanted.
  private func waitForRoom() -> Bool {
    condition.withLock {
      while taken - received >= mostWaiting, !isStopped { condition.wait() }
      return !isStopped
    }
  }

  private func run(_ work: (Input) -> Output) {
    while let (index, input) = take() {
      let result = input.map { ($0, work($0)) }
      condition.withLock {
        results[index] = result
        condition.broadcast()
      }
    }
    condition.withLock {
      busyWorkers -= 1
      condition.broadcast()
    }
  }

  /// The next input and its number; `nil` if there is none, or if no more are wanted.
  private func take() -> (Int, Result<Input, any Error>)? {
    inputLock.withLock {
      guard hasMore, waitForRoom() else { return nil }
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
