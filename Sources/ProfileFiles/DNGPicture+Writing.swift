import ColorScience
package import WhiteBalance

extension DNGPicture {
  /// Returns the bytes of a DNG file, little-endian and uncompressed: a preview in the first
  /// directory, and the frame's codes in a directory of its own.
  ///
  /// All codes are stored; converters do not show the outermost two pixels of a color filter array,
  /// to which they interpolate colors less well. Codes of 9 to 15 bits are stored in 16. A white
  /// level that is not an integer is rounded up, which clips the same codes. Numbers become
  /// fractions as in `DNGProfile.encoded()`. This package and LibRaw read the same codes, levels,
  /// matrices and white back (`DNGPictureTests`).
  ///
  /// - Throws: `DNGPictureError`.
  public func encoded() throws(DNGPictureError) -> [UInt8] {
    try file().bytes
  }

  /// Returns the file of `encoded()` in pieces.
  ///
  /// - Throws: `DNGPictureError`.
  package func file() throws(DNGPictureError) -> DNGFile {
    try requireValues()
    let preview: ScaledPicture
    do {
      preview = try ScaledPicture(
        frame.bytes.span, layout: frame.layout, width: 256,
        gains: neutral.flatMap(Gains.init(neutralizing:)) ?? Gains(red: 1, blue: 1))
    } catch { throw .frame(error) }
    let (main, exif, raw): (TIFFFieldList, TIFFFieldList, TIFFFieldList)
    do {
      (main, exif) = (try mainFields(preview), try exifFields())
      raw = try rawFields()
    } catch { throw .camera(error) }
    return try file(main, exif, raw, preview.bytes)
  }

  private var neutral: LinearRGB? {
    if case .neutral(let neutral) = camera.asShotWhite { neutral } else { nil }
  }

  /// The number of samples of a pixel: 1 of a color filter array, or red, green and blue.
  private var samples: Int { if case .bayer = frame.layout.format.arrangement { 1 } else { 3 } }

  /// The number of bits in which a code is stored.
  private var bits: UInt16 { Self.bits(of: frame.layout.format) }

  private static func bits(of format: PixelFormat) -> UInt16 { format.bitsPerSample == 8 ? 8 : 16 }

  /// The white level, as an integer.
  private var white: Double { frame.layout.whiteLevel.rounded(.up) }

  /// Throws an error unless frames of a layout can be written.
  package static func require(_ layout: FrameLayout) throws(DNGPictureError) {
    switch layout.format.arrangement {
    case .bayer, .interleaved: break
    case .gray, .subsampled: throw .format(layout.format)
    }
    guard layout.format.isInteger else { throw .format(layout.format) }
    guard layout.transfer == .linear else { throw .nonlinear(layout.transfer) }
    let (black, white) = (layout.blackLevel, layout.whiteLevel.rounded(.up))
    guard black >= 0, white > black, white <= Double(1 << Int(bits(of: layout.format)) - 1)
    else { throw .levels(black: black, white: layout.whiteLevel) }
  }

  private func requireValues() throws(DNGPictureError) {
    try Self.require(frame.layout)
    func require(_ isAllowed: Bool, _ field: some TIFFTag, _ value: Any) throws(DNGPictureError) {
      guard isAllowed else { throw .value(field: field.name, "\(value)") }
    }
    if let neutral { try require(neutral.isPositive, DNGField.asShotNeutral, neutral.vector) }
    if let blackLevels {
      let levels = blackLevels.vector
      try require(
        (0..<3).allSatisfy { 0..<white ~= levels[$0] }, PictureField.blackLevel, levels)
    }
    if let exposureTime {
      try require(exposureTime > 0, PictureField.exposureTime, exposureTime)
    }
    if let iso { try require(1...65_535 ~= iso, PictureField.photographicSensitivity, iso) }
    try require(1...8 ~= orientation, PictureField.orientation, orientation)
    try require([0, 1, 3].contains(noise.count), PictureField.noiseProfile, noise)
    for noise in noise {
      let isFinite = noise.scale.isFinite && noise.offset.isFinite
      try require(
        isFinite && noise.scale > 0 && noise.offset >= 0, PictureField.noiseProfile, noise)
    }
    if let date { try require(Self.isDate(date), PictureField.dateTimeOriginal, date) }
  }

  /// Indicates whether a text has the form of Exif's dates.
  package static func isDate(_ text: String) -> Bool {
    text.utf8.map { 48...57 ~= $0 ? 48 : $0 } == Array("0000:00:00 00:00:00".utf8)
  }

  /// The fields of a picture of 8 or 16 bits in one strip, whose place is not known yet.
  private static func strip(
    width: Int, height: Int, samples: Int, bits: UInt16, size: Int, isPreview: Bool
  ) -> TIFFFieldList {
    var fields = TIFFFieldList()
    fields.add(PictureField.newSubfileType, long: [isPreview ? 1 : 0])
    fields.add(PictureField.imageWidth, long: [UInt32(width)])
    fields.add(PictureField.imageLength, long: [UInt32(height)])
    fields.add(PictureField.bitsPerSample, short: Array(repeating: bits, count: samples))
    fields.add(PictureField.compression, short: [1])
    fields.add(PictureField.stripOffsets, long: [0])
    fields.add(PictureField.samplesPerPixel, short: [UInt16(samples)])
    fields.add(PictureField.rowsPerStrip, long: [UInt32(height)])
    fields.add(PictureField.stripByteCounts, long: [UInt32(truncatingIfNeeded: size)])
    fields.add(PictureField.planarConfiguration, short: [1])
    return fields
  }

  /// The preview and the camera.
  private func mainFields(_ preview: ScaledPicture) throws(DNGProfileError) -> TIFFFieldList {
    guard let model = camera.uniqueCameraModel, !model.isEmpty else {
      throw DNGProfileError(DNGField.uniqueCameraModel, .missing)
    }
    var fields = Self.strip(
      width: preview.width, height: preview.height, samples: 3, bits: 8,
      size: preview.bytes.count, isPreview: true)
    fields.add(PictureField.photometricInterpretation, short: [2])
    fields.add(PictureField.orientation, short: [UInt16(orientation)])
    fields.add(PictureField.subIFDs, long: [0])
    fields.add(PictureField.exifIFD, long: [0])
    fields.add(PictureField.dngVersion, .byte, [1, camera.isBeyondDNG14 ? 6 : 4, 0, 0])
    // Opcodes must be applied, and programs for earlier versions do not know them.
    fields.add(PictureField.dngBackwardVersion, .byte, [1, shading == nil ? 1 : 3, 0, 0])
    try fields.add(DNGField.make, text: camera.make)
    try fields.add(DNGField.model, text: camera.model)
    try fields.add(DNGField.cameraSerialNumber, text: camera.serialNumber)
    try camera.addColors(to: &fields)
    return fields
  }

  private func exifFields() throws(DNGProfileError) -> TIFFFieldList {
    var fields = TIFFFieldList()
    fields.add(PictureField.exifVersion, .undefined, Array("0230".utf8))
    if let exposureTime { try fields.add(PictureField.exposureTime, positive: [exposureTime]) }
    if let iso { fields.add(PictureField.photographicSensitivity, short: [UInt16(iso)]) }
    try fields.add(PictureField.dateTimeOriginal, text: date)
    return fields
  }

  /// The number of pixels at each edge of a color filter array from which converters interpolate
  /// others, and which they do not show.
  private static let margin = 2

  /// The sensor's codes, and their meaning.
  private func rawFields() throws(DNGProfileError) -> TIFFFieldList {
    let layout = frame.layout
    var fields = Self.strip(
      width: layout.width, height: layout.height, samples: samples, bits: bits,
      size: layout.codeByteCount, isPreview: false)
    // The channel of each sample.
    var channels = Array(0..<samples)
    if case .bayer(let pattern) = layout.format.arrangement {
      fields.add(PictureField.photometricInterpretation, short: [32_803])
      fields.add(PictureField.cfaRepeatPatternDim, short: [2, 2])
      channels = [1, 1, 1, 1]
      let red = 2 * pattern.redPosition.row + pattern.redPosition.column
      (channels[red], channels[3 - red]) = (0, 2)
      fields.add(PictureField.cfaPattern, .byte, channels.map { UInt8($0) })
      if blackLevels != nil { fields.add(PictureField.blackLevelRepeatDim, short: [2, 2]) }
      let (width, height) = (layout.width - 2 * Self.margin, layout.height - 2 * Self.margin)
      if min(width, height) > 0 {
        fields.add(
          PictureField.defaultCropOrigin, long: [UInt32(Self.margin), UInt32(Self.margin)])
        fields.add(PictureField.defaultCropSize, long: [UInt32(width), UInt32(height)])
      }
    } else {
      fields.add(PictureField.photometricInterpretation, short: [34_892])
    }
    try fields.add(
      PictureField.blackLevel,
      positive: blackLevels.map { levels in channels.map { levels.vector[$0] } }
        ?? Array(repeating: layout.blackLevel, count: samples))
    fields.add(
      PictureField.whiteLevel, long: Array(repeating: UInt32(white), count: samples))
    if let shading {
      fields.add(PictureField.opcodeList2, .undefined, shading.opcodes(for: layout))
    }
    if !noise.isEmpty {
      fields.add(
        PictureField.noiseProfile, .double,
        noise.flatMap { [$0.scale, $0.offset] }.flatMap { TIFFFieldList.bytes($0.bitPattern) })
    }
    return fields
  }

  /// Returns the file of its directories and pictures.
  private func file(
    _ main: TIFFFieldList, _ exif: TIFFFieldList, _ raw: TIFFFieldList, _ preview: [UInt8]
  ) throws(DNGPictureError) -> DNGFile {
    // The sizes of the directories do not depend on the offsets in them.
    let exifPlace = 8 + main.size
    let rawPlace = exifPlace + exif.size
    var main = main
    main.add(PictureField.exifIFD, long: [UInt32(exifPlace)])
    main.add(PictureField.subIFDs, long: [UInt32(rawPlace)])
    main.add(PictureField.stripOffsets, long: [UInt32(rawPlace + raw.size)])
    var head: [UInt8] = [0x49, 0x49, 42, 0] + TIFFFieldList.bytes(UInt32(8))
    head += main.encoded(at: 8) + exif.encoded(at: exifPlace)
    head += raw.encoded(at: rawPlace) + preview
    let places: [Int]
    do { places = try frame.codePlaces() } catch { throw .frame(error) }
    let file = DNGFile(
      head: head, frame: frame, codePlaces: places,
      offsetPlace: rawPlace + raw.valuePlace(of: PictureField.stripOffsets))
    guard file.count <= Int(UInt32.max) else { throw .tooLarge(bytes: file.count) }
    return file
  }
}

/// A DNG file whose codes come last, after all metadata; they are not copied before they are
/// written.
package struct DNGFile {
  /// The directories, the preview and the metadata.
  package var head: [UInt8]
  private let frame: Frame
  private let codePlaces: [Int]
  /// The place in the head of the codes' offset.
  private let offsetPlace: Int

  fileprivate init(head: [UInt8], frame: Frame, codePlaces: [Int], offsetPlace: Int) {
    (self.head, self.frame) = (head, frame)
    (self.codePlaces, self.offsetPlace) = (codePlaces, offsetPlace)
  }

  /// The codes' offset in the file, which is even.
  private var codesPlace: Int { (head.count + 1) & ~1 }

  /// The number of bytes of the file.
  package var count: Int { codesPlace + frame.layout.codeByteCount }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    forEachPiece { piece in
      bytes += piece
      return true
    }
    return bytes
  }

  /// Passes the bytes of the file to a closure, piece by piece, while it returns `true`.
  package func forEachPiece(_ body: ([UInt8]) -> Bool) {
    var piece = head
    piece.replaceSubrange(
      offsetPlace..<offsetPlace + 4, with: TIFFFieldList.bytes(UInt32(codesPlace)))
    piece += repeatElement(0, count: codesPlace - head.count)
    guard body(piece) else { return }
    let height = frame.layout.height
    let rows = max(1, height * Self.pieceSize / frame.layout.codeByteCount)
    for first in stride(from: 0, to: height, by: rows) {
      piece.removeAll(keepingCapacity: true)
      frame.appendCodes(
        ofRows: first..<min(first + rows, height), at: codePlaces, to: &piece)
      guard body(piece) else { return }
    }
  }

  /// The approximate number of bytes of a piece, which stays in the processor's cache.
  private static let pieceSize = 1 << 18
}

extension DNGProfile {
  /// `true` if there are fields that only DNG 1.6 and later define.
  fileprivate var isBeyondDNG14: Bool {
    calibrations.count > 2
      || calibrations.contains {
        if case .chromaticity = $0.illuminant { true } else { false }
      }
  }
}
