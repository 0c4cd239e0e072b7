import CameraProfiles
import ColorScience
import WhiteBalance

/// A profile's flat field for a picture. It is a class because a flat field has many arrays, and
/// each function that holds one would copy all of them.
final class ProfileShading: Sendable {
  private let field: FlatField

  init(_ field: FlatField) { self.field = field }

  /// The gains that undo the shading.
  var gains: GainMesh { field.gains }

  /// The largest relative standard error of a gain.
  var largestError: Double { field.largestError }

  /// Corrects the shading of a frame; returns the pixels that this raised to white.
  @discardableResult
  func correct(_ frame: inout Frame) throws(FrameError) -> GainApplication.ClippingCounts {
    let layout = frame.layout
    return try correct(&frame.bytes, rows: 0..<layout.height, of: layout)
  }

  /// Corrects the shading of some rows of a frame; returns the pixels that this raised to white.
  @discardableResult
  func correct(
    _ bytes: inout [UInt8], rows: Range<Int>, of layout: FrameLayout
  ) throws(FrameError) -> GainApplication.ClippingCounts {
    let correction = try ShadingCorrection(gains, layout: layout)
    var span = bytes.mutableSpan
    return try correction.apply(to: &span, rows: rows)
  }

  /// Returns a frame without shading.
  func corrected(_ pixels: Span<UInt8>, layout: FrameLayout) throws(FrameError) -> Frame {
    var bytes: [UInt8] = []
    unsafe pixels.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    var frame = try Frame(layout: layout, bytes: bytes)
    try correct(&frame)
    return frame
  }
}

extension CameraProfile {
  /// Returns the flat field for a picture; `nil` if there is none, with a remark if there are some
  /// for other pictures.
  func flatField(for layout: FrameLayout, _ origin: PictureOrigin, path: String) -> ProfileShading?
  {
    guard !flatFields.isEmpty else { return nil }
    if origin.hasGainMap {
      remark(
        "\(shown(path)): the profile's flat field is not used: the file has a gain map of its "
          + "own, with which its shading is corrected.")
      return nil
    }
    let field = flatField(width: layout.width, height: layout.height, encoding: origin.encoding)
    if field == nil {
      let known = flatFields.map { field in
        "\(field.width)×\(field.height)" + (field.encoding.map { " \($0)" } ?? "")
      }
      remark(
        "\(shown(path)): shading is not corrected: the profile's flat fields are for pictures of "
          + "\(known.joined(separator: ", ")), and this one is \(layout.width)×\(layout.height)"
          + (origin.encoding.map { " \($0)" } ?? "") + ".")
    }
    return field.map { ProfileShading($0) }
  }
}

extension CameraSession {
  /// Returns a profile's flat field for frames of the camera; `nil` if there is none, or the
  /// profile is another camera's. The shading of raw frames may differ from that of developed ones,
  /// which the camera may have corrected.
  func flatField(of profile: CameraProfile?, for layout: FrameLayout) -> ProfileShading? {
    guard var profile, !profile.flatFields.isEmpty, otherCamera == nil else { return nil }
    if layout.transfer != .linear {
      profile.flatFields.removeAll { $0.encoding == .raw }
      if profile.flatFields.isEmpty {
        remark(
          "The frames keep the shading of the lens: the flat fields of the profile are for raw "
            + "frames.")
      }
    }
    let origin = PictureOrigin(encoding: layout.format.isMosaic ? .raw : nil)
    return profile.flatField(for: layout, origin, path: identity.name)
  }
}

extension PixelFormat {
  /// Indicates whether each pixel has one color, as behind a color filter array.
  var isMosaic: Bool { if case .bayer = arrangement { true } else { false } }
}

extension FlatField {
  /// The largest relative standard error of a gain.
  var largestError: Double {
    Double((standardErrors.red + standardErrors.green + standardErrors.blue).max() ?? 0)
  }
}
