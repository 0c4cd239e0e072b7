#if ICC
internal import CWbcalLittleCMS
public import ColorScience

extension TransferFunction {
  /// The transfer function that the tone curves of an ICC profile follow.
  ///
  /// A curve follows a function if their linear values differ by at most 0.001 at each of 256
  /// stored values (`ToneCurveTests`). `nil` for a damaged profile, one of other colors than RGB,
  /// one without tone curves or with different ones for the channels, and for any other curve.
  ///
  /// Source: ICC.1:2022, the tags redTRCTag, greenTRCTag and blueTRCTag (9.2), through Little CMS.
  public init?(iccProfile bytes: [UInt8]) {
    guard let session = try? LittleCMSSession(), let profile = unsafe session.open(bytes) else {
      return nil
    }
    defer { unsafe cmsCloseProfile(profile) }
    guard unsafe cmsGetColorSpace(profile) == cmsSigRgbData else { return nil }
    let curves = ICCInputProfile.curves.compactMap { tag in
      unsafe cmsReadTag(profile, tag).map { data in
        (0...255).map { Double(unsafe cmsEvalToneCurveFloat(OpaquePointer(data), Float($0) / 255)) }
      }
    }
    guard curves.count == 3, session.messages.isEmpty else { return nil }
    let exponent = logarithm(curves[1][128]) / logarithm(128 / 255)
    let power: [TransferFunction] = exponent > 0 && exponent.isFinite ? [.gamma(exponent)] : []
    let match = ([.linear, .sRGB, .bt709] + power).first { function in
      curves.allSatisfy { curve in
        curve.enumerated().allSatisfy {
          abs(function.linear(Double($0.offset) / 255) - $0.element) <= 0.001
        }
      }
    }
    guard let match else { return nil }
    self = match
  }
}
#endif
