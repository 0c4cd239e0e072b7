import CWbcalLittleCMS
import ColorScience
import ICCProfiles
import Testing

/// Tests of profiles written by Little CMS with curves defined by ICC's own parameters.
struct ToneCurveTests {
  private enum Curve {
    /// The parameters g, a, b, c, d: (aX + b)^g from d on, cX below.
    case parametric([Double])
    case gamma(Double)
    case table([UInt16])

    func make() -> OpaquePointer? {
      switch self {
      case .parametric(let values): unsafe cmsBuildParametricToneCurve(nil, 4, values)
      case .gamma(let exponent): unsafe cmsBuildGamma(nil, exponent)
      case .table(let values):
        unsafe cmsBuildTabulatedToneCurve16(nil, UInt32(values.count), values)
      }
    }

    static let sRGB = parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
  }

  private func transfer(_ red: Curve, _ green: Curve, _ blue: Curve) throws -> TransferFunction? {
    TransferFunction(iccProfile: try profile(red, green, blue))
  }

  private func profile(_ red: Curve, _ green: Curve, _ blue: Curve) throws -> [UInt8] {
    let curves = unsafe [red, green, blue].map { unsafe $0.make() }
    defer { unsafe curves.forEach { unsafe cmsFreeToneCurve($0) } }
    var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.3, y: 0.6, Y: 1),
      Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
    var pointers = unsafe curves
    return try unsafe Self.bytes { unsafe cmsCreateRGBProfile(&white, &primaries, &pointers) }
  }

  /// The colors are the colorants of ICC's own sRGB profile.
  @Test func theColorsOfSRGB() throws {
    let bytes = try profile(.sRGB, .sRGB, .sRGB)
    let matrix = try #require(Matrix3x3(iccProfile: bytes))
    let expected = [
      SIMD3(0.43607, 0.38515, 0.14307), SIMD3(0.22249, 0.71687, 0.06061),
      SIMD3(0.01392, 0.09708, 0.71410),
    ]
    for (row, wanted) in zip(matrix.rows, expected) {
      for channel in 0..<3 { #expect(abs(row[channel] - wanted[channel]) < 2e-4, "\(row)") }
    }
    #expect(Matrix3x3(iccProfile: Array(bytes.prefix(200))) == nil)
    let lab = try unsafe Self.bytes { unsafe cmsCreateLab4Profile(nil) }
    #expect(Matrix3x3(iccProfile: lab) == nil)
  }

  private func transfer(_ curve: Curve) throws -> TransferFunction? {
    try transfer(curve, curve, curve)
  }

  private static func bytes(_ make: () -> cmsHPROFILE?) throws -> [UInt8] {
    let profile = try unsafe #require(unsafe make())
    defer { unsafe cmsCloseProfile(profile) }
    var count: UInt32 = 0
    unsafe cmsSaveProfileToMem(profile, nil, &count)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    unsafe cmsSaveProfileToMem(profile, &bytes, &count)
    return bytes
  }

  @Test func knownCurves() throws {
    #expect(try transfer(.sRGB) == .sRGB)
    #expect(try transfer(.gamma(1)) == .linear)
    // BT.709 as in Apple's and Google's profiles.
    #expect(
      try transfer(.parametric([1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])) == .bt709)
    let sRGB = TransferFunction(
      iccProfile: try unsafe Self.bytes { unsafe cmsCreate_sRGBProfile() })
    #expect(sRGB == .sRGB)
  }

  @Test func tables() throws {
    let table = (0..<1024).map {
      UInt16((65535 * TransferFunction.sRGB.linear(Double($0) / 1023)).rounded())
    }
    #expect(abs(Double(table[512]) / 65535 - 0.2145) < 0.001)
    #expect(try transfer(.table(table)) == .sRGB)
    #expect(try transfer(.table([0, 3341, 14027, 34217, 65535])) == nil)
    #expect(try transfer(.table([0, 65535])) == .linear)
  }

  @Test(arguments: [1.8, 2.2, 563.0 / 256])
  func powers(exponent: Double) throws {
    guard case .gamma(let found) = try transfer(.gamma(exponent)) else {
      Issue.record("no power")
      return
    }
    // Version 4 stores 16 bits after the binary point.
    #expect(abs(found - exponent) < 2e-5)
  }

  @Test func others() throws {
    // The first curve is L*.
    #expect(try transfer(.parametric([3, 100.0 / 116, 16.0 / 116, 2700.0 / 24389, 0.08])) == nil)
    #expect(try transfer(.gamma(2.2), .gamma(2.2), .gamma(1.8)) == nil)
    #expect(try transfer(.table([0, 0, 0, 65535])) == nil)
    #expect(try transfer(.table([65535, 0])) == nil)
    #expect(TransferFunction(iccProfile: []) == nil)
    #expect(TransferFunction(iccProfile: [UInt8](repeating: 0, count: 1000)) == nil)
    let whole = try unsafe Self.bytes { unsafe cmsCreate_sRGBProfile() }
    for count in stride(from: 0, to: whole.count - 200, by: 7) {
      _ = TransferFunction(iccProfile: Array(whole.prefix(count)))
    }
    #expect(TransferFunction(iccProfile: Array(whole.prefix(300))) == nil)
    let other = try unsafe Self.bytes { unsafe cmsCreateXYZProfile() }
    #expect(TransferFunction(iccProfile: other) == nil)
  }
}
