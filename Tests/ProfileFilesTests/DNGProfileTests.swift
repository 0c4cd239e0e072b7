import ColorScience
import Foundation
import ProfileFiles
import Testing
import WhiteBalance

struct DNGProfileTests {
  // Adobe's matrices for the Canon EOS 5D Mark II.
  static let underA = Matrix3x3(
    SIMD3(0.5309, -0.0229, -0.0336), SIMD3(-0.6241, 1.3265, 0.3337), SIMD3(-0.0817, 0.1215, 0.6664))
  static let underD65 = Matrix3x3(
    SIMD3(0.4716, 0.0603, -0.0830), SIMD3(-0.7798, 1.5474, 0.2480), SIMD3(-0.1496, 0.1937, 0.6651))

  /// A profile with all fields.
  static var full: DNGProfile {
    var profile = DNGProfile(
      uniqueCameraModel: "Canon EOS 5D Mark II", name: "Étalon", copyright: "none",
      calibrations: [
        .init(illuminant: .lightSource(.standardLightA), colorMatrix: underA),
        .init(
          illuminant: .lightSource(.d65), colorMatrix: underD65,
          cameraCalibration: Matrix3x3(diagonal: SIMD3(0.9368, 1, 0.9444))),
        .init(
          illuminant: .chromaticity(Chromaticity(x: 0.3756, y: 0.3723)),
          colorMatrix: Matrix3x3(
            SIMD3(0.51, 1.0 / 300, -0.05), SIMD3(-0.7, 1.43, 0.29), SIMD3(-0.11, 0.16, 0.665))),
      ], analogBalance: LinearRGB(red: 1, green: 1.25, blue: 0.5),
      asShotWhite: .neutral(LinearRGB(red: 0.5, green: 1, blue: 1024.0 / 1463)))
    profile.cameraCalibrationSignature = "a"
    profile.profileCalibrationSignature = "a"
    return profile
  }

  @Test func writtenIsReadBackExactly() throws {
    var profile = Self.full
    let bytes = try profile.encoded()
    #expect(bytes.starts(with: Array("IIRC".utf8)))
    #expect(try DNGProfile(bytes) == profile)
    profile.asShotWhite = .chromaticity(Chromaticity(x: 0.3457, y: 0.3585))
    profile.copyright = nil
    #expect(try DNGProfile(profile.encoded()) == profile)
  }

  /// 99 % of numbers are kept to the last bit, as are all that were read once.
  @Test func numbersAreKept() throws {
    var (exact, worst) = (0, 0.0)
    for index in 0..<2000 {
      func row(_ number: Int) -> SIMD3<Double> {
        let turns = SIMD3(0, 0.3, 0.7) + Double(3 * index + number) * 0.6180339887498949
        return 4 * (turns - turns.rounded(.down)) - 2
      }
      var profile = DNGProfile(
        uniqueCameraModel: nil,
        calibrations: [.init(illuminant: nil, colorMatrix: Matrix3x3(row(0), row(1), row(2)))])
      let before = profile.calibrations[0].colorMatrix.rows
      let bytes = try profile.encoded()
      profile = try DNGProfile(bytes)
      #expect(try profile.encoded() == bytes)
      for (a, b) in zip(before, profile.calibrations[0].colorMatrix.rows) {
        worst = max(worst, (a - b).max(), (b - a).max())
        exact += (0..<3).count { a[$0] == b[$0] }
      }
    }
    #expect(worst <= 5e-10)
    #expect(exact >= 18_000 * 99 / 100)
    // These are next to simple fractions, far from other fractions, or very small.
    for value in [0.5 + 0x1p-40, 1 - 0x1p-50, 1e-12, -3e-9, 1e-10, 2_000_000_000.3, 0.1.nextUp] {
      let profile = DNGProfile(
        uniqueCameraModel: nil,
        calibrations: [.init(illuminant: nil, colorMatrix: Matrix3x3(diagonal: .init(value, 1, 1)))]
      )
      let bytes = try profile.encoded()
      let read = try DNGProfile(bytes)
      #expect(abs(read.calibrations[0].colorMatrix.rows[0].x - value) <= 5e-10 * max(1, abs(value)))
      #expect(try read.encoded() == bytes)
    }
  }

  @Test(arguments: [false, true])
  func bothByteOrdersAndHeaders(isBigEndian: Bool) throws {
    for header in [nil, isBigEndian ? "MMCR" : "IIRC"] {
      var file = TestFile(isBigEndian: isBigEndian)
      file.header = header.map { Array($0.utf8) }
      file.addShort(50778, 255)
      file.add(
        52533, type: 7, count: 18,
        file.bytes(UInt16(0)) + [3457, 10000, 3585, 10000].flatMap { file.bytes(UInt32($0)) })
      file.addFractions(50727, type: 5, [(3_000_000_000, 1_000_000_000), (1, 1), (1, 2)])
      file.add(50728, type: 3, count: 3, [1, 2, 3].flatMap { file.bytes(UInt16($0)) })
      file.add(50708, type: 2, count: 4, Array("Cam\0".utf8))
      let profile = try DNGProfile(file.contents)
      #expect(profile.uniqueCameraModel == "Cam")
      #expect(profile.calibrations.count == 1)
      #expect(profile.calibrations[0].colorMatrix == Self.underA)
      #expect(
        profile.calibrations[0].illuminant == .chromaticity(Chromaticity(x: 0.3457, y: 0.3585)))
      #expect(profile.analogBalance == LinearRGB(red: 3, green: 1, blue: 0.5))
      #expect(profile.asShotWhite == .neutral(LinearRGB(red: 1, green: 2, blue: 3)))
    }
  }

  /// AsShotNeutral is 1, 2.477, 1.462 under the file's matrix; the expected value is from
  /// colour-science 0.4.7, whose method of 2013 is accurate to a kelvin.
  @Test func samplePhotograph() throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Samples/colorchart.dng")
    let profile = try DNGProfile([UInt8](Data(contentsOf: samples)))
    #expect(profile.uniqueCameraModel == "Canon EOS Kiss X4")
    #expect(profile.asShotWhite == .neutral(LinearRGB(red: 1, green: 2.477, blue: 1.462)))
    let model = try InterpolatedCameraModel(profile)
    let white = try #require(try profile.asShotWhite?.chromaticity(by: model))
    #expect(abs(white.x - 0.33806081) <= 1e-8)
    #expect(abs(white.y - 0.36859411) <= 1e-8)
    let temperature = try #require(CorrelatedColorTemperature(white))
    #expect(abs(temperature.kelvin - 5302.3) <= 0.5)
    #expect(abs(temperature.duv - 0.011135) <= 2e-6)
  }

  @Test func whiteInBothWays() throws {
    var two = Self.full
    two.calibrations.removeLast()
    let model = try InterpolatedCameraModel(two)
    let light = Chromaticity(CorrelatedColorTemperature(kelvin: 4000, duv: 0.005))
    let neutral = try #require(DNGProfile.White.chromaticity(light).neutral(by: model))
    #expect(neutral.vector.max() == 1)
    let back = try #require(try DNGProfile.White.neutral(neutral).chromaticity(by: model))
    #expect(abs(back.x - light.x) <= 1e-12 && abs(back.y - light.y) <= 1e-12)
    let dark = DNGProfile.White.neutral(LinearRGB(red: 0, green: 1, blue: 1))
    #expect(try dark.chromaticity(by: model) == nil)
    #expect(dark.neutral(by: model) == nil)
  }

  @Test func cameraModelOfAProfile() throws {
    let full = try InterpolatedCameraModel(Self.full)
    #expect(full.calibrations.map(\.kelvin).prefix(2) == [2850, 6500])
    #expect(full.calibrations[1].cameraCalibration.rows[0].x == 0.9368)
    #expect(full.analogBalance.green == 1.25)
    // Another maker's calibration is not applied.
    var foreign = Self.full
    foreign.profileCalibrationSignature = "b"
    let identity = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    #expect(
      try InterpolatedCameraModel(foreign).calibrations.map(\.cameraCalibration)
        == [identity, identity, identity])
    // If an illuminant is unknown only the first matrix is used, as in Adobe's SDK.
    var unknown = Self.full
    unknown.calibrations[1].illuminant = nil
    let first = try InterpolatedCameraModel(unknown)
    #expect(first.calibrations.count == 1)
    #expect(first.calibrations[0].colorMatrix == full.calibrations[0].colorMatrix)
    unknown = Self.full
    unknown.calibrations[2].illuminant = nil
    #expect(try InterpolatedCameraModel(unknown).calibrations == Array(full.calibrations.prefix(2)))
    unknown.calibrations[1].illuminant = unknown.calibrations[0].illuminant
    #expect(try InterpolatedCameraModel(unknown).calibrations.count == 1)
    unknown.calibrations = [Self.full.calibrations[1]]
    unknown.calibrations[0].illuminant = nil
    #expect(try InterpolatedCameraModel(unknown).calibrations.count == 1)
  }

  /// Matrices are brought to one scale before they are interpolated. Adobe's own already have it:
  /// their largest response to D50 is 1. The expected numbers are from decimal arithmetic.
  @Test func matricesHaveOneScale() throws {
    func model(scale: Double) throws -> InterpolatedCameraModel {
      var profile = Self.full
      profile.calibrations.removeLast()
      profile.calibrations[0].colorMatrix =
        Matrix3x3(diagonal: SIMD3(repeating: scale)) * Self.underA
      return try InterpolatedCameraModel(profile)
    }
    for scale in [2, 0.7] {
      #expect(try model(scale: scale).calibrations[0].colorMatrix == Self.underA)
    }
    let light = Chromaticity(CorrelatedColorTemperature(kelvin: 4000, duv: 0))
    #expect(try model(scale: 2).response(to: light) == model(scale: 1).response(to: light))
    // Within 1 % the scale is kept, and the numbers are rounded to four decimals.
    #expect(
      try model(scale: 1.005).calibrations[0].colorMatrix
        == Matrix3x3(
          SIMD3(0.5336, -0.023, -0.0338), SIMD3(-0.6272, 1.3331, 0.3354),
          SIMD3(-0.0821, 0.1221, 0.6697)))
  }

  /// A photograph names the camera that took it.
  @Test func cameraOfAPhotograph() throws {
    var file = TestFile()
    file.add(271, type: 2, count: 6, Array("Canon\0".utf8))
    file.add(272, type: 2, count: 9, Array("EOS 550D\0".utf8))
    file.add(50735, type: 2, count: 4, Array("123\0".utf8))
    let profile = try DNGProfile(file.contents)
    #expect(profile.make == "Canon" && profile.model == "EOS 550D")
    #expect(profile.serialNumber == "123" && profile.uniqueCameraModel == nil)
  }

  @Test func profileOfACameraModel() throws {
    let model = try MatrixCameraModel(
      matrix: Self.underD65, unitCalibration: LinearRGB(red: 0.95, green: 1, blue: 1.0625))
    let profile = DNGProfile(
      model, illuminant: .lightSource(.d65), uniqueCameraModel: "Camera", name: "Unit 1")
    let read = try InterpolatedCameraModel(DNGProfile(profile.encoded()))
    for kelvin in [2500.0, 5000, 9000] {
      let light = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0))
      #expect(read.response(to: light) == model.response(to: light))
    }
  }

  @Test func whatCannotBeWritten() {
    func expect(
      _ field: String, _ defect: DNGProfileError.Defect, _ change: (inout DNGProfile) -> Void
    ) {
      var profile = Self.full
      change(&profile)
      #expect(throws: DNGProfileError(field: field, offset: nil, defect: defect)) {
        try profile.encoded()
      }
    }
    expect("ColorMatrix1", .missing) { $0.calibrations = [] }
    expect("ColorMatrix3", .count(4)) { $0.calibrations.append($0.calibrations[0]) }
    expect("ProfileName", .zeroInText) { $0.name = "a\0b" }
    expect("ColorMatrix2", .notRepresentable(3e9)) {
      $0.calibrations[1].colorMatrix = Matrix3x3(diagonal: SIMD3(1, 3e9, 1))
    }
    expect("AnalogBalance", .notRepresentable(-1)) {
      $0.analogBalance = LinearRGB(red: 1, green: 1, blue: -1)
    }
    expect("AsShotWhiteXY", .notRepresentable(.infinity)) {
      $0.asShotWhite = .chromaticity(Chromaticity(x: .infinity, y: 1))
    }
  }
}
