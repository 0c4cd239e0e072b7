import ColorScience
import Foundation
import Testing
import WhiteBalance

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

  @Test func nothingToPropose() throws {
    #expect(try find(card: SIMD3(0.1, 0.5, 0.1)) == .failure(.notNeutral))
    #expect(try find(card: SIMD3(0.5, 0.1, 0.6)) == .failure(.notNeutral))
    #expect(try find(card: SIMD3(1, 1, 1)) == .failure(.nothingUniform))
    #expect(try find(card: SIMD3(0.4, 0.4, 0.4), side: 0.2) == .failure(.nothingUniform))
    // All of the frame has no outline to tell a card by.
    #expect(try find(card: SIMD3(0.4, 0.4, 0.4), side: 1) == .failure(.noOutline))
    #expect(try find(card: .zero, background: .zero) == .failure(.nothingUniform))
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
