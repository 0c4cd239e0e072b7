public import WhiteBalance

extension CameraProfile {
  /// Adds a flat field, in place of one for the same pictures and position of the lens.
  public mutating func setFlatField(_ field: FlatField) {
    flatFields.removeAll { $0.isForSamePictures(as: field) }
    flatFields.append(field)
  }

  /// Returns the flat field for pictures of a size; `nil` if there is none.
  ///
  /// A field with another encoding, such as one of raw photographs for developed pictures, is not
  /// used. A field without an encoding is for all, and so are pictures without one.
  ///
  /// - Parameters:
  ///   - width: the number of pixels in a row.
  ///   - height: the number of rows.
  ///   - encoding: the meaning of the pictures' values; `nil` if it is not known.
  ///   - lensPosition: the position of the lens. If it is known, a field for another position is
  ///     not used; if not, a field is used only if there is a single one.
  public func flatField(
    width: Int, height: Int, encoding: PictureOrigin.Encoding? = nil, lensPosition: Int? = nil
  ) -> FlatField? {
    let fields = flatFields.filter { field in
      field.width == width && field.height == height
        && (field.encoding == nil || encoding == nil || field.encoding == encoding)
    }
    guard let lensPosition else { return fields.count == 1 ? fields[0] : nil }
    return fields.first { $0.lensPosition == lensPosition }
      ?? fields.first { $0.lensPosition == nil }
  }

  /// The flat field of the largest pictures that may be raw, which show the whole sensor if any do;
  /// `nil` if there is none, or there are several, for different positions of the lens.
  public var sensorFlatField: FlatField? {
    flatFields.filter { $0.encoding == nil || $0.encoding == .raw }
      .max { $0.width * $0.height < $1.width * $1.height }
      .flatMap { flatField(width: $0.width, height: $0.height, encoding: .raw) }
  }
}

extension FlatField {
  /// Indicates whether two fields are for the same pictures and position of the lens.
  fileprivate func isForSamePictures(as other: FlatField) -> Bool {
    width == other.width && height == other.height && encoding == other.encoding
      && lensPosition == other.lensPosition
  }
}
