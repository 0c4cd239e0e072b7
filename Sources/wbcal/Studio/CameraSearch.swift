import CameraControl

/// A search for connected cameras whose result is shared for a time by all who ask.
actor CameraSearch {
  /// The time for which a result is used.
  private let interval: Duration
  private let search: @Sendable () async -> [ConnectedCamera]
  private var latest: (found: Task<[ConnectedCamera], Never>, start: ContinuousClock.Instant)?

  init(every interval: Duration, _ search: @escaping @Sendable () async -> [ConnectedCamera]) {
    (self.interval, self.search) = (interval, search)
  }

  /// Returns the result of a search that began at most an interval ago.
  func cameras() async -> [ConnectedCamera] {
    let now = ContinuousClock.now
    if let latest, now - latest.start < interval { return await latest.found.value }
    let found = Task { await search() }
    latest = (found, now)
    return await found.value
  }
}
