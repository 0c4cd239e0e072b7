import WhiteBalance

/// The gains of a picture, with or without the correction of its shading.
indirect enum FrameGains: Sendable {
  case even(GainApplication)
  case shaded(ShadingCorrection)

  init(_ gains: Gains, _ field: ProfileShading?, layout: FrameLayout) throws(FrameError) {
    if let field {
      self = .shaded(try ShadingCorrection(field.gains, times: gains, layout: layout))
    } else {
      self = .even(try GainApplication(of: gains, layout: layout))
    }
  }

  /// Applies the gains to some rows of a frame.
  func apply(
    to bytes: inout MutableSpan<UInt8>, rows: Range<Int>
  ) throws(FrameError) -> GainApplication.ClippingCounts {
    switch self {
    case .even(let gains): try gains.apply(to: &bytes, rows: rows.count)
    case .shaded(let gains): try gains.apply(to: &bytes, rows: rows)
    }
  }
}
