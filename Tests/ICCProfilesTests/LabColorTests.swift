import CWbcalLittleCMS
import ColorScience
import ICCProfiles
import Testing

struct LabColorTests {
  /// Pairs 1, 7, 13, 17, 20, 25, 31 and 34 of Sharma, Wu, Dalal: The CIEDE2000 Color-Difference
  /// Formula, Color Res. Appl. 30(1), 2005, table 1.
  @Test(arguments: [
    (LabColor(l: 50, a: 2.6772, b: -79.7751), LabColor(l: 50, a: 0, b: -82.7485), 2.0425),
    (LabColor(l: 50, a: 0, b: 0), LabColor(l: 50, a: -1, b: 2), 2.3669),
    (LabColor(l: 50, a: -0.001, b: 2.49), LabColor(l: 50, a: 0.0009, b: -2.49), 4.8045),
    (LabColor(l: 50, a: 2.5, b: 0), LabColor(l: 73, a: 25, b: -18), 27.1492),
    (LabColor(l: 50, a: 2.5, b: 0), LabColor(l: 58, a: 24, b: 15), 19.4535),
    (
      LabColor(l: 60.2574, a: -34.0099, b: 36.2677), LabColor(l: 60.4626, a: -34.1751, b: 39.4387),
      1.2644
    ),
    (
      LabColor(l: 22.7233, a: 20.0904, b: -46.694), LabColor(l: 23.0331, a: 14.973, b: -42.5619),
      2.0373
    ),
    (
      LabColor(l: 2.0776, a: 0.0795, b: -1.135), LabColor(l: 0.9033, a: -0.0636, b: -0.5514), 0.9082
    ),
  ])
  func publishedPairs(first: LabColor, second: LabColor, difference: Double) {
    #expect(abs(first.ciede2000(to: second) - difference) < 5e-5)
    #expect(abs(second.ciede2000(to: first) - difference) < 5e-5)
  }

  /// An independent conversion, over dark, ordinary and negative colors and those beyond the white.
  @Test func agreesWithLittleCMS() {
    let white = XYZ(x: 0.96422, y: 1, z: 0.82521)
    var profileWhite = cmsCIEXYZ(X: white.x, Y: white.y, Z: white.z)
    let levels = [-0.2, 0, 0.001, 0.008, 0.009, 0.18, 0.7, 1, 2.5]
    for x in levels {
      for y in levels {
        for z in levels {
          var color = cmsCIEXYZ(X: x, Y: y, Z: z)
          var theirs = cmsCIELab()
          unsafe cmsXYZ2Lab(&profileWhite, &theirs, &color)
          let ours = LabColor(XYZ(x: x, y: y, z: z), white: white)
          #expect(abs(ours.l - theirs.L) <= 1e-12)
          #expect(abs(ours.a - theirs.a) <= 1e-12 && abs(ours.b - theirs.b) <= 1e-12)
        }
      }
    }
  }

  @Test func neutralIsNeutral() {
    for level in [0.02, 0.18, 1] {
      let gray = NeutralDifference(linearSRGB: LinearRGB(red: level, green: level, blue: level))
      #expect(gray.ciede2000 < 1e-6)
      // L* = 116·Y^(1/3) − 16.
      if level == 1 { #expect(abs(gray.lab.l - 100) < 1e-9) }
      if level == 0.18 { #expect(abs(gray.lab.l - 49.4961) < 1e-4) }
    }
  }

  @Test func directionsOfLab() {
    let red = NeutralDifference(linearSRGB: LinearRGB(red: 0.22, green: 0.18, blue: 0.18))
    let blue = NeutralDifference(linearSRGB: LinearRGB(red: 0.18, green: 0.18, blue: 0.22))
    #expect(red.lab.a > 0 && red.lab.b > 0)
    #expect(blue.lab.b < 0)
    #expect(red.ciede2000 > 3)
  }
}
