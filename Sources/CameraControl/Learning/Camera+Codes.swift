internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Returns the prior knowledge of the tone curve, which is assumed to be `claimed`. Linear frames
  /// leave nothing to determine. Pictures of other frames test the assumption if the exposure can
  /// be set.
  func knownCurve(claimed: TransferFunction?) async throws(CameraError) -> ModelFit.Curve {
    if try await nextFrame({ _, layout, _ in layout.transfer == .linear }).1 { return .sRGB }
    return try await learnableExposure() == nil && claimed != nil ? .sRGB : .learned
  }

  /// Returns the mean codes of the card in the next frame.
  func nextCodes() async throws(CameraError) -> (FrameInfo, CodeMean) {
    let (estimator, isCurveKnown, isBlackKnown) = (estimator, transfer != nil, blackLevel != nil)
    return try await nextFrame { _, layout, bytes throws(FrameError) in
      let region = estimator.rectangle(in: layout)
      if isCurveKnown || layout.transfer == .linear {
        return CodeMean(ofLight: try FrameStatistics(bytes, layout: layout, region: region))
      }
      // A given black level is used.
      return isBlackKnown
        ? CodeMean(
          try FrameStatistics(
            bytes, layout: try layout.replacing(transfer: .linear), region: region))
        : try CodeMean(bytes, layout: layout, region: region)
    }
  }
}
