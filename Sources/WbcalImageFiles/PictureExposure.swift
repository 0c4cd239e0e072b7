internal import WbcalSystem

/// The exposure of a picture, as far as its file states it.
package struct PictureExposure: Hashable, Sendable {
  /// The exposure time in seconds.
  package var seconds: Double?
  /// The ISO speed.
  package var iso: Int?
  /// The f-number.
  package var fNumber: Double?
  /// `true` if a flash lit the scene.
  package var usesFlash: Bool?
  /// `true` if the camera has balanced the picture by itself, which shows in developed pictures.
  package var isBalancedByCamera = false
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

  /// The exposure in stops: the binary logarithm of the time times ISO speed divided by 100 and by
  /// the square of the f-number, which is 1 if the lens does not state it.
  package var stops: Double? {
    guard let seconds, let iso else { return nil }
    return log2(seconds * Double(iso) / 100) - 2 * log2(fNumber ?? 1)
  }

  /// The time in seconds since the start of the year 0, from the date.
  package var time: Double? {
    let parts = (date ?? "").split { $0 == ":" || $0 == " " }.compactMap { Int($0) }
    guard parts.count == 6, 1...9999 ~= parts[0], 1...12 ~= parts[1], 1...31 ~= parts[2],
      0...24 ~= parts[3], 0...59 ~= parts[4], 0...60 ~= parts[5]
    else { return nil }
    // Years begin in March, so that leap days are last.
    let isLate = parts[1] > 2
    let year = isLate ? parts[0] : parts[0] - 1
    let month = isLate ? parts[1] - 3 : parts[1] + 9
    let leapDays = year / 4 - year / 100 + year / 400
    let days = 365 * year + leapDays + (153 * month + 2) / 5 + parts[2]
    return 86_400 * Double(days) + Double(3600 * parts[3] + 60 * parts[4] + parts[5])
  }

  /// Reads the exposure from Exif data, a TIFF file, or a raw photograph in one.
  init(exif bytes: [UInt8]) {
    self.init()
    guard let exif = TIFFEntries(bytes)?.whole(34665).flatMap({ TIFFEntries(bytes, at: $0) }) else {
      return
    }
    seconds = exif.numbers(33434).first.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    iso = exif.whole(34855).flatMap { 1...65_535 ~= $0 ? $0 : nil }
    date = exif.text(36867)
    fNumber = exif.numbers(33437).first.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    usesFlash = exif.whole(37385).map { $0 & 1 == 1 }
    isBalancedByCamera = exif.whole(41987) == 0
  }
}
