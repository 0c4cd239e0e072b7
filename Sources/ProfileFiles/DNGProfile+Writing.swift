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
    var fields: [(field: DNGField, type: TIFFType, bytes: [UInt8])] = []
    func add(_ field: DNGField, text: String?) throws(DNGProfileError) {
      guard let text else { return }
      let bytes = Array(text.utf8)
      guard !bytes.contains(0) else { throw DNGProfileError(field, .zeroInText) }
      fields.append((field, bytes.allSatisfy { $0 < 128 } ? .ascii : .byte, bytes + [0]))
    }
    func add(_ field: DNGField, _ matrix: Matrix3x3?) throws(DNGProfileError) {
      guard let matrix else { return }
      fields.append((field, .signedRational, try Self.fractions(matrix.elements, field)))
    }
    func add(_ field: DNGField, positive numbers: [Double]) throws(DNGProfileError) {
      fields.append((field, .rational, try Self.fractions(numbers, field, least: 0)))
    }

    guard !calibrations.isEmpty else { throw DNGProfileError(.colorMatrix1, .missing) }
    guard calibrations.count <= 3 else {
      throw DNGProfileError(.colorMatrix3, .count(calibrations.count))
    }
    try add(.uniqueCameraModel, text: uniqueCameraModel)
    try add(.profileName, text: name)
    try add(.profileCopyright, text: copyright)
    try add(.cameraCalibrationSignature, text: cameraCalibrationSignature)
    try add(.profileCalibrationSignature, text: profileCalibrationSignature)
    for (index, calibration) in calibrations.enumerated() {
      try add(DNGField.colorMatrices[index], calibration.colorMatrix)
      try add(DNGField.forwardMatrices[index], calibration.forwardMatrix)
      try add(DNGField.cameraCalibrations[index], calibration.cameraCalibration)
      if let map = calibration.hueSatMap {
        let numbers = map.changes.flatMap { [$0.hue, $0.saturation, $0.value] }
        fields.append(
          (DNGField.hueSatMaps[index], .float, numbers.flatMap { Self.bytes($0.bitPattern) }))
      }
      let code: UInt16
      switch calibration.illuminant {
      case .lightSource(let source): code = source.rawValue
      case .chromaticity(let light):
        code = 255
        let field = DNGField.illuminantData[index]
        let numbers = try Self.fractions([light.x, light.y], field, least: 0)
        fields.append((field, .undefined, [0, 0] + numbers))
      case nil: continue
      }
      fields.append((DNGField.calibrationIlluminants[index], .short, Self.bytes(code)))
    }
    // A single field holds the size of all tables.
    let sizes = calibrations.map { $0.hueSatMap.map { [$0.hues, $0.saturations, 1] } }
    guard Set(sizes).count == 1 else {
      throw DNGProfileError(.profileHueSatMapDims, .count(sizes.count { $0 != nil }))
    }
    if let size = sizes[0] {
      fields.append((.profileHueSatMapDims, .long, size.flatMap { Self.bytes(UInt32($0)) }))
    }
    if let balance = analogBalance {
      try add(.analogBalance, positive: [balance.red, balance.green, balance.blue])
    }
    switch asShotWhite {
    case .neutral(let neutral):
      try add(.asShotNeutral, positive: [neutral.red, neutral.green, neutral.blue])
    case .chromaticity(let light): try add(.asShotWhiteXY, positive: [light.x, light.y])
    case nil: break
    }
    return Self.file(of: fields.sorted { $0.field.rawValue < $1.field.rawValue })
  }

  /// Returns the header, the directory, and the values that do not fit into the directory.
  private static func file(
    of fields: [(field: DNGField, type: TIFFType, bytes: [UInt8])]
  ) -> [UInt8] {
    var directory = TIFFDirectory.profileHeader + bytes(UInt32(8)) + bytes(UInt16(fields.count))
    var values: [UInt8] = []
    let end = directory.count + 12 * fields.count + 4
    for (field, type, bytes) in fields {
      directory += Self.bytes(field.rawValue) + Self.bytes(type.rawValue)
      directory += Self.bytes(UInt32(bytes.count / type.size))
      if bytes.count <= 4 {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        directory += Self.bytes(UInt32(end + values.count))
        // TIFF requires values to begin at even offsets.
        values += bytes.count.isMultiple(of: 2) ? bytes : bytes + [0]
      }
    }
    return directory + bytes(UInt32(0)) + values
  }

  private static func fractions(
    _ numbers: [Double], _ field: DNGField, least: Double = -.infinity
  ) throws(DNGProfileError) -> [UInt8] {
    var result: [UInt8] = []
    for number in numbers {
      guard number >= least, let fraction = Fraction(number) else {
        throw DNGProfileError(field, .notRepresentable(number))
      }
      result += bytes(UInt32(bitPattern: fraction.numerator))
      result += bytes(UInt32(bitPattern: fraction.denominator))
    }
    return result
  }

  private static func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
