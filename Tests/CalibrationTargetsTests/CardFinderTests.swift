import ColorScience
import Foundation
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

struct CardFinderTests {
  /// The number of scenes, if the few of an ordinary test are not enough.
  private static let soakScenes =
    ProcessInfo.processInfo.environment["WBCAL_CARD_SCENES"].flatMap { Int($0) }

  /// A card is found in at least 95 % of 500 rendered scenes (`make soak`), and in at least nine of
  /// the first ten.
  @Test func renderedScenes() throws {
    let count = Self.soakScenes ?? 10
    var failed: [Int] = []
    for seed in 1...count {
      let scene = RenderedScene(seed: UInt64(seed))
      let proposal = try? CardFinder().card(in: scene.frame)
      let overlap = proposal.map { scene.overlap(with: $0.region) }
      if let overlap, overlap.inside >= 0.95, overlap.covered >= 0.4 { continue }
      failed.append(seed)
    }
    #expect(failed.count <= max(1, count / 20), "\(failed)")
  }

  /// Other surfaces may look like a card, but rarely do.
  @Test(.enabled(if: soakScenes != nil)) func scenesWithoutACard() throws {
    var found = 0
    for seed in 10_001...10_100 as ClosedRange<UInt64> {
      let scene = RenderedScene(seed: seed, hasCard: false)
      if (try? CardFinder().card(in: scene.frame)) != nil { found += 1 }
    }
    #expect(found <= 15)
  }

  /// Returns the proposal for a frame of 8 bits whose pixels have the given linear values.
  private func proposal(
    _ width: Int = 240, _ height: Int = 160, cardWidth: Int? = nil,
    _ light: (Int, Int) -> SIMD3<Double>
  ) throws -> CardProposal {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let light = light(x, y)
        for channel in 0..<3 {
          bytes.append(UInt8(max(0, min(255, (255 * light[channel]).rounded()))))
        }
      }
    }
    let layout = try FrameLayout(width: width, height: height, format: .rgb8)
    var finder = CardFinder()
    finder.cardWidth = cardWidth
    return try finder.card(in: try Frame(layout: layout, bytes: bytes))
  }

  /// A rough background of one color.
  private func rough(
    _ x: Int, _ y: Int, _ color: SIMD3<Double> = SIMD3(0.1, 0.3, 0.1)
  ) -> SIMD3<Double> {
    color * ((x / 4 * 7 + y / 4 * 13) % 5 < 2 ? 0.4 : 1)
  }

  /// Finds a card of one color in the middle of a rough background of another.
  private func find(
    card: SIMD3<Double>, background: SIMD3<Double> = SIMD3(0.1, 0.3, 0.1), side: Double = 0.5
  ) throws -> CardProposal {
    let margin = (1 - side) / 2
    let columns = Int(240 * margin)..<Int(240 * (1 - margin))
    let rows = Int(160 * margin)..<Int(160 * (1 - margin))
    return try proposal { x, y in
      columns.contains(x) && rows.contains(y) ? card : rough(x, y, background)
    }
  }

  @Test func aBalancedPicture() throws {
    let proposal = try find(card: SIMD3(0.4, 0.4, 0.4))
    // The card covers 60…180 across and 40…120 down; cells are two pixels wide.
    #expect((60...63).contains(proposal.region.x))
    #expect((40...43).contains(proposal.region.y))
    #expect((113...120).contains(proposal.region.width))
    #expect((73...80).contains(proposal.region.height))
    #expect(proposal.confidence > 0.9)
  }

  /// A card is found under a lamp for which the picture was not balanced, with the red and blue of
  /// 2850 K in daylight balance.
  @Test func aPictureUnderAnotherLamp() throws {
    #expect(try find(card: SIMD3(0.6, 0.35, 0.15)).region.width > 100)
  }

  /// A card of three cells across or down is found, and its edges are excluded.
  @Test func aCardOfFewCells() throws {
    let gray = SIMD3(0.4, 0.4, 0.4)
    let tall = try proposal(24, 20) { x, y in
      8..<14 ~= x && 4..<16 ~= y ? gray : rough(x, y)
    }
    #expect(tall.region == PixelRectangle(x: 9, y: 5, width: 4, height: 10))
    let wide = try proposal(20, 24) { x, y in
      4..<16 ~= x && 8..<14 ~= y ? gray : rough(x, y)
    }
    #expect(wide.region == PixelRectangle(x: 5, y: 9, width: 10, height: 4))
  }

  /// All cells are connected, and no cell has both median colors.
  @Test(.timeLimit(.minutes(10))) func colorsAroundNoColor() throws {
    #expect(throws: CardFinderError.self) {
      try proposal(128, 128) { x, _ in
        let t = Double(x) / 127
        return 0.2 * SIMD3(exponential(t), 1, exponential(abs(t - 0.5)))
      }
    }
  }

  /// A second card reduces the confidence; the parts of one card in a shadow are not rivals.
  @Test func rivals() throws {
    let gray = SIMD3(0.4, 0.4, 0.4)
    func confidence(_ isCard: (Int, Int) -> SIMD3<Double>?) throws -> Double {
      try proposal { x, y in isCard(x, y) ?? rough(x, y) }.confidence
    }
    let one = try confidence { x, y in 20..<110 ~= x && 40..<120 ~= y ? gray : nil }
    let two = try confidence { x, y in
      (20..<110 ~= x || 130..<220 ~= x) && 40..<120 ~= y ? gray : nil
    }
    #expect(one > 0.9)
    #expect(abs(two - one / 2) < 0.05, "\(one), \(two)")
    // The shadow covers the upper two fifths, so that the card's middle is lit: the lit part is no
    // rival of the card, and the shadowed part is one of two fifths of its size.
    let shadowed = try confidence { x, y in
      20..<110 ~= x && 30..<130 ~= y ? gray * (y < 70 ? 0.7 : 1) : nil
    }
    #expect(abs(shadowed - one * (1 - 0.4 / 2)) < 0.06, "\(shadowed)")
  }

  /// Surfaces whose colors differ by more than 3 % are separate; those that differ by less are one.
  @Test func neighborsOfNearlyOneColor() throws {
    func card(onWallThatIsRedderBy step: Double) throws -> CardProposal {
      // The surfaces are so bright that a code is 0.6 %, and without noise.
      try proposal { x, y in
        let isCard = 60..<180 ~= x && 40..<120 ~= y
        return SIMD3(0.65 * (isCard ? 1 : exponential(step)), 0.65, 0.65)
      }
    }
    #expect(try card(onWallThatIsRedderBy: 0.036).region.width < 130)
    #expect(throws: CardFinderError.noOutline) { try card(onWallThatIsRedderBy: 0.02) }
  }

  @Test func nothingToPropose() throws {
    let gray = SIMD3(0.4, 0.4, 0.4)
    #expect(throws: CardFinderError.notNeutral) { try find(card: SIMD3(0.1, 0.5, 0.1)) }
    #expect(throws: CardFinderError.notNeutral) { try find(card: SIMD3(0.5, 0.1, 0.6)) }
    #expect(throws: CardFinderError.nothingUniform) { try find(card: SIMD3(1, 1, 1)) }
    #expect(throws: CardFinderError.nothingUniform) { try find(card: gray, side: 0.2) }
    // A card that fills the frame has no outline.
    #expect(throws: CardFinderError.noOutline) { try find(card: gray, side: 1) }
    #expect(throws: CardFinderError.nothingUniform) { try find(card: .zero, background: .zero) }
  }

  /// A surface that is card-like with little confidence is not proposed: a dark backdrop, a table
  /// that extends beyond the picture, a border.
  @Test func doubtfulSurfaces() throws {
    func confidence(_ isSurface: (Int, Int) -> SIMD3<Double>?) throws -> Double? {
      do {
        return try proposal { x, y in isSurface(x, y) ?? rough(x, y) }.confidence
      } catch let error as CardFinderError {
        guard case .doubtful(let confidence) = error else { return nil }
        #expect("\(error)".contains("is not a clear match"))
        return confidence
      }
    }
    let gray = SIMD3(0.4, 0.4, 0.4)
    let surfaces: [(Int, Int) -> SIMD3<Double>?] = [
      { x, y in 30..<210 ~= x && 20..<140 ~= y ? gray / 110 : nil },
      { x, y in x < 140 && y < 110 ? gray : nil },
      { x, y in x >= 20 && y >= 110 ? gray : nil },
    ]
    for (index, surface) in surfaces.enumerated() {
      let confidence = try #require(try confidence(surface), "\(index)")
      #expect(confidence < 0.25 && confidence > 0, "\(index)")
    }
  }

  private static let gray = SIMD3(0.4, 0.4, 0.4)

  /// A card is brighter at one end: its range between the 5th and the 95th percentile is nine
  /// tenths of that between its ends.
  @Test(arguments: [(0.75, true), (0.85, false)])
  func brightnessOverACard(range: Double, isFound: Bool) throws {
    func card() throws -> CardProposal {
      try proposal { x, y in
        guard 50..<190 ~= x, 40..<120 ~= y else { return rough(x, y) }
        return Self.gray * (1 + range / 0.9 * (Double(x - 50) / 139 - 0.5))
      }
    }
    if isFound {
      #expect(try card().region.width > 120)
    } else {
      #expect(throws: CardFinderError.nothingUniform) { try card() }
    }
  }

  /// 6 % of 9600 cells are 576 cells; these cards have 600 and 540.
  @Test func smallCards() throws {
    func card(_ height: Int) throws -> CardProposal {
      try proposal { x, y in
        100..<160 ~= x && 60..<60 + height ~= y ? Self.gray : rough(x, y)
      }
    }
    #expect(try card(40).region.width > 50)
    #expect(throws: CardFinderError.nothingUniform) { try card(36) }
  }

  /// A card of 30×25 cells is found for widths from 39 to 96 pixels: 3/2 of 19.5 cells plus 1 is
  /// 30.25; 2/3 of 48 cells minus 2 is 30.
  @Test func widths() throws {
    let scene = { (x: Int, y: Int) in
      100..<160 ~= x && 60..<110 ~= y ? Self.gray : self.rough(x, y)
    }
    for (width, isFound) in [(38, false), (39, true), (60, true), (96, true), (98, false)] {
      let card = try? proposal(cardWidth: width, scene)
      #expect((card != nil) == isFound, "\(width)")
      if let card { #expect((50...60).contains(card.region.width)) }
    }
  }

  /// A card must have at least 0.3 times the square of its width in cells: 270 cells for a width of
  /// 30.
  @Test func flatCards() throws {
    for (height, isFound) in [(18, true), (16, false)] {
      let card = try? proposal(cardWidth: 60) { x, y in
        100..<160 ~= x && 60..<60 + height ~= y ? Self.gray : rough(x, y)
      }
      #expect((card != nil) == isFound, "\(height)")
    }
  }

  private func error(_ find: () throws -> CardProposal) -> CardFinderError? {
    do {
      _ = try find()
      return nil
    } catch { return error as? CardFinderError }
  }

  /// A surface with less than 5 % of a card's outline has none: a strip along the upper edge covers
  /// 150 and then 152 of the 396 cells of the border.
  @Test func hardlyAnOutline() {
    func strip(_ rows: Int) -> CardFinderError? {
      error { try proposal { x, y in y < 2 * rows ? Self.gray : rough(x, y) } }
    }
    guard case .doubtful(let confidence)? = strip(16) else {
      Issue.record("an outline of 5.3 % is one")
      return
    }
    #expect(abs(confidence - (1 - 150 / 396.0 / 0.4)) < 0.01)
    #expect(strip(17) == .noOutline)
  }

  /// A surface whose plausibility of being neutral is below 5 % is not neutral.
  @Test(arguments: [(0.055, true), (0.045, false)])
  func hardlyNeutral(plausibility: Double, isNeutral: Bool) throws {
    let neutrals = PlausibleNeutrals(isBalanced: true)
    // The magenta of that plausibility, by bisection.
    var (low, high) = (0.0, 3.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      let found = neutrals.plausibility(of: SIMD2(repeating: middle))
      if found > plausibility { low = middle } else { high = middle }
    }
    let layout = try FrameLayout(width: 240, height: 160, format: .rgb16)
    var bytes: [UInt8] = []
    for y in 0..<160 {
      for x in 0..<240 {
        let isCard = 60..<180 ~= x && 40..<120 ~= y
        let magenta = 0.3 * exponential(low)
        let light = isCard ? SIMD3(magenta, 0.3, magenta) : rough(x, y)
        for channel in 0..<3 {
          let code = Int((65_535 * light[channel]).rounded())
          bytes += [UInt8(code & 255), UInt8(code >> 8)]
        }
      }
    }
    let frame = try Frame(layout: layout, bytes: bytes)
    let found = error { try CardFinder().card(in: frame) }
    if isNeutral {
      guard case .doubtful? = found else {
        Issue.record("\(String(describing: found))")
        return
      }
    } else {
      #expect(found == .notNeutral)
    }
  }

  @Test func defaults() {
    let finder = CardFinder()
    #expect(finder.smallestShare == 0.06 && finder.cardWidth == nil)
    #expect(finder.largestNonuniformity == 0.8 && finder.acceptedConfidence == 0.25)
  }

  /// Any content of a frame of few cells gives a result.
  @Test(arguments: RenderedFrame.formats) func anyBytes(format: PixelFormat) throws {
    for (width, height) in [(4, 2), (8, 6), (64, 6), (8, 64), (16, 16)] {
      let layout = try FrameLayout(width: width, height: height, format: format)
      var frames = try (1...20 as ClosedRange<UInt64>).map {
        try RenderedFrame(layout, seed: $0).frame
      }
      for byte in [UInt8](arrayLiteral: 0, 90, 255) {
        let bytes = [UInt8](repeating: byte, count: layout.byteCount)
        frames.append(try Frame(layout: layout, bytes: bytes))
      }
      for frame in frames {
        do {
          let card = try CardFinder().card(in: frame)
          #expect(card.region.width > 0 && card.region.height > 0 && card.confidence <= 1)
        } catch {
          if case .frame = error { Issue.record(error) }
        }
      }
    }
  }

  @Test func smallFramesAndShortOnes() throws {
    let layout = try FrameLayout(width: 1, height: 1, format: .rgb8)
    let frame = try Frame(layout: layout, bytes: [9, 9, 9])
    #expect(throws: CardFinderError.nothingUniform) { try CardFinder().card(in: frame) }
    #expect(throws: CardFinderError.frame(.tooShort(bytes: 2, needed: 3))) {
      try CardFinder().card(in: [9, 9].span, layout: layout)
    }
  }
}
