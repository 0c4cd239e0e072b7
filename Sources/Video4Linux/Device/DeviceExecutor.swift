import Dispatch

/// Runs an actor on a queue of its own, where it may wait for a device without holding up others.
final class DeviceExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "Video4Linux.device")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs what may wait, and returns its result.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
