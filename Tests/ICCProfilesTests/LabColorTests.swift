import CWbcalLittleCMS
import ColorScience
import Testing
import WhiteBalanceTestSupport

/// Tests of `LabColor` against an independent implementation.
struct LabColorTests {
  /// Conversions agree with an independent one, for dark, ordinary and negative colors and colors
  /// beyond the white.
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

  /// Differences agree for random pairs: any two colors, similar ones, and near grays.
  @Test func differencesAgreeWithLittleCMS() {
    var random = SeededRandom(seed: 7)
    func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.uniform()
    }
    for index in 0..<30_000 {
      let reach = index % 3 == 2 ? 2.0 : 128
      let first = LabColor(
        l: number(0...100), a: number(-reach...reach), b: number(-reach...reach))
      let second =
        index % 3 == 1
        ? LabColor(
          l: first.l + number(-1...1), a: first.a + number(-1...1), b: first.b + number(-1...1))
        : LabColor(l: number(0...100), a: number(-reach...reach), b: number(-reach...reach))
      var one = cmsCIELab(L: first.l, a: first.a, b: first.b)
      var other = cmsCIELab(L: second.l, a: second.a, b: second.b)
      let theirs = unsafe cmsCIE2000DeltaE(&one, &other, 1, 1, 1)
      #expect(abs(first.ciede2000(to: second) - theirs) <= 1e-12 * max(1, theirs))
    }
  }
}
