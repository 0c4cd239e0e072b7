import ColorScience
import WbcalFoundation

extension ColorChart {
  /// Reads a chart of 24 patches from a file of their reflectances, in the order of the
  /// ColorChecker Classic and in any layout that `SpectralTable` reads.
  ///
  /// Reflectances above 2 are percentages. A patch far from its color on any ColorChecker Classic
  /// is refused, since the rows of measuring programs may be in another order.
  init(path: String) throws {
    func bad(_ reason: String) -> Failure { Failure.badData("\(path): \(reason)") }
    let table = try SpectralTable([UInt8](readFile(path)), bad)
    guard table.spectra.count == 24 else {
      throw bad("there are \(table.spectra.count) patches; a ColorChecker Classic has 24")
    }
    let classic = ColorChart.classicFrom2014.patches
    var patches: [Patch] = []
    for (row, spectrum) in table.spectra.enumerated() {
      let name = spectrum.name ?? classic[row].name
      do {
        patches.append(
          Patch(name: name, reflectance: try SpectralDistribution(samples: spectrum.samples)))
      } catch { throw bad("patch \(row + 1) (\(name)): \(error)") }
    }
    let brightest = patches.flatMap(\.reflectance.values).max() ?? 0
    if brightest > 2 {
      patches = patches.map {
        Patch(
          name: $0.name,
          reflectance: SpectralDistribution(
            first: $0.reflectance.firstWavelength, step: $0.reflectance.step,
            values: $0.reflectance.values.map { $0 / 100 }))
      }
    }
    do { try self.init(patches: patches) } catch { throw bad("\(error)") }
    for (row, (own, usual)) in zip(patches, classic).enumerated() {
      let difference = Self.color(of: own).ciede2000(to: Self.color(of: usual))
      guard difference < 15 else {
        throw bad(
          "patch \(row + 1) (\(own.name)) differs from \(usual.name) (CIEDE2000 "
            + "\(fixed(difference, decimals: 0))); rows must go from dark skin to bluish green, "
            + "then from orange on")
      }
    }
  }

  /// Returns the color under D50.
  private static func color(of patch: Patch) -> LabColor {
    func xyz(_ reflectance: (Double) -> Double) -> SIMD3<Double> {
      let values = stride(from: 380.0, through: 780, by: 5).map {
        StandardIlluminant.d50.spectrum[$0] * reflectance($0)
      }
      return SpectralDistribution(first: 380, step: 5, values: values).xyz.vector
    }
    let white = xyz { _ in 1 }
    return LabColor(
      XYZ(xyz { patch.reflectance[$0] } / white.y), white: XYZ(white / white.y))
  }
}
