import Dispatch

/// An executor that runs an actor on its own queue, where it may wait for a device without blocking
/// others.
package final class DeviceExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Creates an executor with the name of its queue.
  package init(label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs code that may wait, and returns its result.
  package func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
