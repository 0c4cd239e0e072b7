import ColorScience

extension DNGProfile {
  /// Returns the bytes of a camera profile (`.dcp`), little-endian.
  ///
  /// Numbers become fractions of 32-bit integers: decimal fractions of up to nine digits and 99 %
  /// of all others are exact, the rest have an error of at most 5e-10 for numbers under 2
  /// (`DNGProfileTests`). A profile that is read back and written again has the same bytes, except
  /// for tables. Text that is not ASCII is written as UTF-8 of type BYTE, as DNG prescribes.
  ///
  /// - Throws: `DNGProfileError`, which names the field: if there are no or more than three
  ///   calibrations, tables differ in size or are missing for some illuminants, a number is not
  ///   finite, is 2³¹ − 1 or more, or is negative where DNG does not allow it, or text contains a
  ///   zero.
  public func encoded() throws(DNGProfileError) -> [UInt8] {
    guard !calibrations.isEmpty else { throw DNGProfileError(DNGField.colorMatrix1, .missing) }
    var fields = TIFFFieldList()
    try addColors(to: &fields)
    return TIFFDirectory.profileHeader + TIFFFieldList.bytes(UInt32(8)) + fields.encoded(at: 8)
  }

  /// Adds all fields but those of the camera that took a photograph.
  func addColors(to fields: inout TIFFFieldList) throws(DNGProfileError) {
    guard calibrations.count <= 3 else {
      throw DNGProfileError(DNGField.colorMatrix3, .count(calibrations.count))
    }
    try fields.add(DNGField.uniqueCameraModel, text: uniqueCameraModel)
    try fields.add(DNGField.profileName, text: name)
    try fields.add(DNGField.profileCopyright, text: copyright)
    try fields.add(DNGField.cameraCalibrationSignature, text: cameraCalibrationSignature)
    try fields.add(DNGField.profileCalibrationSignature, text: profileCalibrationSignature)
    for (index, calibration) in calibrations.enumerated() {
      try add(calibration, index, to: &fields)
    }
    // A single field holds the size of all tables.
    let sizes = calibrations.map { $0.hueSatMap.map { [$0.hues, $0.saturations, 1] } }
    guard Set(sizes).count <= 1 else {
      throw DNGProfileError(DNGField.profileHueSatMapDims, .count(sizes.count { $0 != nil }))
    }
    if let size = sizes.first ?? nil {
      fields.add(DNGField.profileHueSatMapDims, long: size.map { UInt32($0) })
    }
    if let balance = analogBalance {
      try fields.add(DNGField.analogBalance, positive: [balance.red, balance.green, balance.blue])
    }
    switch asShotWhite {
    case .neutral(let neutral):
      try fields.add(DNGField.asShotNeutral, positive: [neutral.red, neutral.green, neutral.blue])
    case .chromaticity(let light):
      try fields.add(DNGField.asShotWhiteXY, positive: [light.x, light.y])
    case nil: break
    }
  }

  /// Adds the fields for an illuminant.
  private func add(
    _ calibration: CalibratedMatrices, _ index: Int, to fields: inout TIFFFieldList
  ) throws(DNGProfileError) {
    try fields.add(DNGField.colorMatrices[index], calibration.colorMatrix)
    try fields.add(DNGField.forwardMatrices[index], calibration.forwardMatrix)
    try fields.add(DNGField.cameraCalibrations[index], calibration.cameraCalibration)
    if let map = calibration.hueSatMap {
      let numbers = map.changes.flatMap { [$0.hue, $0.saturation, $0.value] }
      fields.add(
        DNGField.hueSatMaps[index], .float,
        numbers.flatMap { TIFFFieldList.bytes($0.bitPattern) })
    }
    let code: UInt16
    switch calibration.illuminant {
    case .lightSource(let source): code = source.rawValue
    case .chromaticity(let light):
      code = 255
      let field = DNGField.illuminantData[index]
      let numbers = try TIFFFieldList.fractions([light.x, light.y], field, least: 0)
      fields.add(field, .undefined, [0, 0] + numbers)
    case nil: return
    }
    fields.add(DNGField.calibrationIlluminants[index], short: [code])
  }
}
