/// An estimator of the light that relies on the statistics of scenes, for use when no surface is
/// known to be neutral.
///
/// ```swift
/// /// The gains of two assumptions; where they agree, they are more likely to hold.
/// func gains(of frame: Frame) throws -> [Gains?] {
///   let estimators: [(any IlluminantEstimator)?] = [ShadesOfGray(), WhitePatch()]
///   return try estimators.compactMap(\.self).map { try $0.estimate(frame).gains }
/// }
/// ```
///
/// Pixels are read as linear values after the black level is subtracted. Pixels with a clipped
/// channel are excluded, since clipping shifts their color, and so are those whose brightest
/// channel is at most `SceneEstimate.darkLevel`, in which noise and black level dominate.
///
/// No estimator can check its assumption for the scene, so none states a standard error.
public protocol IlluminantEstimator: Sendable {
  /// Estimates the light from a region of a frame's bytes, or from the whole frame if it is `nil`.
  ///
  /// - Throws: `FrameError` if there are too few bytes or the region is not inside the frame.
  func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate
}

extension IlluminantEstimator {
  /// Estimates the light from a region of a frame, or from the whole frame if it is `nil`.
  ///
  /// - Throws: `FrameError` if the region is not inside the frame.
  public func estimate(
    _ frame: Frame, region: PixelRectangle? = nil
  ) throws(FrameError) -> SceneEstimate {
    try estimate(frame.bytes.span, layout: frame.layout, region: region)
  }
}
