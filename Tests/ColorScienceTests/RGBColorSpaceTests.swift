import ColorScience
import Testing

struct RGBColorSpaceTests {
  struct Printed: Sendable {
    var space: RGBColorSpace
    var toXYZ: [Double]
    /// Half a unit of the last printed digit.
    var rounding: Double
  }

  /// The matrices from RGB to XYZ as standards print them.
  @Test(arguments: [
    // Adobe RGB (1998), 2005-05, §4.3.6.1.
    Printed(
      space: .adobeRGB1998,
      toXYZ: [
        0.57667, 0.18556, 0.18823, 0.29734, 0.62736, 0.07529, 0.02703, 0.07069, 0.99134,
      ], rounding: 5.1e-6),
    // ISO 22028-2, which derives the matrix from a white of X 0.9642, Z 0.8249 and prints that
    // white as 0.3457, 0.3585.
    Printed(
      space: .proPhoto,
      toXYZ: [0.7977, 0.1352, 0.0313, 0.2880, 0.7119, 0.0001, 0, 0, 0.8249], rounding: 2.1e-4),
    // The matrix for the printed white, in fractions.
    Printed(
      space: .proPhoto,
      toXYZ: [
        0.7977604896723025, 0.13518583717574034, 0.031349349581524806, 0.28807112822929337,
        0.7118432178101014, 8.565396060525903e-05, 0, 0, 0.8251046025104602,
      ], rounding: 1e-15),
    // SMPTE ST 2065-1.
    Printed(
      space: .aces2065,
      toXYZ: [
        0.9525523959, 0, 0.0000936786, 0.3439664498, 0.7281660966, -0.0721325464, 0, 0,
        1.0088251844,
      ], rounding: 5.1e-11),
    // Academy S-2014-004.
    Printed(
      space: .acescg,
      toXYZ: [
        0.6624541811, 0.1340042065, 0.1561876870, 0.2722287168, 0.6740817658, 0.0536895174,
        -0.0055746495, 0.0040607335, 1.0103391003,
      ], rounding: 5.1e-11),
    // SMPTE EG 432-1.
    Printed(
      space: .dciP3,
      toXYZ: [
        0.4451698156, 0.2771344092, 0.1722826698, 0.2094916779, 0.7215952542, 0.0689130679, 0,
        0.0470605601, 0.9073553944,
      ], rounding: 5.1e-11),
    // W3C CSS Color 4 §18, in fractions.
    Printed(
      space: .displayP3,
      toXYZ: [
        608311 / 1250200, 189793 / 714400, 198249 / 1000160, 35783 / 156275, 247089 / 357200,
        198249 / 2500400, 0, 32229 / 714400, 5220557 / 5000800,
      ], rounding: 1e-15),
    Printed(
      space: .bt2020,
      toXYZ: [
        63426534 / 99577255, 20160776 / 139408157, 47086771 / 278816314, 26158966 / 99577255,
        472592308 / 697040785, 8267143 / 139408157, 0, 19567812 / 697040785,
        295819943 / 278816314,
      ], rounding: 1e-15),
    // colour-science 0.4.7, RGB_COLOURSPACES["SMPTE C"] and ["ITU-R BT.470 - 625"].
    Printed(
      space: .bt601Lines525,
      toXYZ: [
        0.3935209036593897, 0.3652580767176035, 0.19167694667467836, 0.21237636070506746,
        0.7010598569257228, 0.08656378236920959, 0.01873909065044711, 0.11193392673603975,
        0.9583847333733916,
      ], rounding: 1e-15),
    Printed(
      space: .bt601Lines625,
      toXYZ: [
        0.4305538133299023, 0.3415498035305533, 0.17835231019121592, 0.22200430999823087,
        0.7066547659252828, 0.07134092407648637, 0.020182209999839152, 0.1295533737529685,
        0.9393221670070706,
      ], rounding: 1e-15),
  ])
  func printedMatrices(printed: Printed) {
    for (row, expected) in zip(printed.space.toXYZ.rows, 0..<3) {
      for column in 0..<3 {
        #expect(abs(row[column] - printed.toXYZ[3 * expected + column]) <= printed.rounding)
      }
    }
  }

  /// The luminance weights printed in BT.709, BT.2020 and, for the primaries of SMPTE C, SMPTE
  /// 240M.
  @Test(arguments: [
    (RGBColorSpace.sRGB, 0.2126, 0.7152, 0.0722, 5.1e-5), (.bt2020, 0.2627, 0.6780, 0.0593, 5.1e-5),
    (.bt601Lines525, 0.212, 0.701, 0.087, 5.1e-4),
  ])
  func printedLuminance(
    space: RGBColorSpace, red: Double, green: Double, blue: Double, rounding: Double
  ) {
    let row = space.toXYZ.rows[1]
    #expect(abs(row.x - red) <= rounding)
    #expect(abs(row.y - green) <= rounding)
    #expect(abs(row.z - blue) <= rounding)
  }

  @Test(arguments: [
    RGBColorSpace.sRGB, .displayP3, .adobeRGB1998, .proPhoto, .bt2020, .bt601Lines525,
    .bt601Lines625, .dciP3, .aces2065, .acescg,
  ])
  func primariesAndWhite(space: RGBColorSpace) {
    for (rgb, expected) in [
      (SIMD3<Double>(1, 0, 0), space.red), (SIMD3(0, 1, 0), space.green),
      (SIMD3(0, 0, 1), space.blue), (SIMD3(1, 1, 1), space.white),
    ] {
      let xyz = space.toXYZ * rgb
      let point = Chromaticity(XYZ(xyz))
      #expect(abs(point.x - expected.x) <= 1e-15 && abs(point.y - expected.y) <= 1e-15)
      if expected == space.white { #expect(abs(xyz.y - 1) <= 1e-15) }
      let back = space.fromXYZ * xyz
      for index in 0..<3 { #expect(abs(back[index] - rgb[index]) <= 2e-15) }
    }
  }

  @Test func degenerateSpaces() {
    let (red, white) = (Chromaticity(x: 0.64, y: 0.33), Chromaticity(x: 0.3127, y: 0.3290))
    let green = Chromaticity(x: 0.25, y: 0.5)
    for (blue, white) in [
      (red, white), (Chromaticity(x: 0.15, y: 0.06), Chromaticity(x: 0.3, y: 0)),
      (Chromaticity(x: .nan, y: 0.06), white),
    ] {
      #expect(RGBColorSpace(red: red, green: green, blue: blue, white: white) == nil)
    }
    // Three points on a line, apart from rounding.
    func point(_ x: Double, _ y: Double) -> Chromaticity { Chromaticity(x: x, y: y) }
    #expect(
      RGBColorSpace(
        red: red, green: point(0.3, 0.6), blue: point(0.15, 0.06), white: point(0.47, 0.465))
        == nil)
    #expect(
      RGBColorSpace(
        red: red, green: point(0.4, 0.25), blue: point(0.16, 0.17), white: point(0.31, 0.33))
        == nil)
    // A narrow but valid space.
    #expect(
      RGBColorSpace(
        red: point(0.3128, 0.3290), green: point(0.3127, 0.3291), blue: point(0.3126, 0.3289),
        white: white) != nil)
  }
}
