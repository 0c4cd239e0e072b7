import ColorScience
import Testing

struct DominantWavelengthTests {
  static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  static let equalEnergy = Chromaticity(x: 1.0 / 3, y: 1.0 / 3)

  struct Example: Sendable {
    var x, y: Double
    var hue: DominantWavelength.Hue
    var purity: Double
    var white = d65
  }

  /// Values in exact fractions over the tabulated functions. The whole nanometers are those of
  /// `colour.dominant_wavelength`. The purities are those of `colour.excitation_purity`
  /// (colour-science 0.4.7) to 2e-8, and to 3e-6 for purples, whose line it draws elsewhere.
  @Test(arguments: [
    Example(
      x: 0.54369557, y: 0.32107944, hue: .spectral(616.4093501324448), purity: 0.6228856718784459),
    Example(
      x: 0.37605506, y: 0.24452225, hue: .purple(complementary: 508.92480733809236),
      purity: 0.43834775135546405),
    Example(
      x: 0.35, y: 0.15, hue: .purple(complementary: 539.0886052172293), purity: 0.7553767110072613),
    // Points beyond the locus and beyond the purple line.
    Example(x: 0.1, y: 0.9, hue: .spectral(526.9477841972026), purity: 1.1650106113928702),
    Example(
      x: 0.5, y: 0.05, hue: .purple(complementary: 511.12899557414573), purity: 1.4084558564829712),
    Example(
      x: 0.44758, y: 0.40745, hue: .spectral(583.4593606104212), purity: 0.566498489225463,
      white: equalEnergy),
    Example(
      x: 0.31272, y: 0.32903, hue: .spectral(489.00884664662976), purity: 0.0727508113272182,
      white: equalEnergy),
  ])
  func exactValues(example: Example) throws {
    let found = try #require(
      DominantWavelength(Chromaticity(x: example.x, y: example.y), white: example.white))
    switch (found.hue, example.hue) {
    case (.spectral(let wavelength), .spectral(let expected)),
      (.purple(let wavelength), .purple(let expected)):
      #expect(abs(wavelength - expected) <= 1e-9)
    default: Issue.record("\(found.hue) for \(example.hue)")
    }
    #expect(abs(found.excitationPurity - example.purity) <= 1e-13)
  }

  /// The primaries of Rec. ITU-R BT.2020 are intended to be monochromatic light of 630, 532 and 467
  /// nm (Report BT.2246).
  @Test(arguments: [(0.708, 0.292, 630.0), (0.170, 0.797, 532), (0.131, 0.046, 467)])
  func publishedPrimaries(x: Double, y: Double, wavelength: Double) throws {
    let found = try #require(DominantWavelength(Chromaticity(x: x, y: y), white: Self.d65))
    guard case .spectral(let nanometers) = found.hue else {
      Issue.record("\(found.hue)")
      return
    }
    #expect(abs(nanometers - wavelength) < 0.15)
    #expect(abs(found.excitationPurity - 1) < 1e-3)
  }

  @Test func monochromaticLightIsItself() throws {
    for step in 0...3390 {
      let wavelength = 360 + Double(step) / 10
      let light = try #require(SpectralLocus.chromaticity(wavelength: wavelength))
      #expect(SpectralLocus.contains(light), "\(wavelength) nm")
      let found = try #require(DominantWavelength(light, white: Self.d65))
      guard case .spectral(let nanometers) = found.hue else {
        // The two ends of the purple line.
        #expect(wavelength == 360 || wavelength == 699)
        continue
      }
      #expect(abs(nanometers - wavelength) <= 1e-7)
      #expect(abs(found.excitationPurity - 1) <= 1e-14)
    }
    for wavelength in 699...830 {
      let light = try #require(SpectralLocus.chromaticity(wavelength: Double(wavelength)))
      #expect(SpectralLocus.contains(light), "\(wavelength) nm")
      #expect(abs(light.x - 0.73469) < 2e-7 && abs(light.y - 0.26531) < 2e-7)
    }
  }

  @Test(arguments: ["inverse.csv", "crazy.csv"])
  func insideAsTheReferenceSays(table: String) throws {
    var counts = [0, 0]
    for row in try ReferenceTable(table).rows {
      let point = Chromaticity(x: try row.number("x"), y: try row.number("y"))
      let inside = try row.number("inside_spectral_locus") == 1
      // This point is 3.1e-5 outside the polygon of the table, and so counts as outside there, but
      // 3.0e-5 within the mixtures of 574 and 612 nm.
      let isMixture = point.x == 0.6403610280853663
      #expect(SpectralLocus.contains(point) == (inside || isMixture), "\(point)")
      counts[inside ? 1 : 0] += 1
    }
    #expect(counts.min()! > 10)
  }

  @Test func edgeOfTheVisible() throws {
    // Mixtures of two lights lie on the chord between them, even where the locus is concave.
    func light(_ wavelength: Double) throws -> Chromaticity {
      try #require(SpectralLocus.chromaticity(wavelength: wavelength))
    }
    for (first, second) in [(574.0, 612.0), (360, 380), (360, 767), (504, 505)] {
      let (a, b) = (try light(first), try light(second))
      let middle = Chromaticity(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
      #expect(SpectralLocus.contains(middle), "\(first) \(second)")
      // A step of 1e-12 outward, to the right of the direction from the blue end to the red.
      let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
      let outward = first == 360 && second == 767 ? 1e-12 : -1e-12
      let outside = Chromaticity(
        x: middle.x + outward * (b.y - a.y) / length, y: middle.y - outward * (b.x - a.x) / length)
      #expect(!SpectralLocus.contains(outside), "\(first) \(second)")
    }
    for point in [
      Chromaticity(x: .nan, y: 0.3), Chromaticity(x: 0.3, y: .infinity),
      Chromaticity(x: -1e300, y: 1e300), Chromaticity(x: 1e308, y: 1e308),
    ] {
      #expect(!SpectralLocus.contains(point))
      #expect(DominantWavelength(point, white: Self.d65) == nil)
      #expect(DominantWavelength(Self.d65, white: point) == nil)
    }
    #expect(DominantWavelength(Self.d65, white: Self.d65) == nil)
    // Whites outside the locus: the ray points at the locus, away from it and past it.
    let outside = Chromaticity(x: 0.7, y: 0.7)
    for (x, y) in [(0.3, 0.3), (0.8, 0.8), (0.7, 0.8)] {
      #expect(DominantWavelength(Chromaticity(x: x, y: y), white: outside) == nil)
    }
  }
}
