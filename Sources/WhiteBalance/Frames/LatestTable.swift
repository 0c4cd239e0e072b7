internal import Synchronization

/// The table that was computed last, for frame after frame of one camera needs the same.
final class LatestTable<Key: Equatable & Sendable, Table: Sendable>: Sendable {
  private let latest = Mutex<(key: Key, table: Table)?>(nil)

  /// The table for a key, computed if it is not the last one's.
  func table(for key: Key, _ compute: () -> Table) -> Table {
    if let latest = latest.withLock({ $0 }), latest.key == key { return latest.table }
    let table = compute()
    latest.withLock { $0 = (key, table) }
    return table
  }
}
