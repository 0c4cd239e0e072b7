package import WhiteBalance

/// A reader of a camera's frames that is independent of operations.
package struct FrameWatcher: Sendable {
  private let camera: Camera

  /// Creates a watcher of the frames from the next one on.
  package init(_ camera: Camera) async { self.camera = await camera.watching() }

  /// Returns the result of `body` for the next frame, whose layout has the camera's known transfer
  /// function and levels; `nil` if the frame is not wanted. Such a frame is not decoded unless
  /// others read it, too.
  package func next<Result: Sendable>(
    where isWanted: @escaping @Sendable (FrameInfo) -> Bool,
    _ body: @escaping @Sendable (FrameInfo, FrameLayout, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    try await camera.nextFrame(where: isWanted) { info, layout, bytes throws(FrameError) in
      body(info, layout, bytes)
    }?.1
  }
}
