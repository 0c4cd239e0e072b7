#if ICC
internal import CWbcalLittleCMS
public import ColorScience

extension TransferFunction {
  /// Creates the transfer function that the tone curves of an ICC profile follow.
  ///
  /// A curve follows a function if their linear values differ by at most 0.001 at each of 256
  /// stored values (`ToneCurveTests`). `nil` for a damaged profile, one of colors other than RGB,
  /// one without tone curves or with different ones for the channels, and for any other curve.
  ///
  /// Source: ICC.1:2022, the tags redTRCTag, greenTRCTag and blueTRCTag (9.2), through Little CMS.
  public init?(iccProfile bytes: [UInt8]) {
    let curves = unsafe LittleCMSSession.reading(bytes) { _, profile in
      ICCInputProfile.curves.compactMap { tag in
        unsafe cmsReadTag(profile, tag).map { data in
          (0...255).map {
            Double(unsafe cmsEvalToneCurveFloat(OpaquePointer(data), Float($0) / 255))
          }
        }
      }
    }
    guard let curves, curves.count == 3 else { return nil }
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
