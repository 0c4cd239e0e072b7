import ColorScience

extension Calibration {
  /// A light that shots were taken under, and what they say of it by themselves.
  ///
  /// A class's matrix smooths away what is odd about one lamp: a lamp of three diodes may need
  /// gains that differ by 10 % from those of its class. Under that very lamp the shots' own gains
  /// are right.
  public struct ShotLight: Hashable, Sendable {
    /// The light's name.
    public let name: String
    /// The gains that make the shots neutral, the smallest 1; of several shots the geometric mean,
    /// weighted by their noise.
    public let gains: Gains
    /// How far the gains may be off: the noise of the shots, each at least 1e-6.
    public let covariance: GainUncertainty.Covariance
    /// Whether a shot of it deserves a second look.
    public let isDoubtful: Bool
  }

  /// The light of a shot that a light is: one of its name, or else one of its chromaticity, which
  /// agrees to four decimals. Classes must not differ where both are known.
  ///
  /// - Returns: `nil` where there is none, or where the shots found differ in name or class, so
  ///   that nobody can tell which lamp is meant.
  public func shotLight(_ light: Light, lightClass: LightClass? = nil) -> ShotLight? {
    let lightClass = lightClass ?? light.impliedClass
    let alike = shots.filter { fitted in
      let known = fitted.shot.knownClass
      return lightClass == nil || known == nil || known == lightClass
    }
    var found = alike.filter { $0.shot.light.name == light.name }
    if found.isEmpty {
      found = alike.filter { $0.shot.light.chromaticity.agrees(with: light.chromaticity) }
    }
    guard let first = found.first?.shot,
      found.allSatisfy({
        $0.shot.light.name == first.light.name && $0.shot.knownClass == first.knownClass
      })
    else { return nil }
    var (sum, total) = (SIMD2<Double>.zero, 0.0)
    for shot in found.map(\.shot) {
      let noise = max(shot.noise, 1e-6)
      sum += shot.response.logGains / (noise * noise)
      total += 1 / (noise * noise)
    }
    let mean = sum / total
    return ShotLight(
      name: first.light.name,
      gains: Gains(red: exponential(mean.x), blue: exponential(mean.y)).normalized(),
      covariance: GainUncertainty.Covariance(red: 1 / total, blue: 1 / total, redBlue: 0),
      isDoubtful: found.contains(where: \.isDoubtful))
  }
}

extension Chromaticity {
  /// Whether x and y are the same to the four decimals that meters show.
  fileprivate func agrees(with other: Chromaticity) -> Bool {
    max(abs(x - other.x), abs(y - other.y)) <= 5.1e-5
  }
}
