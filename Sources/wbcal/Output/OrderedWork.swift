import Dispatch
import Synchronization
import WbcalFoundation
import WbcalSystem

/// Work on many inputs, done by all processors at once, with results in the order of the inputs.
///
/// A processor takes the next input when it is done with its last one, so that there are never more
/// inputs in progress than processors. Results wait for those before them and for their receiver,
/// but never more than a few for each processor.
final class OrderedWork<Input: Sendable, Output: Sendable>: @unchecked Sendable {
  // Reading an input may last until the user types it, so it has a lock of its own.
  private let inputs = Mutex((taken: 0, hasMore: true))
  private let nextInput: () throws -> Input?
  private let results: Mutex<Results>
  /// Counts the further results that may be kept.
  private let room = DispatchSemaphore(value: 0)
  /// Counts the events that the receiver has not handled yet: results, and the ends of workers.
  private let news = DispatchSemaphore(value: 0)

  private struct Results {
    var kept: [Int: Result<(Input, Output), any Error>] = [:]
    var busyWorkers: Int
    var received = 0
    var isStopped = false
  }

  /// Starts the work.
  ///
  /// - Parameters:
  ///   - nextInput: returns the next input, `nil` after the last; it is not called by two threads
  ///     at once.
  ///   - worker: called once on each thread; returns the function for that thread's inputs.
  init(
    nextInput: @escaping () throws -> Input?, worker: @escaping @Sendable () -> (Input) -> Output
  ) {
    self.nextInput = nextInput
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    results = Mutex(Results(busyWorkers: workers))
    for _ in 0..<4 * workers { room.signal() }
    let surroundings = Surroundings.current
    for _ in 0..<workers {
      DispatchQueue(label: "work").async {
        Surroundings.$current.withValue(surroundings) { self.run(worker()) }
      }
    }
  }

  /// Passes all results to `body` in order; throws an error from `nextInput` at its position.
  func forEach(_ body: (Input, Output) throws -> Void) throws {
    defer { stop() }
    while let result = nextResult() {
      let (input, output) = try result.get()
      try body(input, output)
    }
  }

  private func stop() {
    let workers = results.withLock { results in
      results.isStopped = true
      return results.busyWorkers
    }
    for _ in 0..<workers { room.signal() }
  }

  private func nextResult() -> Result<(Input, Output), any Error>? {
    while true {
      let (result, isLast) = results.withLock { results in
        let result = results.kept.removeValue(forKey: results.received)
        if result != nil { results.received += 1 }
        return (result, results.busyWorkers == 0)
      }
      if result != nil { room.signal() }
      if result != nil || isLast { return result }
      news.wait()
    }
  }

  private func run(_ work: (Input) -> Output) {
    while let (index, input) = take() {
      let result = input.map { ($0, work($0)) }
      results.withLock { $0.kept[index] = result }
      news.signal()
    }
    results.withLock { $0.busyWorkers -= 1 }
    news.signal()
  }

  /// Returns the next input and its number; `nil` if there is none, or if no more are wanted.
  private func take() -> (Int, Result<Input, any Error>)? {
    inputs.withLock { inputs in
      guard inputs.hasMore else { return nil }
      room.wait()
      guard !results.withLock(\.isStopped) else { return nil }
      defer { inputs.taken += 1 }
      do {
        let input = try nextInput()
        inputs.hasMore = input != nil
        return input.map { (inputs.taken, .success($0)) }
      } catch {
        inputs.hasMore = false
        return (inputs.taken, .failure(error))
      }
    }
  }
}
