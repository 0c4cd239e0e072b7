internal import CameraProfiles

/// The distances among which the camera focuses by itself, as V4L2 has them.
public enum FocusRange: Int, CaseIterable, Hashable, Sendable {
  /// The camera chooses them.
  case automatic
  /// Those of most scenes.
  case normal
  /// Near ones.
  case macro
  /// The farthest.
  case infinity
}

extension Camera {
  /// The ranges that the camera's own focusing can be restricted to; none where it cannot.
  public var supportedFocusRanges: [FocusRange] {
    get async {
      await port.description(of: .autoFocusRange)?.items
        .compactMap { FocusRange(rawValue: $0.value) } ?? []
    }
  }

  /// The range that the camera's own focusing is restricted to; `nil` where it cannot be.
  public var focusRange: FocusRange? {
    get async throws(CameraError) {
      try await value(of: .autoFocusRange).flatMap(FocusRange.init(rawValue:))
    }
  }

  /// Restricts the camera's own focusing; returns at once. What fails leaves the camera as it was
  /// before.
  ///
  /// - Throws: `noControl` where the camera cannot be told, `valueOutOfRange` where it lacks the
  ///   range.
  public func setFocusRange(_ range: FocusRange) async throws(CameraError) {
    try await choose(range.rawValue, of: .autoFocusRange)
  }
}
