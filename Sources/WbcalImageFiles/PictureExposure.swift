/// The exposure of a picture, as far as its file states it.
package struct PictureExposure: Hashable, Sendable {
  /// The exposure time in seconds.
  package var seconds: Double?
  /// The ISO speed.
  package var iso: Int?
  /// The local time as in Exif, such as `2026:03:21 12:00:00`.
  package var date: String?
  /// The noise of the frame's samples, of all channels or of each, as in DNG's NoiseProfile: pairs
  /// of the variance per signal and the variance of black. Empty if it is not stated.
  package var noise: [Double]

  package init(
    seconds: Double? = nil, iso: Int? = nil, date: String? = nil, noise: [Double] = []
  ) {
    self.seconds = seconds
    self.iso = iso
    self.date = date
    self.noise = noise
  }

  /// Reads the exposure from a TIFF file, or a raw photograph in one.
  init(exif bytes: [UInt8]) {
    self.init()
    guard let exif = TIFFEntries(bytes)?.whole(34665).flatMap({ TIFFEntries(bytes, at: $0) }) else {
      return
    }
    seconds = exif.numbers(33434).first.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    iso = exif.whole(34855).flatMap { 1...65_535 ~= $0 ? $0 : nil }
    date = exif.text(36867)
  }
}
