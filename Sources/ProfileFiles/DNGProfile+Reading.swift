import ColorScience

extension DNGProfile {
  /// Returns the names of the fields in a file that give surfaces their look, such as
  /// `ForwardMatrix1` and the tables. A camera model of the file's ColorMatrix ignores them.
  ///
  /// - Throws: `DNGProfileError` if the bytes are neither a DNG file nor a camera profile.
  public static func lookFields(in bytes: [UInt8]) throws(DNGProfileError) -> [String] {
    let directory = try TIFFDirectory(bytes)
    return DNGField.looks.filter(directory.has).map(\.name)
  }

  /// Reads the profile from the bytes of a DNG file (its first directory) or of a camera profile
  /// (`.dcp`), in either byte order.
  ///
  /// The matrices are read as they are, even if they do not make a camera model. AsShotNeutral
  /// takes precedence over AsShotWhiteXY. Bytes of text that are not UTF-8 are replaced.
  ///
  /// - Throws: `DNGProfileError`, which names the field and its offset: if the bytes are neither
  ///   kind of file, end before a field does, have no ColorMatrix1 or one that is not of three
  ///   colors, have values of a wrong type or count or a denominator of zero, or name an illuminant
  ///   that is neither one of `LightSource` nor given by x and y.
  public init(_ bytes: [UInt8]) throws(DNGProfileError) {
    let directory = try TIFFDirectory(bytes)
    func text(_ field: DNGField) throws(DNGProfileError) -> String? {
      try directory.values(of: field, [.ascii, .byte])?.text
    }
    func matrix(_ field: DNGField) throws(DNGProfileError) -> Matrix3x3? {
      let numbers = try directory.values(of: field, [.signedRational], count: 9)?.numbers()
      return numbers.map(Matrix3x3.init(elements:))
    }
    func color(_ field: DNGField, _ types: [TIFFType]) throws(DNGProfileError) -> LinearRGB? {
      guard let n = try directory.values(of: field, types, count: 3)?.numbers() else { return nil }
      return LinearRGB(red: n[0], green: n[1], blue: n[2])
    }

    var calibrations: [CalibratedMatrices] = []
    for index in 0..<3 {
      let field = DNGField.colorMatrices[index]
      guard let colorMatrix = try matrix(field) else { continue }
      guard index == calibrations.count else {
        throw DNGProfileError(
          DNGField.colorMatrices[calibrations.count], at: directory.offset, .missing)
      }
      calibrations.append(
        CalibratedMatrices(
          illuminant: try Self.illuminant(index, in: directory), colorMatrix: colorMatrix,
          forwardMatrix: try matrix(DNGField.forwardMatrices[index]),
          cameraCalibration: try matrix(DNGField.cameraCalibrations[index])))
    }
    guard !calibrations.isEmpty else {
      throw DNGProfileError(DNGField.colorMatrix1, at: directory.offset, .missing)
    }
    var white = try color(.asShotNeutral, [.rational, .short]).map(White.neutral)
    if let n = try directory.values(of: .asShotWhiteXY, [.rational], count: 2)?.numbers() {
      white = white ?? .chromaticity(Chromaticity(x: n[0], y: n[1]))
    }
    self.init(
      uniqueCameraModel: try text(.uniqueCameraModel), name: try text(.profileName),
      copyright: try text(.profileCopyright), calibrations: calibrations,
      analogBalance: try color(.analogBalance, [.rational]), asShotWhite: white)
    make = try? text(.make)
    model = try? text(.model)
    serialNumber = try? text(.cameraSerialNumber)
    cameraCalibrationSignature = try text(.cameraCalibrationSignature)
    profileCalibrationSignature = try text(.profileCalibrationSignature)
  }

  private static func illuminant(
    _ index: Int, in directory: TIFFDirectory
  ) throws(DNGProfileError) -> CalibrationIlluminant? {
    let field = DNGField.calibrationIlluminants[index]
    guard let value = try directory.values(of: field, [.short], count: 1) else { return nil }
    let code = UInt16(try value.number(at: 0, .short))
    if code == 0 { return nil }
    if let source = LightSource(rawValue: code) { return .lightSource(source) }
    guard code == 255 else {
      throw DNGProfileError(field, at: value.range.lowerBound, .unknownIlluminant(code))
    }
    let dataField = DNGField.illuminantData[index]
    guard let data = try directory.values(of: dataField, [.undefined]) else {
      throw DNGProfileError(dataField, at: directory.offset, .missing)
    }
    func fail(_ defect: DNGProfileError.Defect) -> DNGProfileError {
      DNGProfileError(dataField, at: data.range.lowerBound, defect)
    }
    guard data.range.count >= 2 else { throw fail(.count(data.range.count)) }
    let kind = UInt16(try data.number(at: 0, .short))
    guard kind == 0 else { throw fail(.illuminantData(kind)) }
    guard data.range.count == 18 else { throw fail(.count(data.range.count)) }
    return .chromaticity(
      Chromaticity(x: try data.number(at: 2, .rational), y: try data.number(at: 10, .rational)))
  }
}
