package import ColorScience

/// What a picture file says of its colors.
package struct ColorStatement: Sendable {
  /// The embedded ICC profile, not checked.
  package var iccProfile: [UInt8]?
  /// The color space that Exif data name.
  package var exif: ExifColorSpace?
  /// Whether the format says by other means how its numbers are coded, as the chunks of a PNG file
  /// do, or leaves no choice.
  package var isCurveStated: Bool

  package init(
    iccProfile: [UInt8]? = nil, exif: ExifColorSpace? = nil, isCurveStated: Bool = false
  ) {
    self.iccProfile = iccProfile
    self.exif = exif
    self.isCurveStated = isCurveStated
  }

  /// Whether nothing says how the numbers are coded, so that they are taken for those of sRGB.
  package var isCurveAssumed: Bool {
    iccProfile == nil && !isCurveStated && (exif == nil || exif == .uncalibrated)
  }

  /// The primaries that hold where no ICC profile is read.
  package var space: RGBColorSpace { exif == .adobeRGB1998 ? .adobeRGB1998 : .sRGB }
}

/// A color space as Exif data name it.
package enum ExifColorSpace: Sendable {
  case sRGB, adobeRGB1998
  /// Another, which only an ICC profile could tell.
  case uncalibrated

  /// The space in Exif data or in a TIFF file; `nil` where none is named.
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

  /// The function by which numbers are coded, if it is another than that of sRGB.
  var transfer: TransferFunction? {
    if case .adobeRGB1998 = self { .gamma(563.0 / 256) } else { nil }
  }
}
