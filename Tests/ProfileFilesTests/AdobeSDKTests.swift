import ColorScience
import ProfileFiles
import Testing
import WhiteBalance

/// Compares chromaticities of a camera's neutrals with those of Adobe's own program:
/// `dng_color_spec::NeutralToXY` of the DNG SDK 1.4, built and run with these matrices.
struct AdobeSDKTests {
  /// The x, y of a neutral whose largest channel is 1.
  typealias White = (red: Double, green: Double, blue: Double, x: Double, y: Double)

  private func check(_ profile: DNGProfile, _ whites: [White]) throws {
    let model = try InterpolatedCameraModel(profile)
    for white in whites {
      let gains = try #require(
        Gains(neutralizing: LinearRGB(red: white.red, green: white.green, blue: white.blue)))
      let light = try #require(try model.chromaticity(for: gains))
      let difference = max(abs(light.x - white.x), abs(light.y - white.y))
      // The SDK stops at changes of 1e-7, uses temperatures from Robertson's table, including its
      // misprint, and the neutral from a table of six digits.
      #expect(difference <= 2e-4, "\(white): \(light)")
    }
  }

  private func profile(
    underA: Matrix3x3, underD65: Matrix3x3, unit: SIMD3<Double> = SIMD3(1, 1, 1),
    balance: LinearRGB? = nil
  ) -> DNGProfile {
    let unit = Matrix3x3(diagonal: unit)
    return DNGProfile(
      uniqueCameraModel: nil,
      calibrations: [
        .init(
          illuminant: .lightSource(.standardLightA), colorMatrix: underA, cameraCalibration: unit),
        .init(illuminant: .lightSource(.d65), colorMatrix: underD65, cameraCalibration: unit),
      ], analogBalance: balance)
  }

  @Test func canonEOS5DMarkII() throws {
    let profile = profile(underA: DNGProfileTests.underA, underD65: DNGProfileTests.underD65)
    try check(
      profile,
      [
        (0.35, 1, 0.6, 0.3095554442, 0.3636831840),
        (0.35, 1, 0.8, 0.2914347100, 0.3103390105),
        (0.5, 1, 0.3, 0.4041048439, 0.4496768167),
        (0.5, 1, 0.45, 0.3801969132, 0.3980271550),
        (0.5, 1, 0.6, 0.3603910592, 0.3550728698),
        (0.5, 1, 0.8, 0.3393304864, 0.3090847766),
        (0.7, 1, 0.3, 0.4518900320, 0.4246972183),
        (0.7, 1, 0.45, 0.4289195803, 0.3832711776),
        (0.7, 1, 0.6, 0.4086007186, 0.3467301344),
      ])
  }

  /// The profile has a calibration of the unit and an analog balance.
  @Test func sonyILCE7RM5() throws {
    let profile = profile(
      underA: Matrix3x3(
        SIMD3(0.9185, -0.4857, 0.0505), SIMD3(-0.3651, 1.1061, 0.2982),
        SIMD3(-0.0161, 0.0698, 0.6769)),
      underD65: Matrix3x3(
        SIMD3(0.82, -0.2976, -0.0719), SIMD3(-0.4296, 1.2053, 0.2532),
        SIMD3(-0.0429, 0.1282, 0.5774)),
      unit: SIMD3(0.9611, 1, 1.0471),
      balance: LinearRGB(red: 1.660156, green: 1, blue: 2.499023))
    try check(
      profile,
      [
        (0.207601, 0.500195, 1, 0.2634606806, 0.3042327191),
        (0.387521, 0.666927, 1, 0.3251264752, 0.3615679266),
        (0.290641, 0.500195, 1, 0.2952358320, 0.3015691665),
        (0.830078, 1, 0.749707, 0.4327765216, 0.4454911024),
        (0.738136, 0.889236, 1, 0.3989258074, 0.4003972565),
        (0.553602, 0.666927, 1, 0.3685844917, 0.3565811427),
        (0.415201, 0.500195, 1, 0.3351995192, 0.3013866802),
        (1.0, 0.860504, 0.645126, 0.4738826912, 0.4210983751),
        (1.0, 0.860504, 0.967689, 0.4440162194, 0.3852172018),
        (0.775042, 0.666927, 1, 0.4155684453, 0.3509909665),
      ])
  }

  /// Apple's matrices have different scales: interpolation without normalization gives an error of
  /// x of up to 8e-4.
  @Test func appleIPhone11Pro() throws {
    let profile = profile(
      underA: Matrix3x3(
        SIMD3(1.233062, -0.5465536, -0.2566419), SIMD3(-0.4623892, 1.508173, 0.00938271),
        SIMD3(-0.02246051, 0.1456095, 0.5877981)),
      underD65: Matrix3x3(
        SIMD3(0.8899321, -0.302455, -0.1254793), SIMD3(-0.4658667, 1.333127, 0.105414),
        SIMD3(-0.1035988, 0.2399584, 0.4020588)))
    try check(
      profile,
      [
        (0.25, 1, 0.8, 0.2427695101, 0.2673416232),
        (0.35, 1, 0.45, 0.3291376186, 0.3856469392),
        (0.35, 1, 0.6, 0.2950781867, 0.3235065724),
        (0.35, 1, 0.8, 0.2665361813, 0.2663316657),
        (0.5, 1, 0.3, 0.4116145373, 0.4394069060),
        (0.5, 1, 0.45, 0.3727002651, 0.3783530504),
        (0.5, 1, 0.6, 0.3366446875, 0.3241768222),
        (0.5, 1, 0.8, 0.2980228195, 0.2649936506),
        (0.7, 1, 0.3, 0.4522700904, 0.4181891187),
        (0.7, 1, 0.45, 0.4176726257, 0.3718100148),
        (0.7, 1, 0.6, 0.3878164463, 0.3321969147),
      ])
  }
}
