/// Estimates the light from what scenes are like on average, where no surface is known to be
/// neutral.
///
/// ```swift
/// /// The gains of three assumptions; where they agree, they are more likely to hold.
/// func gains(of frame: Frame) throws -> [Gains?] {
///   let estimators: [(any IlluminantEstimator)?] = [ShadesOfGray(), WhitePatch(), GrayEdge()]
///   return try estimators.compactMap(\.self).map { try $0.estimate(frame).gains }
/// }
/// ```
///
/// Pixels are read as linear values after the black level is subtracted. Those with a clipped
/// channel are left out, since clipping shifts their color. So are those whose brightest channel is
/// at most `SceneEstimate.darkLevel`: they hold more noise and black level than color.
///
/// No estimator knows whether its assumption holds for the scene, so none states a standard error.
public protocol IlluminantEstimator: Sendable {
  /// The estimate from a region of a frame's bytes; from the whole frame without one.
  ///
  /// - Throws: `FrameError` where the bytes are too few or the region is not inside the frame.
  func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate
}

extension IlluminantEstimator {
  /// The estimate from a region of a frame; from the whole frame without one.
  ///
  /// - Throws: `FrameError` where the region is not inside the frame.
  public func estimate(
    _ frame: Frame, region: PixelRectangle? = nil
  ) throws(FrameError) -> SceneEstimate {
    try estimate(frame.bytes.span, layout: frame.layout, region: region)
  }
}
