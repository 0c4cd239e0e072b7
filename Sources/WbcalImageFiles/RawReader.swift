#if RawPhotographs
import CWbcalLibRaw
import WhiteBalance

/// Reads raw photographs with LibRaw: the sensor's samples as recorded, without interpolation,
/// white balance or black subtraction.
///
/// The frame is the visible area without masked borders. It has one black level: if the file gives
/// each color its own, the samples of colors with a lower black are raised to the highest one. The
/// white level is the file's. Clipped samples stay clipped, and a sample that is raised to the
/// white level counts as clipped too. A DNG file's gain maps are applied.
///
/// A frame with a filter array other than a Bayer array, or from a DNG file whose pixels have all
/// colors, is converted to red, green and blue (`RawColors`).
struct RawReader {
  static let isAvailable = true

  private var bytes: [UInt8]
  private let directories: TIFFDirectories

  /// Creates a reader for the bytes of a file; throws if LibRaw must not read them.
  init(_ bytes: [UInt8]) throws(ImageFileProblem) {
    self.bytes = bytes
    directories = TIFFDirectories(bytes)
    try directories.check()
    directories.xTrans?.hide(in: &self.bytes)
    let mayHave36Colors = unsafe self.bytes.withUnsafeBufferPointer {
      unsafe clibraw_may_have_36_colors($0.baseAddress, $0.count) != 0
    }
    guard !mayHave36Colors else { throw .unsupported(.raw, "its sensor may be an X-Trans") }
  }

  /// Indicates whether LibRaw recognizes the file as a raw photograph.
  var isRecognized: Bool {
    unsafe bytes.withUnsafeBufferPointer {
      (try? unsafe RawPhotograph($0).requireRecognized()) != nil
    }
  }

  func cameraColors() throws(ImageFileProblem) -> CameraColors {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      let photograph = try unsafe RawPhotograph(buffer)
      try photograph.requireRecognized()
      return photograph.cameraColors
    }
  }

  /// Returns the result of `body` for the samples and the camera. There may be gaps between rows.
  func withPixels<Result>(
    _ body: (Span<UInt8>, FrameLayout, PictureOrigin) -> Result
  ) throws(ImageFileProblem) -> Result {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      let photograph = try unsafe RawPhotograph(buffer)
      try photograph.requireRecognized()
      let directory = directories.raws.first { $0.size == photograph.size }
      var colors = try photograph.colors(isLinear: directory?.isColor == true)
      if let filter = directories.xTrans { colors = .xTrans(filter.colors) }
      try photograph.unpack()
      var origin = PictureOrigin(exif: bytes)
      if origin == PictureOrigin() { origin = photograph.origin }
      origin.encoding = .raw
      origin.hasGainMap = directory?.hasGainMap == true
      let isXTrans = if case .xTrans = colors { true } else { false }
      let levels = try photograph.blackLevels(colorsRepeatAfter: isXTrans ? 6 : 2)
      try requireLevels(levels, of: directory, isXTrans: isXTrans)
      let (width, height) = photograph.visibleSize
      let (samples, stride, step) = try unsafe photograph.visibleSamples()
      guard case .bayer(let pattern) = colors else {
        let picture = try unsafe RawColors(
          photograph, colors: colors, samples: samples, stride: stride, step: step,
          directory: directory, blacks: levels)
        return picture.withPixels { body($0, $1, origin) }
      }
      guard step == 1 else {
        throw .unsupported(.raw, "it does not store one integer per pixel")
      }
      let isFine = directory?.needsFineCodes == true
      // LibRaw rounds a level that is not an integer.
      var exact = levels.areEqual ? directory?.levels?.first : nil
      if let black = exact?.black, abs(black - Double(levels.highest)) > 1 { exact = nil }
      let layout: FrameLayout
      do {
        layout = try FrameLayout(
          width: width, height: height, bytesPerRow: 2 * stride,
          format: .bayer(pattern, bits: 16),
          blackLevel: isFine ? Self.codes.black : exact?.black ?? Double(levels.highest),
          whiteLevel: isFine ? Self.codes.white : photograph.whiteLevel)
      } catch { throw .corrupt(.raw, "\(error)") }
      let own =
        isFine
        ? try Self.pixelLevels(of: directory, width: width, height: height) : nil
      for row in 0..<height {
        let line = unsafe UnsafeMutableBufferPointer(
          rebasing: samples[row * stride..<row * stride + width])
        unsafe Self.level(line, row: row, own: own, common: levels)
      }
      for opcode in directory?.opcodes ?? [] where opcode.planes.contains(0) {
        unsafe Self.apply(opcode, plane: 0, to: samples, stride: stride, step: 1, layout: layout)
      }
      return unsafe UnsafeRawBufferPointer(samples).withMemoryRebound(to: UInt8.self) {
        unsafe body($0.span, layout, origin)
      }
    }
  }

  /// Moves the samples of a row to common levels, from those of each pixel where they are known.
  private static func level(
    _ line: UnsafeMutableBufferPointer<UInt16>, row: Int, own: RawLevels?, common: RawBlackLevels
  ) {
    if let own {
      for column in line.indices {
        unsafe line[column] = code(
          Double(line[column]), own.levels(row: row, column: column, sample: 0))
      }
    } else if !common.areEqual {
      unsafe common.level(line, row: row)
    }
  }

  /// Rejects levels and opcodes whose positions LibRaw does not report correctly.
  private func requireLevels(
    _ levels: RawBlackLevels, of directory: RawDirectory?, isXTrans: Bool
  ) throws(ImageFileProblem) {
    // For an odd origin LibRaw 0.20 crops one more row or column and does not move the levels.
    if directories.hasOddOrigin {
      func refuse(_ what: String) -> ImageFileProblem {
        .unsupported(.raw, "\(what) and its active area starts at an odd row or column")
      }
      if !levels.areEqual { throw refuse("its black levels differ") }
      if directory?.opcodes.isEmpty == false { throw refuse("it has gain maps or other opcodes") }
      if directory?.pixelLevels?.vary == true { throw refuse("its black level varies") }
      if directories.xTrans != nil { throw refuse("its sensor is an X-Trans") }
    }
    if isXTrans, directory?.needsFineCodes == true {
      throw .unsupported(.raw, "its sensor is an X-Trans, and its levels or opcodes vary")
    }
  }

  /// The codes of black and white if opcodes change samples, or levels differ.
  static let codes = (black: 2000.0, white: 62_000.0)

  /// Returns the code of a sample between two levels, rounded; of high values only some above white
  /// are clipped.
  static func code(_ value: Double, _ levels: (black: Double, white: Double)) -> UInt16 {
    let light = (value - levels.black) / (levels.white - levels.black)
    let code = codes.black + light * (codes.white - codes.black)
    return code.isFinite ? UInt16(min(max(code.rounded(), 0), 65_535)) : 65_535
  }

  /// Returns the levels of every pixel of a picture.
  static func pixelLevels(
    of directory: RawDirectory?, width: Int, height: Int
  ) throws(ImageFileProblem) -> RawLevels {
    guard let levels = directory?.pixelLevels, levels.fit(width: width, height: height) else {
      throw .corrupt(.raw, "its black levels do not fit its size or each other")
    }
    return levels
  }

  /// Applies an opcode to samples; clipped samples stay clipped.
  static func apply(
    _ opcode: RawOpcode, plane: Int, to samples: UnsafeMutableBufferPointer<UInt16>, stride: Int,
    step: Int, layout: FrameLayout
  ) {
    switch opcode {
    case .gains(let map):
      unsafe apply(map, plane: plane, to: samples, stride: stride, step: step, layout: layout)
    case .change(let change):
      let (black, white) = (layout.blackLevel, layout.whiteLevel)
      change.forEachPixel(width: layout.width, height: layout.height) { row, column, i, j in
        let index = row * stride + column * step + plane
        let sample = unsafe Double(samples[index])
        guard sample < white else { return }
        let light = change.changed((sample - black) / (white - black), row: i, column: j)
        unsafe samples[index] = code(light, (0, 1))
      }
    }
  }

  /// Multiplies the difference of samples from black.
  private static func apply(
    _ map: GainMap, plane: Int, to samples: UnsafeMutableBufferPointer<UInt16>, stride: Int,
    step: Int, layout: FrameLayout
  ) {
    let (black, white) = (Float(layout.blackLevel), Float(layout.whiteLevel))
    let (width, height) = (layout.width, layout.height)
    map.forEachRow(width: width, height: height, plane: plane) { row, columns, gains in
      for (column, gain) in zip(columns, gains) {
        let index = row * stride + column * step + plane
        let sample = unsafe Float(samples[index])
        guard sample < white else { continue }
        let code = (sample - black) * gain + black
        unsafe samples[index] = UInt16(min(max(code, 0), 65_535) + 0.5)
      }
    }
  }
}

/// Black levels that repeat over the visible area.
struct RawBlackLevels {
  let rows: Int
  let columns: Int
  let values: [Int]
  let highest: Int

  var areEqual: Bool { values.allSatisfy { $0 == highest } }

  /// Raises the samples of a row such that the highest level is their black.
  func level(_ samples: UnsafeMutableBufferPointer<UInt16>, row: Int) {
    for first in 0..<min(columns, samples.count) {
      let raise = highest - values[row % rows * columns + first]
      for column in stride(from: first, to: samples.count, by: columns) {
        unsafe samples[column] = unsafe UInt16(clamping: Int(samples[column]) + raise)
      }
    }
  }
}
#else
import WhiteBalance

/// A replacement for `RawReader` in a build without LibRaw: every raw photograph causes an error
/// that states so.
struct RawReader {
  static let isAvailable = false
  let isRecognized = false

  init(_ bytes: [UInt8]) throws(ImageFileProblem) {
    throw .unsupported(.raw, "this build was made without LibRaw")
  }

  func cameraColors() throws(ImageFileProblem) -> CameraColors {
    throw .unsupported(.raw, "this build was made without LibRaw")
  }

  func withPixels<Result>(
    _ body: (Span<UInt8>, FrameLayout, PictureOrigin) -> Result
  ) throws(ImageFileProblem) -> Result {
    throw .unsupported(.raw, "this build was made without LibRaw")
  }
}
#endif
