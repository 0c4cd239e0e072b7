import WhiteBalance

extension PictureOrigin {
  /// Reads the camera that a TIFF file, a raw photograph in one, or Exif data name.
  init(exif bytes: [UInt8]) {
    guard let first = TIFFEntries(bytes) else {
      self.init()
      return
    }
    let exif = first.whole(34665).flatMap { TIFFEntries(bytes, at: $0) }
    self.init(
      make: first.text(271), model: first.text(272), uniqueModel: first.text(50708),
      serial: first.text(50735) ?? exif?.text(42033))
  }
}
