import ColorScience

extension Calibration {
  /// A light under which shots were taken, and the gains that these shots alone imply.
  ///
  /// A class's matrix averages out the peculiarities of one lamp: a lamp of three diodes may need
  /// gains that differ by 10 % from those of its class. Under that same lamp the shots' own gains
  /// are right.
  public struct ShotLight: Hashable, Sendable {
    /// The light's name.
    public let name: String
    /// The gains that make the shots neutral, the smallest 1; of several shots the geometric mean,
    /// weighted by the inverse square of their noise.
    public let gains: Gains
    /// The covariance of the gains' logarithms, from the noise of the shots, each at least 1e-6.
    public let covariance: GainUncertainty.Covariance
    /// Indicates whether any of the shots is doubtful.
    public let isDoubtful: Bool
  }

  /// Finds the shots' light that equals a light: that of the same name, or otherwise that of the
  /// same chromaticity to four decimals. The classes must agree if both are known.
  ///
  /// - Returns: `nil` if there is none, or if the shots found differ in name or class, so that the
  ///   lamp is ambiguous.
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
      gains: Gains(red: exponential(mean.x), blue: exponential(mean.y)).normalized(to: .smallest),
      covariance: GainUncertainty.Covariance(red: 1 / total, blue: 1 / total, redBlue: 0),
      isDoubtful: found.contains(where: \.isDoubtful))
  }
}

extension Chromaticity {
  /// Returns whether x and y are equal to the four decimals that meters show.
  fileprivate func agrees(with other: Chromaticity) -> Bool {
    max(abs(x - other.x), abs(y - other.y)) <= 5.1e-5
  }
}
