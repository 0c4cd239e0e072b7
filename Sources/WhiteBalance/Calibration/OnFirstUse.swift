internal import Synchronization

/// A result that follows from the other properties of a value, computed when it is first read and
/// shared by the copies of that value. All instances are equal, so it does not affect comparisons.
final class OnFirstUse<Result: Sendable>: Hashable, Sendable {
  private let result = Mutex<Result?>(nil)

  /// Returns the result; only the first call computes it, while others wait.
  func value(_ compute: () -> Result) -> Result {
    result.withLock { result in
      if let result { return result }
      let computed = compute()
      result = computed
      return computed
    }
  }

  static func == (first: OnFirstUse, second: OnFirstUse) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
