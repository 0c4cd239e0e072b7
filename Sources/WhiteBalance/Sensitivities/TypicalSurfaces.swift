import ColorScience

/// Typical surfaces, to which no color matrix is fitted: smooth random mixtures of the patches of a
/// color chart.
enum TypicalSurfaces {
  /// The reflectances of 128 surfaces on `SensorGrid`.
  static let all: [[Double]] = {
    var random = MMIXGenerator()
    // ln(R/(1 − R)), which has no bounds.
    let patches = ColorChart.classicBefore2014.patches.map { patch in
      SensorGrid.values(of: patch.reflectance).map { share in
        logarithm(share / (1 - min(share, 0.95)))
      }
    }
    return (0..<128).map { _ in
      let first = patches[Int(random.uniform() * Double(patches.count))]
      let second = patches[Int(random.uniform() * Double(patches.count))]
      let share = random.uniform()
      let mixed = zip(first, second).map { share * $0 + (1 - share) * $1 }
      let mean = mixed.reduce(0, +) / Double(mixed.count)
      let heights = (0..<9).map { _ in 0.6 * random.normal() }
      return mixed.enumerated().map { index, value in
        let bumps = heights.enumerated().reduce(0.0) { sum, bump in
          let z = (SensorGrid.wavelength(index) - (340 + 60 * Double(bump.offset))) / 45
          return sum + bump.element * exponential(-z * z)
        }
        return 1 / (1 + exponential(-(mean + saturation * (value + bumps - mean))))
      }
    }
  }()

  /// The saturation of the mixtures relative to the patches, chosen so that a matrix leaves the
  /// same differences on them as on the samples of CIE 224:2017.
  private static let saturation = 0.95
}
