public import ColorScience

/// The pictures of a series, grouped by the light that their scenes, exposures and times suggest.
///
/// Two motifs under one light can differ in color as much as one motif under two lights. Therefore
/// a boundary is stated only if its probability is at least `confidence`, and its place may be
/// uncertain by several pictures. The light may also change where no boundary is found.
/// <doc:LightOfASeries> describes the method and its measured accuracy.
///
/// ```swift
/// /// The numbers of the pictures that need a card of their own.
/// func withoutCard(_ pictures: [SeriesPicture]) -> [Range<Int>] {
///   LightGroups(pictures).groups.filter { $0.neutral == nil }.map(\.pictures)
/// }
/// ```
///
/// Domain: pictures in the order in which they were taken, with one white balance, which is not
/// automatic. Complexity: O(pictures), some 30 million operations each.
public struct LightGroups: Hashable, Sendable {
  /// A change of the light.
  public struct Boundary: Hashable, Sendable {
    /// The picture that is most probably the first under the other light.
    public let picture: Int
    /// The range of pictures that may be the first under the other light.
    public let candidates: ClosedRange<Int>
    /// The probability that the light has changed there.
    public let confidence: Double
  }

  /// Successive pictures between which no change of the light was found.
  public struct Group: Hashable, Sendable {
    /// The numbers of the pictures.
    public let pictures: Range<Int>
    /// ln(red/green) of a neutral surface, as the scenes suggest it; NaN if none does.
    public let red: Double
    /// ln(blue/green) of a neutral surface, as the scenes suggest it; NaN if none does.
    public let blue: Double
    /// The standard error of both.
    public let standardError: Double
    /// The response to a neutral surface, if it is known of one of the pictures.
    public let neutral: LinearRGB?
  }

  /// A difference between the lights of two groups.
  public struct Difference: Hashable, Sendable {
    /// The difference from neutral of a gray surface that was neutral in the first group.
    public let ciede2000: Double
    /// The standard error, most of which is that of motifs.
    public let standardError: Double
    /// `true` if the neutral of the first group is known.
    public let isFromCard: Bool
    /// The 95 % interval.
    public var interval: ClosedRange<Double> {
      let (low, high) = (ciede2000 - 1.96 * standardError, ciede2000 + 1.96 * standardError)
      return max(0, low)...max(0, high)
    }
  }

  /// The least probability of a boundary that is stated.
  public static let confidence = 0.95

  /// The groups in order, of at least one picture each.
  public let groups: [Group]
  /// The boundaries between the groups.
  public let boundaries: [Boundary]
  private let colors: LightChangeDetector.Colors

  /// Groups the pictures of a series.
  public init(_ pictures: [SeriesPicture], colors: LightChangeDetector.Colors = .sRGB) {
    self.colors = colors
    let path = LightPath(pictures)
    boundaries = Self.boundaries(of: path)
    let starts = [0] + boundaries.map(\.picture)
    groups = zip(starts, starts.dropFirst() + [pictures.count]).compactMap { start, end in
      start < end ? Self.group(pictures, start..<end, scale: path.scale) : nil
    }
  }

  /// Returns the difference from the light of a group, whose neutral may be known, to that of
  /// another or of the same group, which its scenes suggest; `nil` if one shows nothing.
  public func difference(_ first: Group, _ second: Group) -> Difference? {
    let shift =
      SIMD2(second.red, second.blue) - (first.neutral?.logRatios ?? SIMD2(first.red, first.blue))
    guard shift.x.isFinite, shift.y.isFinite else { return nil }
    let known = first.neutral == nil ? first.standardError : 0.01
    let squares = known * known + second.standardError * second.standardError
    let size = SceneLightChange.size(
      of: shift, error: SIMD2(repeating: squares.squareRoot()), in: colors)
    return Difference(
      ciede2000: size.ciede2000, standardError: size.error, isFromCard: first.neutral != nil)
  }

  /// Returns the shortest spans with a change that is certain enough; none overlap.
  private static func boundaries(of path: LightPath) -> [Boundary] {
    let count = path.changes.count
    var isTaken = [Bool](repeating: false, count: count)
    var found: [Boundary] = []
    for length in 1...LightPath.longest {
      for start in 0..<max(0, count - length) {
        let span = start + 1...start + length
        let probability = 1 - path.stays[start][length - 1]
        guard probability >= confidence, !span.contains(where: { isTaken[$0] }) else { continue }
        for index in span { isTaken[index] = true }
        let most = span.max { path.changes[$0] < path.changes[$1] } ?? start + 1
        found.append(
          Boundary(picture: most, candidates: span, confidence: min(probability, 0.999)))
      }
    }
    return found.sorted { $0.picture < $1.picture }
  }

  private static func group(
    _ pictures: [SeriesPicture], _ range: Range<Int>, scale: Double
  ) -> Group {
    var (sum, weights) = (SIMD2<Double>.zero, 0.0)
    // A card fills its own picture, or much of it.
    let scenes = pictures[range].compactMap { $0.neutral == nil ? $0.scene : nil }
    for scene in scenes {
      let error = scale * scene.standardError
      sum += scene.ratios / (error * error)
      weights += 1 / (error * error)
    }
    let mean = sum / weights
    // All motifs of a place may have a color in common.
    let place =
      LightPath.placeShare
      * max(LightPath.leastPlace, scenes.isEmpty ? 0 : scale * median(scenes.map(\.standardError)))
    return Group(
      pictures: range, red: mean.x, blue: mean.y,
      standardError: (1 / weights + place * place).squareRoot(),
      neutral: pictures[range].lazy.compactMap(\.neutral).first)
  }
}
