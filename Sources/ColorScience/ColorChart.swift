/// A chart of colored patches whose reflectances are known.
///
/// ```swift
/// let chart = ColorChart.classicFrom2014
/// print(chart.patches[18].name)              // white 9.5
/// print(chart.patches[18].reflectance[560])  // 0.88…
/// ```
///
/// Charts differ from each other and fade. Reflectances measured on the chart in use are better
/// than a table.
public struct ColorChart: Hashable, Sendable {
  /// One patch.
  public struct Patch: Hashable, Sendable {
    /// The patch's name, such as `dark skin`.
    public let name: String
    /// The reflectance at each wavelength, as a fraction 0…1.
    public let reflectance: SpectralDistribution

    /// A patch with a name and a reflectance that the caller measured or looked up.
    public init(name: String, reflectance: SpectralDistribution) {
      self.name = name
      self.reflectance = reflectance
    }
  }

  /// The patches, row by row, each row from the left.
  public let patches: [Patch]
  /// The number of patches in a row.
  public let columns: Int

  /// Creates a chart from its patches.
  ///
  /// - Parameters:
  ///   - patches: the patches, row by row.
  ///   - columns: the number of patches in a row, of which the number of patches is a multiple.
  /// - Throws: `InvalidReflectance` for the first patch whose reflectance is not positive and
  ///   finite at every fifth nanometer from 400 to 700 nm.
  public init(patches: [Patch], columns: Int = 6) throws(InvalidReflectance) {
    precondition(
      columns > 0 && patches.count % columns == 0,
      "`columns` must be positive and divide the number of patches")
    for patch in patches {
      for nanometers in stride(from: 400.0, through: 700, by: 5) {
        let value = patch.reflectance[nanometers]
        guard value > 0, value.isFinite else {
          throw InvalidReflectance(patch: patch.name, wavelength: nanometers, value: value)
        }
      }
    }
    self.patches = patches
    self.columns = columns
  }

  /// Returns the tristimulus values of each patch under a lamp whose white has Y = 1, for the 1931
  /// observer.
  ///
  /// Error relative to CIE's own sums: that of `SpectralDistribution.xyz`. Under D50 the later
  /// edition is within 0.1 CIEDE2000 of the maker's published colors (`ChartComparisonTests`). Edge
  /// cases: not finite for a lamp without visible power. Complexity: O(patches).
  ///
  /// - Parameter light: the lamp's power from 380 to 780 nm, in any unit.
  public func colors(under light: SpectralDistribution) -> [XYZ] {
    let grid = StandardObserver.range
    let scale = 1 / light.xyz.y
    return patches.map { patch in
      let reflected = stride(from: grid.lowerBound, through: grid.upperBound, by: 1).map {
        light[$0] * patch.reflectance[$0]
      }
      let color = SpectralDistribution(first: grid.lowerBound, step: 1, values: reflected).xyz
      return XYZ(scale * color.vector)
    }
  }

  /// An edition of the ColorChecker Classic.
  public enum Edition: String, Hashable, Sendable, CaseIterable {
    /// Charts made until November 2014.
    case before2014
    /// Charts made from November 2014 on.
    case from2014
  }

  /// The ColorChecker Classic of the given edition.
  public init(_ edition: Edition) {
    switch edition {
    case .before2014: self = .classicBefore2014
    case .from2014: self = .classicFrom2014
    }
  }

  private init(_ table: ColorCheckerReflectances.Patches) {
    columns = 6
    patches = table.map { name, figures in
      Patch(
        name: name,
        reflectance: SpectralDistribution(
          first: 380, step: 10, values: figures.map { Double($0) / 1e4 }))
    }
  }

  /// The ColorChecker Classic with 24 patches as made until November 2014, also part of the
  /// Passport of those years.
  ///
  /// Error: 0.5 CIEDE2000 on average from the maker's published colors under D50, at most 1.2
  /// (`ColorChartTests`). Source: the average of 30 charts by D. Pascale, BabelColor, in
  /// `Calibration/Reflectances`, BSD-3-Clause; constant beyond 730 nm.
  public static let classicBefore2014 = ColorChart(ColorCheckerReflectances.before)

  /// The ColorChecker Classic with 24 patches as made from November 2014 on.
  ///
  /// Error: 0.03 CIEDE2000 from the maker's published colors under D50 (`ColorChartTests`). Source:
  /// the spectra of one chart, BSL-1.0, each multiplied by a smooth factor that gives it the color
  /// published by the maker; see `Calibration/Reflectances`.
  public static let classicFrom2014 = ColorChart(ColorCheckerReflectances.from)
}

/// An error: a reflectance that no surface can have.
public struct InvalidReflectance: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the patch.
  public let patch: String
  /// The wavelength, in nanometers.
  public let wavelength: Double
  /// The reflectance at that wavelength.
  public let value: Double

  /// One sentence that states the error and its place.
  public var description: String {
    "the reflectance of \(patch) at \(wavelength) nm, \(value), is not positive and finite; "
      + "give it from 400 to 700 nm, as a fraction of the light"
  }
}
