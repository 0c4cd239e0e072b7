import ColorScience
import Foundation
import ProfileFiles
import Testing
import WbcalImageFiles
import WhiteBalance

struct DNGPictureTests {
  /// A picture with all fields. Its codes differ from pixel to pixel and reach the largest.
  static func full(_ format: PixelFormat, width: Int = 32, height: Int = 24) throws -> DNGPicture {
    let gap = 6
    let plain = try FrameLayout(width: width, height: height, format: format)
    let layout = try FrameLayout(
      width: width, height: height, bytesPerRow: plain.bytesPerRow + gap, format: format,
      blackLevel: 17, whiteLevel: Double(format.maximumValue) - 3)
    // Random bits also fill those above a code.
    var state: UInt32 = 1
    let bytes = (0..<layout.byteCount).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    var camera = DNGProfile(
      uniqueCameraModel: "Desk camera", name: "desk.json",
      calibrations: [
        .init(
          illuminant: .lightSource(.standardLightA), colorMatrix: DNGProfileTests.underA,
          forwardMatrix: Matrix3x3(
            SIMD3(0.8, 0.15, 0.0142), SIMD3(0.3, 0.8, -0.1), SIMD3(0.01, -0.1, 0.9149))),
        .init(illuminant: .lightSource(.d65), colorMatrix: DNGProfileTests.underD65),
      ], analogBalance: LinearRGB(red: 1, green: 1.25, blue: 1),
      asShotWhite: .neutral(LinearRGB(red: 0.5, green: 1, blue: 0.75)))
    (camera.make, camera.model, camera.serialNumber) = ("Maker", "Desk", "S-1")
    var picture = DNGPicture(try Frame(layout: layout, bytes: bytes), camera: camera)
    picture.exposureTime = 1 / 50.0
    picture.iso = 200
    picture.noise = [.init(scale: 2e-4, offset: 1e-7)]
    picture.orientation = 6
    picture.date = "2026:03:21 12:00:00"
    return picture
  }

  static let formats: [PixelFormat] =
    BayerPattern.allCases.flatMap { pattern in [8, 10, 12, 16].map { .bayer(pattern, bits: $0) } }
    + [.packedBayer(.grbg, bits: 10), .packedBayer(.bggr, bits: 12), .packedBayer(.rggb, bits: 14)]
    + [.rgb16, .bgra16]

  /// The codes of a frame, read from its bytes by the definition of its format.
  private static func codes(of frame: Frame) -> [UInt16] {
    let layout = frame.layout
    func row(_ start: Int) -> [Int] {
      let bytes = frame.bytes[start...].prefix(layout.bytesPerRow).map { Int($0) }
      switch layout.format.sample {
      case .unsigned(bits: 8): return bytes
      case .packed(let bits):
        // The upper bits of some samples, then the lower bits of all, those of the first lowest.
        let (samples, rest) = (bits == 12 ? 2 : 4, bits - 8)
        let length = samples * bits / 8
        return (0..<layout.width).map { pixel in
          let group = Array(bytes[pixel / samples * length..<(pixel / samples + 1) * length])
          let low = group[samples...].reversed().reduce(0) { $0 << 8 | $1 }
          return group[pixel % samples] << rest | low >> (rest * (pixel % samples)) % (1 << rest)
        }
      default:
        return (0..<bytes.count / 2).map {
          (bytes[2 * $0] | bytes[2 * $0 + 1] << 8) % (layout.format.maximumValue + 1)
        }
      }
    }
    return (0..<layout.height).flatMap { y -> [UInt16] in
      let samples = row(y * layout.bytesPerRow)
      return (0..<layout.width).flatMap { x -> [UInt16] in
        guard case .interleaved(let red, let green, let blue, let count) = layout.format.arrangement
        else { return [UInt16(samples[x])] }
        return [red, green, blue].map { UInt16(samples[count * x + $0]) }
      }
    }
  }

  #if RawPhotographs
  /// The gains of a flat field, as this package's reader of raw photographs applies them.
  @Test(arguments: [PixelFormat.bayer(.rggb, bits: 16), .bayer(.gbrg, bits: 12), .rgb16])
  func shadingIsReadBack(format: PixelFormat) throws {
    var picture = try Self.full(format)
    let mesh = try #require(
      GainMesh(
        columns: 3, rows: 2, red: [1, 1.5, 2, 1.25, 1, 0.75],
        green: [1, 1.1, 1.2, 1.3, 1.4, 1.5], blue: [2, 1, 1, 1, 1, 2]))
    picture.shading = mesh
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).dng")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(try picture.encoded()).write(to: file)
    var reader = ImageFileReader()
    let read = Self.codes(of: try reader.picture(path: file.path()).frame)
    let stored = Self.codes(of: picture.frame)
    let samples = stored.count / (32 * 24)
    let white = Int(picture.frame.layout.whiteLevel)
    for (index, code) in stored.enumerated() {
      let (x, y) = (index / samples % 32, index / samples / 32)
      var channel = index % samples
      if case .bayer(let pattern) = format.arrangement {
        let red = pattern.redPosition
        channel = (x % 2 == red.column ? 0 : 1) + (y % 2 == red.row ? 0 : 1)
      }
      let gain = mesh.gains(x: (Double(x) + 0.5) / 32, y: (Double(y) + 0.5) / 24)
      let exact = 17 + (Double(code) - 17) * gain.vector[channel]
      if Int(code) >= white {
        #expect(read[index] == code)
      } else {
        #expect(abs(Double(read[index]) - max(0, min(exact, 65_535))) <= 0.51, "\(x), \(y)")
      }
    }
  }

  @Test(arguments: formats) func isReadBackExactly(format: PixelFormat) throws {
    let picture = try Self.full(format)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).dng")
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = try picture.encoded()
    try Data(bytes).write(to: file)
    var reader = ImageFileReader()
    let read = try reader.picture(path: file.path())
    #expect(read.format == .raw && read.orientation == 6)
    let layout = read.frame.layout
    #expect(layout.width == 32 && layout.height == 24 && layout.transfer == .linear)
    #expect(layout.blackLevel == 17)
    #expect(layout.whiteLevel == picture.frame.layout.whiteLevel)
    if case .bayer(let pattern) = format.arrangement {
      #expect(layout.format == .bayer(pattern, bits: 16))
    } else {
      #expect(layout.format == .rgb16)
    }
    #expect(Self.codes(of: read.frame) == Self.codes(of: picture.frame))
    #expect(
      read.origin
        == PictureOrigin(
          make: "Maker", model: "Desk", uniqueModel: "Desk camera", serial: "S-1", encoding: .raw))
    #expect(try DNGProfile(bytes) == picture.camera)
  }

  /// The codes of files of several pieces, behind metadata of an odd number of bytes.
  @Test(arguments: [PixelFormat.bayer(.gbrg, bits: 12), .packedBayer(.rggb, bits: 14), .rgb16])
  func largeFilesAreReadBack(format: PixelFormat) throws {
    let picture = try Self.full(format, width: 700, height: 401)
    var content = try picture.file()
    content.head += [UInt8](repeating: 1, count: content.head.count.isMultiple(of: 2) ? 3 : 2)
    let bytes = content.bytes
    #expect(bytes.count == content.count)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).dng")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    var reader = ImageFileReader()
    let read = try reader.picture(path: file.path()).frame
    #expect(Self.codes(of: read) == Self.codes(of: picture.frame))
  }

  /// LibRaw's own interface gives the same levels, filter, matrices and white.
  @Test(arguments: [PixelFormat.bayer(.gbrg, bits: 12), .rgb16])
  func libRawReadsTheSame(format: PixelFormat) throws {
    let picture = try Self.full(format)
    let raw = try #require(LibRawReading(picture.encoded()))
    #expect(raw.size == [32, 24] && raw.flip == 6)
    #expect(raw.blacks == [17, 17, 17, 17])
    #expect(raw.white == picture.frame.layout.whiteLevel)
    if case .bayer = format.arrangement { #expect(raw.colors == [1, 2, 0, 1]) }
    #expect(raw.neutral == [0.5, 1, 0.75] && raw.analogBalance == [1, 1.25, 1])
    #expect(raw.illuminants == [17, 21])
    for (matrix, calibration) in zip(raw.colorMatrices, picture.camera.calibrations) {
      #expect(matrix == calibration.colorMatrix.elements.map { Float($0) })
    }
    let forward = try #require(picture.camera.calibrations[0].forwardMatrix)
    #expect(raw.forwardMatrix == forward.elements.map { Float($0) })
    #expect(abs(raw.exposureTime - 1 / 50) <= 1e-9 && raw.iso == 200)
  }

  /// Black levels of the channels, where LibRaw's own interface and this package's reader see them:
  /// the reader moves all samples to one level.
  @Test(arguments: BayerPattern.allCases) func blackLevelsAreReadBack(pattern: BayerPattern) throws
  {
    var picture = try Self.full(.bayer(pattern, bits: 12))
    picture.blackLevels = LinearRGB(red: 12, green: 21, blue: 19)
    let bytes = try picture.encoded()
    let raw = try #require(LibRawReading(bytes))
    #expect(raw.blacks == raw.colors.map { [12, 21, 19, 21][$0] })
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).dng")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    var reader = ImageFileReader()
    let read = try reader.picture(path: file.path()).frame
    let (black, white) = (read.layout.blackLevel, picture.frame.layout.whiteLevel)
    for (index, code) in Self.codes(of: picture.frame).enumerated() where Double(code) < white {
      let (x, y) = (index % 32, index / 32)
      let level = raw.blacks[y % 2 * 2 + x % 2]
      #expect(Double(Self.codes(of: read)[index]) - black == Double(Int(code) - level))
      if y > 3 { break }
    }
  }
  #endif

  /// The white is balanced in the preview, whose gray is then gray.
  @Test func previewIsBalanced() throws {
    var picture = try Self.full(.bayer(.rggb, bits: 16), width: 600, height: 4)
    picture.frame.layout = try FrameLayout(
      width: 600, height: 4, format: .bayer(.rggb, bits: 16), blackLevel: 0)
    let rows = [[16_000, 32_000], [32_000, 24_000]]
    picture.frame.bytes = (0..<2400).flatMap { pixel -> [UInt8] in
      let code = rows[pixel / 600 % 2][pixel % 2]
      return [UInt8(code & 255), UInt8(code >> 8)]
    }
    let bytes = try picture.encoded()
    // The first strip, which ends where the codes begin, is the preview.
    let preview = bytes.dropLast(4800).suffix(150 * 3)
    #expect(Set(preview).count == 1 && preview.first! > 150)
  }

  @Test func fieldsThatAreUnknownAreOmitted() throws {
    let frame = try Self.full(.bayer(.rggb, bits: 8)).frame
    let bytes = try DNGPicture(
      frame, camera: DNGProfile(uniqueCameraModel: "Desk camera", calibrations: [])
    ).encoded()
    #expect(throws: DNGProfileError(field: "ColorMatrix1", offset: 8, defect: .missing)) {
      try DNGProfile(bytes)
    }
  }

  @Test func whatCannotBeWritten() throws {
    func expect(_ error: DNGPictureError, _ change: (inout DNGPicture) throws -> Void) throws {
      var picture = try Self.full(.bayer(.rggb, bits: 10))
      try change(&picture)
      #expect(throws: error) { try picture.encoded() }
      #expect(!"\(error)".isEmpty)
    }
    func layout(_ format: PixelFormat, black: Double = 0, white: Double? = nil) throws
      -> FrameLayout
    {
      try FrameLayout(
        width: 8, height: 4, format: format, blackLevel: black, whiteLevel: white)
    }
    for format in [PixelFormat.gray(bits: 10), .subsampled(.yuyv), .rgbHalf] {
      try expect(.format(format)) { $0.frame.layout = try layout(format) }
    }
    try expect(.nonlinear(.sRGB)) { $0.frame.layout.transfer = .sRGB }
    try expect(.levels(black: -1, white: 1023)) {
      $0.frame.layout = try layout(.bayer(.rggb, bits: 10), black: -1)
    }
    try expect(.levels(black: 0, white: 70_000)) {
      $0.frame.layout = try layout(.bayer(.rggb, bits: 16), white: 70_000)
    }
    try expect(.levels(black: 0, white: 256)) {
      $0.frame.layout = try layout(.bayer(.rggb, bits: 8), white: 256)
    }
    let needed = try Self.full(.bayer(.rggb, bits: 10)).frame.bytes.count
    try expect(.frame(.tooShort(bytes: needed - 1, needed: needed))) { $0.frame.bytes.removeLast() }
    for model in [nil, ""] {
      try expect(
        .camera(DNGProfileError(field: "UniqueCameraModel", offset: nil, defect: .missing))
      ) { $0.camera.uniqueCameraModel = model }
    }
    try expect(
      .camera(
        DNGProfileError(field: "ColorMatrix1", offset: nil, defect: .notRepresentable(.infinity)))
    ) { $0.camera.calibrations[0].colorMatrix = Matrix3x3(diagonal: SIMD3(.infinity, 1, 1)) }
    for level in [-1, 1020, Double.nan] {
      try expect(.value(field: "BlackLevel", "\(SIMD3(17, 17, level))")) {
        $0.blackLevels = LinearRGB(red: 17, green: 17, blue: level)
      }
    }
    try expect(.value(field: "PhotographicSensitivity", "0")) { $0.iso = 0 }
    try expect(.value(field: "ExposureTime", "-1.0")) { $0.exposureTime = -1 }
    try expect(.value(field: "Orientation", "9")) { $0.orientation = 9 }
    try expect(.value(field: "DateTimeOriginal", "today")) { $0.date = "today" }
    for count in [2, 4] {
      let noise = Array(repeating: DNGPicture.Noise(scale: 1, offset: 0), count: count)
      try expect(.value(field: "NoiseProfile", "\(noise)")) { $0.noise = noise }
    }
    let noise = DNGPicture.Noise(scale: .nan, offset: 0)
    var picture = try Self.full(.rgb16)
    picture.noise = [noise]
    #expect(throws: DNGPictureError.self) { try picture.encoded() }
  }
}
