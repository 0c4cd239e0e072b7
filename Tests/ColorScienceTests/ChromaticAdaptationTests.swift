import ColorScience
import Testing

struct ChromaticAdaptationTests {
  /// The whites of ASTM E308, as Lindbloom uses them.
  static let a = XYZ(x: 1.09850, y: 1, z: 0.35585)
  static let d50 = XYZ(x: 0.96422, y: 1, z: 0.82521)
  static let d65 = XYZ(x: 0.95047, y: 1, z: 1.08883)

  /// Matrices of Lindbloom, Chromatic Adaptation (2017), to its seven decimals.
  @Test(arguments: [
    (
      ChromaticAdaptation.Method.bradford, d65,
      [
        1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436,
        0.7521316,
      ]
    ),
    (
      .bradford, a,
      [
        0.8779529, -0.0915288, 0.2566181, -0.1117372, 1.0924325, 0.0851788, 0.0502012, -0.0837636,
        2.3994031,
      ]
    ),
    (
      .vonKries, d65,
      [1.0160803, 0.0552297, -0.0521326, 0.0060666, 0.9955661, -0.0012235, 0, 0, 0.7578869]
    ),
    (
      .vonKries, a,
      [0.9531871, -0.1809896, 0.2757725, -0.0198804, 1.0204129, 0.0040065, 0, 0, 2.3189827]
    ),
    (.xyzScaling, d65, [1.0144665, 0, 0, 0, 1, 0, 0, 0, 0.7578869]),
    (.xyzScaling, a, [0.8777606, 0, 0, 0, 1, 0, 0, 0, 2.3189827]),
  ])
  func publishedMatrices(method: ChromaticAdaptation.Method, white: XYZ, printed: [Double]) throws {
    let transform = try #require(ChromaticAdaptation(from: white, to: Self.d50, method: method))
    #expect(largestDifference(transform.matrix, printed) <= 5.1e-8)
  }

  /// Matrices from A to D65 with D = 0.75, in exact fractions.
  @Test(arguments: [
    (
      ChromaticAdaptation.Method.bradford,
      [
        0.8835223929774642, -0.08844190564359189, 0.29610807069789946, -0.10247275462797015,
        1.078091971442444, 0.09687888019216345, 0.05988671128813894, -0.10117495896908558,
        2.6443007070930586,
      ]
    ),
    (
      .cat02,
      [
        0.9015863235663655, -0.10623241974917885, 0.2903395905902104, -0.07724929044827075,
        1.043801897418711, 0.11537571487625238, 0.005861505803056712, 0.020086384982281862,
        2.4703098240636794,
      ]
    ),
    (
      .cat16,
      [
        0.9630170539029282, -0.14053226185730955, 0.1970929553040405, -0.019248923306124387,
        1.0242300573676157, -0.008669706662464936, -0.002055479095243252, 0.06822558924800125,
        2.3594698736493562,
      ]
    ),
    (
      .vonKries,
      [
        0.9546240246391404, -0.1754362451326691, 0.32108825085449866, -0.01927042722104622,
        1.0197871361475865, 0.0038820518609886897, 0, 0, 2.5448503582970354,
      ]
    ),
  ])
  func incompleteAdaptation(method: ChromaticAdaptation.Method, exact: [Double]) throws {
    let transform = try #require(
      ChromaticAdaptation(from: Self.a, to: Self.d65, method: method, degree: 0.75))
    #expect(largestDifference(transform.matrix, exact) <= 1e-15 * exact.map(abs).max()!)
  }

  /// Zhai and Luo, Opt. Express 26(6), 2018, adapt in two steps by way of a baseline white, each
  /// step with its own degree. Values: `colour.adaptation.chromatic_adaptation_Zhai2018`
  /// (colour-science 0.4.7).
  @Test(arguments: [
    (ChromaticAdaptation.Method.cat02, [39.18561643658909, 42.15461797930859, 19.23672035629463]),
    (.cat16, [40.37398343025465, 43.69426311441947, 20.51733763794766]),
  ])
  func twoSteps(method: ChromaticAdaptation.Method, expected: [Double]) throws {
    let equalEnergy = XYZ(x: 100, y: 100, z: 100)
    let first = try #require(
      ChromaticAdaptation(
        from: XYZ(x: 109.850, y: 100, z: 35.585), to: equalEnergy, method: method, degree: 0.9407))
    let second = try #require(
      ChromaticAdaptation(
        from: XYZ(x: 95.047, y: 100, z: 108.883), to: equalEnergy, method: method, degree: 0.98))
    let found =
      try #require(second.matrix.inverse)
      * first.adapted(XYZ(x: 48.900, y: 43.620, z: 6.250)).vector
    for index in 0..<3 { #expect(abs(found[index] - expected[index]) <= 1e-12) }
  }

  @Test(arguments: ChromaticAdaptation.Method.allCases)
  func ofTheWhiteItself(method: ChromaticAdaptation.Method) throws {
    let (a, d65) = (StandardIlluminant.a.chromaticity, StandardIlluminant.d65.chromaticity)
    let there = try #require(ChromaticAdaptation(from: a, to: d65, method: method))
    let back = try #require(ChromaticAdaptation(from: d65, to: a, method: method))
    let white = there.adapted(XYZ(a))
    #expect(abs(white.x - XYZ(d65).x) <= 1e-15)
    #expect(abs(white.y - 1) <= 1e-15)
    #expect(abs(white.z - XYZ(d65).z) <= 1e-15)
    let identity = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]
    #expect(largestDifference(back.matrix * there.matrix, identity) <= 2e-15)
    for transform in [
      ChromaticAdaptation(from: a, to: a, method: method),
      ChromaticAdaptation(from: a, to: d65, method: method, degree: 0),
    ] {
      #expect(largestDifference(try #require(transform).matrix, identity) <= 1e-15)
    }
  }

  @Test func noAnswer() {
    let d65 = StandardIlluminant.d65.chromaticity
    let red = Chromaticity(x: 0.75, y: 0.25)
    for bad in [
      red, Chromaticity(x: .nan, y: 0.3), Chromaticity(x: 0.3, y: 0), Chromaticity(x: 0, y: -1),
      Chromaticity(x: .infinity, y: 0.3),
    ] {
      #expect(ChromaticAdaptation(from: bad, to: d65, method: .xyzScaling) == nil, "\(bad)")
      #expect(ChromaticAdaptation(from: d65, to: bad, method: .xyzScaling) == nil, "\(bad)")
    }
    // Bradford's response to a deep blue is negative; the quotient of two such responses would look
    // valid.
    let blue = Chromaticity(x: 0.15, y: 0.02)
    for (source, destination) in [(blue, d65), (d65, blue), (blue, blue)] {
      #expect(ChromaticAdaptation(from: source, to: destination, degree: 0.1) == nil)
    }
    #expect(
      ChromaticAdaptation(
        from: XYZ(d65, luminance: 1e-200), to: XYZ(d65, luminance: 1e200)) == nil)
    for degree in [-0.001, 1.001, .nan] {
      #expect(ChromaticAdaptation(from: d65, to: d65, degree: degree) == nil)
    }
  }

  private func largestDifference(_ matrix: Matrix3x3, _ expected: [Double]) -> Double {
    let numbers = matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
    return zip(numbers, expected).map { abs($0 - $1) }.max() ?? .nan
  }
}
