internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The knowledge of a tone curve that is taken to be `claimed`: linear frames leave nothing open;
  /// exposures test the claim of others, and without exposures the claim counts.
  func knownCurve(claimed: TransferFunction?) async throws(CameraError) -> ModelFit.Curve {
    if try await nextFrame({ _, layout, _ in layout.transfer == .linear }).1 { return .sRGB }
    return try await learnableExposure() == nil && claimed != nil ? .sRGB : .learned
  }

  /// The mean codes of the card in the next frame.
  func nextCodes() async throws(CameraError) -> (FrameInfo, CodeMean) {
    let (estimator, isCurveKnown, isBlackKnown) = (estimator, transfer != nil, blackLevel != nil)
    return try await nextFrame { _, layout, bytes throws(FrameError) in
      let region = estimator.rectangle(in: layout)
      if isCurveKnown || layout.transfer == .linear {
        return CodeMean(ofLight: try FrameStatistics(bytes, layout: layout, region: region))
      }
      // A black level that was given counts.
      return isBlackKnown
        ? CodeMean(
          try FrameStatistics(
            bytes, layout: try layout.replacing(transfer: .linear), region: region))
        : try CodeMean(bytes, layout: layout, region: region)
    }
  }
}
