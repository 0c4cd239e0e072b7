import ColorScience
import Testing

struct CIELABTests {
  static let d50 = XYZ(x: 0.96422, y: 1, z: 0.82521)
  static let d65 = XYZ(x: 0.95047, y: 1, z: 1.08883)

  /// The primaries of sRGB as in Lindbloom's calculator, to its four decimals.
  @Test(arguments: [
    (XYZ(x: 0.4124564, y: 0.2126729, z: 0.0193339), LabColor(l: 53.2408, a: 80.0925, b: 67.2032)),
    (XYZ(x: 0.3575761, y: 0.7151522, z: 0.1191920), LabColor(l: 87.7347, a: -86.1827, b: 83.1793)),
    (XYZ(x: 0.1804375, y: 0.0721750, z: 0.9503041), LabColor(l: 32.2970, a: 79.1875, b: -107.8602)),
  ])
  func publishedColors(xyz: XYZ, printed: LabColor) {
    let lab = LabColor(xyz, white: Self.d65)
    for path in [\LabColor.l, \.a, \.b] {
      #expect(abs(lab[keyPath: path] - printed[keyPath: path]) <= 1e-4)
    }
  }

  /// Values computed from the definition with 40 digits; they equal those of `colour.XYZ_to_Lab`
  /// (colour-science 0.4.7) to rounding. Dark and negative values and values beyond the white are
  /// among them.
  static let exact: [(XYZ, XYZ, LabColor)] = [
    (
      XYZ(x: 0.20654008, y: 0.12197225, z: 0.05136952), d50,
      LabColor(l: 41.527875294398335, a: 51.201367980100386, b: 19.9218058597302)
    ),
    (
      XYZ(x: 0.1422201, y: 0.23042768, z: 0.10495772), d65,
      LabColor(l: 55.1163630449896, a: -41.089227973968235, b: 30.911864855979875)
    ),
    (
      XYZ(x: 0.001, y: 0.002, z: 0.003), d50,
      LabColor(l: 1.8065925925925925, a: -3.7490389468516865, b: -2.5470436481488212)
    ),
    (
      XYZ(x: -0.1, y: 0.2, z: -0.3), d65,
      LabColor(l: 51.83721152653849, a: -633.0776464731725, b: 518.4793419753152)
    ),
    (
      XYZ(x: 2.5, y: 1.5, z: 3), d50,
      LabColor(l: 116.7868521361865, a: 114.53936595374994, b: -78.5834444944231)
    ),
    (
      XYZ(x: 0.004, y: -0.002, z: 0.001), d65,
      LabColor(l: -1.8065925925925925, a: 24.17269263276765, b: -4.545164279292655)
    ),
  ]

  private static let bend: [(l: Double, y: Double)] = [
    (7.5, 202.5 / 24389), (8.5, 14706.125 / 1_560_896), (8.9, 15438.249 / 1_560_896),
  ]

  /// Values on both sides of L\* = 8, where the line ends and the cube begins, calculated by hand.
  @Test(arguments: bend)
  func luminanceBesideTheBend(l: Double, y: Double) {
    #expect(abs(XYZ(LabColor(l: l, a: 0, b: 0), white: Self.d65).y - y) <= 1e-15)
    #expect(abs(LabColor(XYZ(x: 0.1, y: y, z: 0.1), white: Self.d65).l - l) <= 1e-12)
  }

  @Test(arguments: exact)
  func exactColors(xyz: XYZ, white: XYZ, expected: LabColor) {
    let lab = LabColor(xyz, white: white)
    for path in [\LabColor.l, \.a, \.b] {
      #expect(abs(lab[keyPath: path] - expected[keyPath: path]) <= 1e-12)
    }
    let back = XYZ(expected, white: white)
    for path in [\XYZ.x, \.y, \.z] {
      #expect(abs(back[keyPath: path] - xyz[keyPath: path]) <= 1e-15)
    }
  }

  /// Values of `colour.models.Lab_to_LCHab` (colour-science 0.4.7).
  static let polar: [(Double, Double, Double, Double)] = [
    (51.201367980100386, 19.9218058597302, 54.94049901253564, 21.2603832937004),
    (-42.35705135510943, 22.034033136548913, 47.745349676821014, 152.51666075553774),
    (-1.0295607180680304, -20.771864896334186, 20.79736441339982, 267.16244792212024),
    (1.3740114129142813, -1.2192949566726623, 1.8370050501253634, 318.4142148400712),
    (5.0, 0.0, 5.0, 0.0), (0.0, 5.0, 5.0, 90.0), (-5.0, 0.0, 5.0, 180.0), (0.0, -5.0, 5.0, 270.0),
    (0.0, 0.0, 0.0, 0.0),
  ]

  @Test(arguments: polar)
  func polarForm(a: Double, b: Double, chroma: Double, hue: Double) {
    let color = LabColor(l: 40, a: a, b: b)
    #expect(abs(color.chroma - chroma) <= 1e-13 && abs(color.hue - hue) <= 1e-13)
    let back = LabColor(l: 40, chroma: chroma, hue: hue)
    #expect(back.l == 40 && abs(back.a - a) <= 1e-13 && abs(back.b - b) <= 1e-13)
  }

  @Test func edges() {
    // The two pieces meet at L* = 8.
    for y in [216.0 / 24389, (216.0 / 24389).nextUp] {
      #expect(abs(LabColor(XYZ(x: y, y: y, z: y), white: XYZ(x: 1, y: 1, z: 1)).l - 8) <= 1e-14)
    }
    #expect(LabColor(XYZ(x: 0, y: 0, z: 0), white: Self.d65) == LabColor(l: 0, a: 0, b: 0))
    #expect(LabColor(Self.d65, white: Self.d65) == LabColor(l: 100, a: 0, b: 0))
    #expect(LabColor(l: 50, a: 1, b: -1e-300).hue == 0)
    #expect(LabColor(l: 50, a: 1, b: .nan).hue.isNaN)
    #expect(LabColor(l: 50, chroma: 1, hue: .infinity).a.isNaN)
    for white in [
      XYZ(x: 0, y: 1, z: 1), XYZ(x: 1, y: 1, z: .infinity), XYZ(x: 1, y: .nan, z: 1),
      XYZ(x: 1, y: 1, z: -1),
    ] {
      let lab = LabColor(Self.d65, white: white)
      #expect(lab.l.isNaN && lab.a.isNaN && lab.b.isNaN)
      let xyz = XYZ(LabColor(l: 50, a: 0, b: 0), white: white)
      #expect(xyz.x.isNaN && xyz.y.isNaN && xyz.z.isNaN)
    }
    #expect(LabColor(XYZ(x: .nan, y: 1, z: 1), white: Self.d65).a.isNaN)
  }
}
