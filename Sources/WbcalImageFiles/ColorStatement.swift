package import ColorScience

/// The information on colors in a picture file.
package struct ColorStatement: Sendable {
  /// The embedded ICC profile, not checked.
  package var iccProfile: [UInt8]?
  /// The color space that the Exif data name.
  package var exif: ExifColorSpace?
  /// Indicates whether the transfer function is given by other means, such as the chunks of a PNG
  /// file, or fixed by the format.
  package var isCurveStated: Bool

  package init(
    iccProfile: [UInt8]? = nil, exif: ExifColorSpace? = nil, isCurveStated: Bool = false
  ) {
    self.iccProfile = iccProfile
    self.exif = exif
    self.isCurveStated = isCurveStated
  }

  /// Indicates whether the file does not give the transfer function, so that sRGB is assumed.
  package var isCurveAssumed: Bool {
    iccProfile == nil && !isCurveStated && (exif == nil || exif == .uncalibrated)
  }

  /// The primaries that apply if no ICC profile is read.
  package var space: RGBColorSpace { exif == .adobeRGB1998 ? .adobeRGB1998 : .sRGB }
}

/// A color space that Exif data name.
package enum ExifColorSpace: Sendable {
  case sRGB, adobeRGB1998
  /// Another color space, which only an ICC profile could define.
  case uncalibrated

  /// Reads the color space from Exif data or a TIFF file; `nil` if none is named.
  ///
  /// Adobe RGB is an uncalibrated space with the interoperability index R03 (DCF 2.0, optional
  /// color space), or number 2, which some cameras write.
  init?(exif bytes: [UInt8]) {
    func directory(_ tag: Int, of entries: TIFFEntries?) -> TIFFEntries? {
      entries?.whole(tag).flatMap { TIFFEntries(bytes, at: $0) }
    }
    guard let exif = directory(34665, of: TIFFEntries(bytes)) else { return nil }
    let isR03 = directory(40965, of: exif)?.text(1)?.hasPrefix("R03") == true
    switch exif.whole(40961) {
    case 1: self = .sRGB
    case 2: self = .adobeRGB1998
    case 65535: self = isR03 ? .adobeRGB1998 : .uncalibrated
    case nil where isR03: self = .adobeRGB1998
    default: return nil
    }
  }

  /// The transfer function if it is not that of sRGB.
  var transfer: TransferFunction? {
    if case .adobeRGB1998 = self { .gamma(563.0 / 256) } else { nil }
  }
}
