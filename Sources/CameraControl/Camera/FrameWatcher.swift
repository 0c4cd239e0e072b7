package import WhiteBalance

/// A camera's frames for somebody who only looks, whatever operations go on meanwhile.
package struct FrameWatcher: Sendable {
  private let camera: Camera

  /// A watcher of the frames from the next one on.
  package init(_ camera: Camera) async { self.camera = await camera.watching() }

  /// What `body` makes of the next frame, whose layout has the camera's known transfer function and
  /// levels; `nil` where the frame is not wanted, and then it is not even decoded unless somebody
  /// else watches.
  package func next<Result: Sendable>(
    where isWanted: @escaping @Sendable (FrameInfo) -> Bool,
    _ body: @escaping @Sendable (FrameInfo, FrameLayout, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    try await camera.nextFrame(where: isWanted) { info, layout, bytes throws(FrameError) in
      body(info, layout, bytes)
    }?.1
  }
}
