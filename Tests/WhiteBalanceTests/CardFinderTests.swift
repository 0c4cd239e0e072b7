import ColorScience
import Foundation
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct CardFinderTests {
  /// How many scenes to look at, if the few of an ordinary test are not enough.
  private static let soakScenes =
    ProcessInfo.processInfo.environment["WBCAL_CARD_SCENES"].flatMap { Int($0) }

  /// Of 500 rendered scenes (`make soak`) at least 95 %, of the first ten all but one.
  @Test func renderedScenes() throws {
    let count = Self.soakScenes ?? 10
    var failed: [Int] = []
    for seed in 1...count {
      let scene = RenderedScene(seed: UInt64(seed))
      let proposal = try? CardFinder().card(in: scene.frame).get()
      let overlap = proposal.map { scene.overlap(with: $0.region) }
      if let overlap, overlap.inside >= 0.95, overlap.covered >= 0.4 { continue }
      failed.append(seed)
    }
    #expect(failed.count <= max(1, count / 20), "\(failed)")
  }

  /// Something else may look like a card, but rarely does.
  @Test(.enabled(if: soakScenes != nil)) func scenesWithoutACard() throws {
    var found = 0
    for seed in 10_001...10_100 as ClosedRange<UInt64> {
      let scene = RenderedScene(seed: seed, hasCard: false)
      if case .success = try CardFinder().card(in: scene.frame) { found += 1 }
    }
    #expect(found <= 15)
  }

  /// A card of these colors in the middle of a rough background of others.
  private func find(
    card: SIMD3<Double>, background: SIMD3<Double> = SIMD3(0.1, 0.3, 0.1), side: Double = 0.5
  ) throws -> Result<CardProposal, CardNotFound> {
    let (width, height) = (240, 160)
    let margin = (1 - side) / 2
    let columns = Int(Double(width) * margin)..<Int(Double(width) * (1 - margin))
    let rows = Int(Double(height) * margin)..<Int(Double(height) * (1 - margin))
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isCard = columns.contains(x) && rows.contains(y)
        let rough = (x / 4 * 7 + y / 4 * 13) % 5 < 2 ? 0.4 : 1.0
        for channel in 0..<3 {
          let value = isCard ? card[channel] : background[channel] * rough
          bytes.append(UInt8(max(0, min(255, (255 * value).rounded()))))
        }
      }
    }
    let layout = try FrameLayout(width: width, height: height, format: .rgb8)
    return try CardFinder().card(in: try Frame(layout: layout, bytes: bytes))
  }

  @Test func aBalancedPicture() throws {
    let proposal = try find(card: SIMD3(0.4, 0.4, 0.4)).get()
    // The card is 60…180 across and 40…120 down; cells are two pixels wide.
    #expect((60...63).contains(proposal.region.x))
    #expect((40...43).contains(proposal.region.y))
    #expect((113...120).contains(proposal.region.width))
    #expect((73...80).contains(proposal.region.height))
    #expect(proposal.confidence > 0.9)
  }

  /// Under a lamp that the picture was not balanced for: its red and blue as 2850 K by daylight.
  @Test func aPictureUnderAnotherLamp() throws {
    #expect(try find(card: SIMD3(0.6, 0.35, 0.15)).get().region.width > 100)
  }

  /// A frame whose bytes are rounded light.
  private func proposal(
    _ width: Int, _ height: Int, _ light: (Int, Int) -> SIMD3<Double>
  ) throws -> Result<CardProposal, CardNotFound> {
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
    return try CardFinder().card(in: try Frame(layout: layout, bytes: bytes))
  }

  /// All hangs together, and no place has both median colors.
  @Test(.timeLimit(.minutes(1))) func colorsAroundNoColor() throws {
    let found = try proposal(128, 128) { x, _ in
      let t = Double(x) / 127
      return 0.2 * SIMD3(exponential(t), 1, exponential(abs(t - 0.5)))
    }
    #expect(throws: CardNotFound.self) { try found.get() }
  }

  /// A picture of two cards on a rough ground says so; the parts of one, in a shadow, are no rivals
  /// of it.
  @Test func rivals() throws {
    func rough(_ x: Int, _ y: Int) -> SIMD3<Double> {
      SIMD3(0.1, 0.3, 0.1) * ((x / 4 * 7 + y / 4 * 13) % 5 < 2 ? 0.4 : 1)
    }
    let gray = SIMD3(0.4, 0.4, 0.4)
    func confidence(_ isCard: (Int, Int) -> SIMD3<Double>?) throws -> Double {
      try proposal(240, 160) { x, y in isCard(x, y) ?? rough(x, y) }.get().confidence
    }
    let one = try confidence { x, y in 20..<110 ~= x && 40..<120 ~= y ? gray : nil }
    let two = try confidence { x, y in
      (20..<110 ~= x || 130..<220 ~= x) && 40..<120 ~= y ? gray : nil
    }
    #expect(one > 0.9)
    #expect(abs(two - one / 2) < 0.05, "\(one), \(two)")
    // The shadow covers the upper two fifths, so that the card's middle is in the light: of its
    // parts the lit one is no rival, the other is two fifths of one.
    let shadowed = try confidence { x, y in
      20..<110 ~= x && 30..<130 ~= y ? gray * (y < 70 ? 0.7 : 1) : nil
    }
    #expect(abs(shadowed - one * (1 - 0.4 / 2)) < 0.06, "\(shadowed)")
  }

  /// Surfaces whose colors differ by more than 3 % are two, by less one.
  @Test func neighborsOfNearlyOneColor() throws {
    func card(onWallThatIsRedderBy step: Double) throws -> Result<CardProposal, CardNotFound> {
      // Bright enough that a code is 0.6 %, and without noise.
      try proposal(240, 160) { x, y in
        let isCard = 60..<180 ~= x && 40..<120 ~= y
        return SIMD3(0.65 * (isCard ? 1 : exponential(step)), 0.65, 0.65)
      }
    }
    #expect(try card(onWallThatIsRedderBy: 0.036).get().region.width < 130)
    #expect(try card(onWallThatIsRedderBy: 0.02) == .failure(.noOutline))
  }

  @Test func nothingToPropose() throws {
    #expect(try find(card: SIMD3(0.1, 0.5, 0.1)) == .failure(.notNeutral))
    #expect(try find(card: SIMD3(0.5, 0.1, 0.6)) == .failure(.notNeutral))
    #expect(try find(card: SIMD3(1, 1, 1)) == .failure(.nothingUniform))
    #expect(try find(card: SIMD3(0.4, 0.4, 0.4), side: 0.2) == .failure(.nothingUniform))
    // All of the frame has no outline to tell a card by.
    #expect(try find(card: SIMD3(0.4, 0.4, 0.4), side: 1) == .failure(.noOutline))
    #expect(try find(card: .zero, background: .zero) == .failure(.nothingUniform))
  }

  /// Whatever lies in a frame of few cells, there is an answer.
  @Test(arguments: RenderedFrame.formats) func anyBytes(format: PixelFormat) throws {
    for (width, height) in [(4, 2), (8, 6), (64, 6), (8, 64), (16, 16)] {
      let layout = try FrameLayout(width: width, height: height, format: format)
      for seed in 1...20 as ClosedRange<UInt64> {
        let frame = try RenderedFrame(layout, seed: seed).frame
        if let card = try? CardFinder().card(in: frame).get() {
          #expect(card.region.width > 0 && card.region.height > 0 && card.confidence <= 1)
        }
      }
      for byte in [UInt8](arrayLiteral: 0, 90, 255) {
        let bytes = [UInt8](repeating: byte, count: layout.byteCount)
        _ = try CardFinder().card(in: bytes.span, layout: layout)
      }
    }
  }

  @Test func smallFramesAndShortOnes() throws {
    let layout = try FrameLayout(width: 1, height: 1, format: .rgb8)
    #expect(
      try CardFinder().card(in: try Frame(layout: layout, bytes: [9, 9, 9]))
        == .failure(.nothingUniform))
    #expect(throws: FrameError.tooShort(bytes: 2, needed: 3)) {
      try CardFinder().card(in: [9, 9].span, layout: layout)
    }
  }
}
