internal import CameraProfiles

/// A range of distances for autofocus, as in V4L2.
public enum FocusRange: Int, CaseIterable, Hashable, Sendable {
  /// The camera chooses the range.
  case automatic
  /// The distances of most scenes.
  case normal
  /// Near distances.
  case macro
  /// Far distances only.
  case infinity
}

extension Camera {
  /// The ranges to which autofocus can be restricted; none if it cannot.
  public var supportedFocusRanges: [FocusRange] {
    get async {
      await port.description(of: .autoFocusRange)?.items
        .compactMap { FocusRange(rawValue: $0.value) } ?? []
    }
  }

  /// The range to which autofocus is restricted; `nil` if it cannot be.
  public var focusRange: FocusRange? {
    get async throws(CameraError) {
      try await value(of: .autoFocusRange).flatMap(FocusRange.init(rawValue:))
    }
  }

  /// Restricts autofocus to a range; returns at once. On failure the previous settings are
  /// restored.
  ///
  /// - Throws: `noControl` if autofocus cannot be restricted, `valueOutOfRange` if the camera lacks
  ///   the range.
  public func setFocusRange(_ range: FocusRange) async throws(CameraError) {
    try await choose(range.rawValue, of: .autoFocusRange)
  }
}
