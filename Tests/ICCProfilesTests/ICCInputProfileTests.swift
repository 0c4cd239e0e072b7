import CWbcalLittleCMS
import ColorScience
import Foundation
import ICCProfiles
import Testing

struct ICCInputProfileTests {
  /// A camera whose channels are those of sRGB, under the white of sRGB; its colorants are those of
  /// every profile of sRGB.
  private static func sRGB() throws -> ICCInputProfile {
    let matrix = try #require(RGBColorSpace.sRGB.toXYZ.inverse)
    return try ICCInputProfile(
      name: "sRGB", matrix: matrix, light: Chromaticity(x: 0.3127, y: 0.329))
  }

  /// A camera whose blue colorant has a negative Y, as those of real cameras have.
  private static let camera = Matrix3x3(
    SIMD3(0.8, -0.2, -0.1), SIMD3(-0.4, 1.2, 0.2), SIMD3(-0.05, 0.2, 0.6))

  /// The colorants equal those of ICC's sRGB2014 profile, whose D50 has a Z of 0.8251 instead of
  /// 0.8249.
  @Test func publishedColorants() throws {
    let published = [
      SIMD3(0.4361, 0.3851, 0.1431), SIMD3(0.2225, 0.7169, 0.0606), SIMD3(0.0139, 0.0971, 0.7141),
    ]
    for (row, expected) in zip(try Self.sRGB().toConnectionSpace.rows, published) {
      #expect(max((row - expected).max(), (expected - row).max()) < 2e-4)
    }
  }

  @Test(arguments: ["A", "D50", "D65", "FL2"])
  func grayIsGray(light: String) throws {
    let light = try #require(StandardIlluminant(named: light)).chromaticity
    let profile = try ICCInputProfile(name: "camera", matrix: Self.camera, light: light)
    let white = profile.toConnectionSpace * SIMD3(1, 1, 1)
    let difference = white - ICCInputProfile.connectionWhite.vector
    #expect(max(difference.max(), -difference.min()) < 1e-14)
  }

  @Test func readBack() throws {
    let light = Chromaticity(x: 0.41, y: 0.39)
    let profile = try ICCInputProfile(name: "Desk camera, é", matrix: Self.camera, light: light)
    let bytes = try profile.encoded()
    try expect(bytes, haveColorsOf: profile)
    #expect(TransferFunction(iccProfile: bytes) == .linear)
    try unsafe Self.read(bytes) { file in
      #expect(try unsafe Self.name(file) == "Desk camera, ?")
      let adaptation = try unsafe #require(cmsReadTag(file, cmsSigChromaticAdaptationTag))
      let matrix = Matrix3x3(
        elements: (0..<9).map { unsafe adaptation.load(fromByteOffset: 8 * $0, as: Double.self) })
      let white = try #require(matrix.inverse) * ICCInputProfile.connectionWhite.vector
      expect(Chromaticity(XYZ(white)), within: 2e-5, of: light)
    }
  }

  private func expect(_ bytes: [UInt8], haveColorsOf profile: ICCInputProfile) throws {
    let matrix = try #require(Matrix3x3(iccProfile: bytes))
    for (row, expected) in zip(matrix.rows, profile.toConnectionSpace.rows) {
      #expect(max((row - expected).max(), (expected - row).max()) <= 0.5 / 65_536 + 1e-12)
    }
  }

  private func expect(_ light: Chromaticity, within limit: Double, of expected: Chromaticity) {
    #expect(abs(light.x - expected.x) < limit && abs(light.y - expected.y) < limit)
  }

  /// Passes a profile that Little CMS opened to a function.
  private static func read(_ bytes: [UInt8], _ body: (cmsHPROFILE) throws -> Void) throws {
    let file = try unsafe #require(cmsOpenProfileFromMem(bytes, UInt32(bytes.count)))
    defer { unsafe cmsCloseProfile(file) }
    unsafe #expect(cmsGetDeviceClass(file) == cmsSigInputClass)
    try unsafe body(file)
  }

  private static func name(_ file: cmsHPROFILE) throws -> String {
    let text = try unsafe #require(cmsReadTag(file, cmsSigProfileDescriptionTag))
    var characters = [CChar](repeating: 0, count: 256)
    unsafe cmsMLUgetASCII(OpaquePointer(text), "en", "US", &characters, 256)
    return String(
      decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func white(_ file: cmsHPROFILE) throws -> Chromaticity {
    let tag = try unsafe #require(cmsReadTag(file, cmsSigMediaWhitePointTag))
    let white = unsafe tag.load(as: cmsCIEXYZ.self)
    return Chromaticity(XYZ(x: white.X, y: white.Y, z: white.Z))
  }

  /// Version 2, for programs that read no other, has the same numbers as version 4.
  @Test func version2() throws {
    let light = Chromaticity(x: 0.41, y: 0.39)
    let profile = try ICCInputProfile(name: "Desk", matrix: Self.camera, light: light)
    let bytes = try profile.encoded(version: .two)
    #expect(Array(bytes[8..<12]) == [2, 0x40, 0, 0])
    let count = bytes[128..<132].reduce(0) { $0 << 8 | Int($1) }
    var types: [String: String] = [:]
    for entry in (0..<count).map({ 132 + 12 * $0 }) {
      let offset = bytes[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
      types[String(decoding: bytes[entry..<entry + 4], as: UTF8.self)] =
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
    // The types of ICC.1:2001-04, without newer tags.
    #expect(
      types == [
        "desc": "desc", "cprt": "text", "wtpt": "XYZ ", "rXYZ": "XYZ ", "gXYZ": "XYZ ",
        "bXYZ": "XYZ ", "rTRC": "curv", "gTRC": "curv", "bTRC": "curv",
      ])
    // Little CMS reads it back.
    try expect(bytes, haveColorsOf: profile)
    #expect(TransferFunction(iccProfile: bytes) == .linear)
    try unsafe Self.read(bytes) { file in
      #expect(try unsafe Self.name(file) == "Desk")
      expect(try unsafe Self.white(file), within: 2e-5, of: light)
    }
  }

  /// The bytes of the file are laid out as in ICC.1:2022.
  @Test func theFileSaysWhatItIs() throws {
    let bytes = try Self.sRGB().encoded()
    func field(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    #expect(bytes[0..<4].reduce(0) { $0 << 8 | Int($1) } == bytes.count)
    #expect(bytes[8] == 4)
    #expect(field(12..<24) == "scnrRGB XYZ ")
    #expect(field(36..<40) == "acsp")
    // The illuminant of the connection space: 0.9642, 1, 0.8249.
    #expect(Array(bytes[68..<80]) == [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
    let count = bytes[128..<132].reduce(0) { $0 << 8 | Int($1) }
    let tags = (0..<count).map { field(132 + 12 * $0..<136 + 12 * $0) }
    #expect(
      Set(tags) == [
        "desc", "cprt", "wtpt", "chad", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC",
      ])
  }

  private static func littleCMSProfile(
    _ change: (cmsHPROFILE) -> Void
  ) throws -> [UInt8] {
    var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.3, y: 0.6, Y: 1),
      Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
    let curve = unsafe cmsBuildGamma(nil, 1)
    defer { unsafe cmsFreeToneCurve(curve) }
    var curves = unsafe [curve, curve, curve]
    let profile = try unsafe #require(unsafe cmsCreateRGBProfile(&white, &primaries, &curves))
    defer { unsafe cmsCloseProfile(profile) }
    unsafe cmsSetDeviceClass(profile, cmsSigInputClass)
    unsafe change(profile)
    var count: UInt32 = 0
    unsafe cmsSaveProfileToMem(profile, nil, &count)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    unsafe cmsSaveProfileToMem(profile, &bytes, &count)
    return bytes
  }

  /// A profile of sRGB written by Little CMS is read.
  @Test(arguments: [2.1, 4.3])
  func profilesOfOthers(version: Double) throws {
    let bytes = try unsafe Self.littleCMSProfile { unsafe cmsSetProfileVersion($0, version) }
    let matrix = try #require(Matrix3x3(iccProfile: bytes))
    let ours = try Self.sRGB().toConnectionSpace
    for (row, expected) in zip(matrix.rows, ours.rows) {
      #expect(max((row - expected).max(), (expected - row).max()) < 1e-4)
    }
    #expect(TransferFunction(iccProfile: bytes) == .linear)
  }

  @Test func profilesWithoutAMatrix() throws {
    func expectNone(_ change: (cmsHPROFILE) -> Void) throws {
      #expect(Matrix3x3(iccProfile: try unsafe Self.littleCMSProfile(change)) == nil)
    }
    try unsafe expectNone { unsafe cmsSetPCS($0, cmsSigLabData) }
    try unsafe expectNone { unsafe cmsWriteTag($0, cmsSigGreenColorantTag, nil) }
    // A matrix that makes every color gray.
    try unsafe expectNone { profile in
      var gray = cmsCIEXYZ(X: 0.3, Y: 0.3, Z: 0.3)
      for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
        unsafe cmsWriteTag(profile, tag, &gray)
      }
    }
  }

  @Test func damagedFiles() throws {
    let whole = try Self.sRGB().encoded()
    for count in 0..<whole.count - 1 {
      let bytes = Array(whole.prefix(count))
      #expect(
        Matrix3x3(iccProfile: bytes) == nil || TransferFunction(iccProfile: bytes) == nil,
        "\(count) bytes")
    }
    for bytes in [[], [UInt8](repeating: 1, count: 200)] {
      #expect(Matrix3x3(iccProfile: bytes) == nil && TransferFunction(iccProfile: bytes) == nil)
    }
  }

  @Test func camerasWithoutAProfile() throws {
    let light = StandardIlluminant.d65.chromaticity
    let singular = Matrix3x3(SIMD3(1, 1, 1), SIMD3(1, 1, 1), SIMD3(0, 0, 1))
    let blind = Matrix3x3(SIMD3(-1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
    for (matrix, light) in [
      (singular, light), (blind, light), (Self.camera, Chromaticity(x: .nan, y: 0.3)),
      (Self.camera, Chromaticity(x: 0.3, y: 0)),
    ] {
      #expect(throws: ICCProfileError.noColors) {
        try ICCInputProfile(name: "", matrix: matrix, light: light)
      }
    }
    var huge = try Self.sRGB()
    huge.toConnectionSpace = Matrix3x3(diagonal: SIMD3(40_000, 1, 1))
    #expect(throws: ICCProfileError.noColors) { try huge.encoded() }
  }

  static let transicc = ["/usr/bin/transicc", "/usr/local/bin/transicc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The program of Little CMS converts RGB as the matrix does.
  @Test(.enabled(if: transicc != nil, "transicc, of liblcms2-utils, is not installed"))
  func agreesWithTransicc() throws {
    let profile = try ICCInputProfile(
      name: "camera", matrix: Self.camera, light: StandardIlluminant.a.chromaticity)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).icc")
    try Data(profile.encoded()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for rgb in [SIMD3(255.0, 255, 255), SIMD3(200, 100, 50), SIMD3(20, 40, 90)] {
      let process = Process()
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = URL(filePath: try #require(Self.transicc))
      process.arguments = ["-n", "-t1", "-i", file.path, "-o", "*XYZ"]
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data("\(rgb.x) \(rgb.y) \(rgb.z)\n".utf8))
      try input.fileHandleForWriting.close()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let theirs = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      try #require(theirs.count == 3, "\(text)")
      let ours = profile.toConnectionSpace * (rgb / 255) * 100
      for index in 0..<3 { #expect(abs(theirs[index] - ours[index]) < 0.01, "\(text) \(ours)") }
    }
  }
}
