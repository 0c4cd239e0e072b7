/// Robertson's method: 31 isotherms from 0 to 600 mired, and interpolation between the two on
/// either side of a chromaticity.
///
/// Most photographic software computes temperature with it. Source: A. R. Robertson, J. Opt. Soc.
/// Am. 58 (1968), 1528; table of Wyszecki & Stiles, *Color Science* (2nd edition, 1982), page 228,
/// under c₂ = 1.4388e-2 m·K. Complexity: O(31).
public enum Robertson1968: Hashable, Sendable {
  /// The table without its misprint: u = 0.24792 at 325 mired.
  ///
  /// Domain: 0…600 mired (`range`). Error: ≤ 0.08 mired over 1700…25 000 K and |Duv| ≤ 0.02, ≤ 0.18
  /// mired over the table and |Duv| ≤ 0.05; ≤ 1.1e-4 Duv, or 0.32 tint (`Robertson1968Tests`).
  case robertson
  /// The table of Adobe's DNG SDK and the programs built on it, including its misprint and its
  /// limits.
  ///
  /// The table as printed has u = 0.24702 at 325 mired, which moves temperatures between 300 and
  /// 350 mired (2857…3333 K) by up to 4 mired and 1 tint; elsewhere the results equal those of
  /// `robertson` to the last digit. For light bluer than 100 000 K the result is 100 000 K, and for
  /// light redder than 1667 K it is 1667 K, with the distance from that row as Duv; in the inverse
  /// the ends of the table are extrapolated linearly. The optional behavior of recent versions of
  /// the SDK below 2000 K is not reproduced. `Robertson1968Tests` has known results of the SDK.
  case adobeDNG

  /// The temperatures of the table, in kelvin: from 600 mired to infinite.
  public static let range = 1e6 / 600...Double.infinity

  /// Returns the color temperature and Duv of a chromaticity.
  ///
  /// Edge cases: `nil` for NaN and infinities, and, except for `adobeDNG`, outside the table.
  public func correlatedColorTemperature(
    of chromaticity: Chromaticity
  ) -> CorrelatedColorTemperature? {
    let p = UCS1960(chromaticity)
    guard chromaticity.isFinite, p.u.isFinite, p.v.isFinite else { return nil }
    let isotherms = isotherms
    let clamps = self == .adobeDNG
    var before = isotherms[0].distance(p)
    guard before >= 0 || clamps else { return nil }
    for index in 1...Self.last {
      let after = isotherms[index].distance(p)
      if after > 0 {
        before = after
        continue
      }
      let share = clamps && index == 1 ? 1 : before / (before - after)
      return isotherms[index - 1].mixed(with: isotherms[index], share: share).coordinates(p)
    }
    return clamps ? isotherms[Self.last].coordinates(p) : nil
  }

  /// Returns the chromaticity at a color temperature and Duv.
  ///
  /// Edge cases: `nil` for NaN and an infinite Duv, and, except for `adobeDNG`, outside 0…600
  /// mired.
  public func chromaticity(of temperature: CorrelatedColorTemperature) -> Chromaticity? {
    let mired = temperature.mired
    guard self == .adobeDNG || (0...600).contains(mired) else { return nil }
    let isotherms = isotherms
    var index = 1
    while index < Self.last, mired >= isotherms[index].mired { index += 1 }
    let (hot, cold) = (isotherms[index - 1], isotherms[index])
    let share = (mired - hot.mired) / (cold.mired - hot.mired)
    let isotherm = hot.mixed(with: cold, share: share)
    let result = Chromaticity(
      UCS1960(
        u: isotherm.u + temperature.duv * isotherm.greenU,
        v: isotherm.v + temperature.duv * isotherm.greenV))
    return result.isFinite ? result : nil
  }

  /// A point of the locus and the unit vector of its isotherm, towards green.
  private struct Isotherm: BitwiseCopyable {
    var mired, u, v, greenU, greenV: Double

    init(mired: Double, u: Double, v: Double, greenU: Double, greenV: Double) {
      (self.mired, self.u, self.v) = (mired, u, v)
      let length = (greenU * greenU + greenV * greenV).squareRoot()
      (self.greenU, self.greenV) = (greenU / length, greenV / length)
    }

    init(_ mired: Double, _ u: Double, _ v: Double, slope: Double) {
      self.init(mired: mired, u: u, v: v, greenU: -1, greenV: -slope)
    }

    /// Returns the signed distance of a point from the isotherm, positive on its red side.
    func distance(_ p: UCS1960) -> Double { greenV * (p.u - u) - greenU * (p.v - v) }

    func mixed(with other: Isotherm, share: Double) -> Isotherm {
      func mix(_ a: Double, _ b: Double) -> Double { a * (1 - share) + b * share }
      return Isotherm(
        mired: mix(mired, other.mired), u: mix(u, other.u), v: mix(v, other.v),
        greenU: mix(greenU, other.greenU), greenV: mix(greenV, other.greenV))
    }

    /// Returns the color temperature and Duv of a point, projected onto this isotherm.
    func coordinates(_ p: UCS1960) -> CorrelatedColorTemperature? {
      let duv = greenU * (p.u - u) + greenV * (p.v - v)
      return duv.isFinite ? CorrelatedColorTemperature(mired: mired, duv: duv) : nil
    }
  }

  private static let last = 30
  private static let corrected = table(u325: 0.24792)
  private static let misprinted = table(u325: 0.24702)
  private var isotherms: ImmortalTable<Isotherm> {
    self == .adobeDNG ? Self.misprinted : Self.corrected
  }

  private static func table(u325: Double) -> ImmortalTable<Isotherm> {
    ImmortalTable<Isotherm>([
      Isotherm(0, 0.18006, 0.26352, slope: -0.24341),
      Isotherm(10, 0.18066, 0.26589, slope: -0.25479),
      Isotherm(20, 0.18133, 0.26846, slope: -0.26876),
      Isotherm(30, 0.18208, 0.27119, slope: -0.28539),
      Isotherm(40, 0.18293, 0.27407, slope: -0.30470),
      Isotherm(50, 0.18388, 0.27709, slope: -0.32675),
      Isotherm(60, 0.18494, 0.28021, slope: -0.35156),
      Isotherm(70, 0.18611, 0.28342, slope: -0.37915),
      Isotherm(80, 0.18740, 0.28668, slope: -0.40955),
      Isotherm(90, 0.18880, 0.28997, slope: -0.44278),
      Isotherm(100, 0.19032, 0.29326, slope: -0.47888),
      Isotherm(125, 0.19462, 0.30141, slope: -0.58204),
      Isotherm(150, 0.19962, 0.30921, slope: -0.70471),
      Isotherm(175, 0.20525, 0.31647, slope: -0.84901),
      Isotherm(200, 0.21142, 0.32312, slope: -1.0182),
      Isotherm(225, 0.21807, 0.32909, slope: -1.2168),
      Isotherm(250, 0.22511, 0.33439, slope: -1.4512),
      Isotherm(275, 0.23247, 0.33904, slope: -1.7298),
      Isotherm(300, 0.24010, 0.34308, slope: -2.0637), Isotherm(325, u325, 0.34655, slope: -2.4681),
      Isotherm(350, 0.25591, 0.34951, slope: -2.9641),
      Isotherm(375, 0.26400, 0.35200, slope: -3.5814),
      Isotherm(400, 0.27218, 0.35407, slope: -4.3633),
      Isotherm(425, 0.28039, 0.35577, slope: -5.3762),
      Isotherm(450, 0.28863, 0.35714, slope: -6.7262),
      Isotherm(475, 0.29685, 0.35823, slope: -8.5955),
      Isotherm(500, 0.30505, 0.35907, slope: -11.324),
      Isotherm(525, 0.31320, 0.35968, slope: -15.628),
      Isotherm(550, 0.32129, 0.36011, slope: -23.325),
      Isotherm(575, 0.32931, 0.36038, slope: -40.770),
      Isotherm(600, 0.33724, 0.36051, slope: -116.45),
    ])
  }
}
