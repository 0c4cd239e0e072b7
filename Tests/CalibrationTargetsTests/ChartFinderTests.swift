import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

struct ChartFinderTests {
  /// The number of scenes, if the few of an ordinary test are not enough.
  private static let soakScenes =
    ProcessInfo.processInfo.environment["WBCAL_CARD_SCENES"].flatMap { Int($0) }

  /// The chart is found in at least 98 % of 500 rendered scenes (`make soak`), and in at least
  /// eleven of the first twelve; no patch is misplaced.
  @Test func renderedScenes() throws {
    let count = Self.soakScenes ?? 12
    var (missed, wrong): ([Int], [Int]) = ([], [])
    for seed in 1...count {
      let scene = RenderedChart(seed: UInt64(seed))
      guard let proposal = try? ChartFinder().chart(in: scene.frame) else {
        missed.append(seed)
        continue
      }
      if !scene.contains(proposal.patches) { wrong.append(seed) }
    }
    #expect(missed.count <= max(1, count / 50), "\(missed)")
    #expect(wrong.isEmpty, "\(wrong)")
  }

  /// The scenes have keyboards, windows, checkerboards, color samples, and charts with their
  /// patches in another order.
  @Test func scenesWithoutAChart() {
    for seed in 100_001...100_000 + UInt64(Self.soakScenes ?? 8) {
      let scene = RenderedChart(seed: seed, hasChart: false)
      #expect(throws: ChartFinderError.self, "\(seed)") { try ChartFinder().chart(in: scene.frame) }
    }
  }

  /// The chart is found from the outer corners of the corner patches, starting with any of them, in
  /// either direction.
  @Test func cornersByHand() throws {
    let scene = RenderedChart(seed: 6)
    let corners = zip([0, 5, 23, 18], 0...).map { scene.patches[$0][$1] }
    let found = try ChartFinder().chart(in: scene.frame)
    for turn in 0..<4 {
      let turned = (0..<4).map { corners[(turn + $0) % 4] + SIMD2(1.5, -1) }
      for given in [turned, turned.reversed()] {
        let proposal = try ChartFinder().chart(corners: given, in: scene.frame)
        #expect(scene.contains(proposal.patches))
        for (a, b) in zip(proposal.corners, found.corners) {
          #expect(abs(a.x - b.x) < 1.5 && abs(a.y - b.y) < 1.5)
        }
      }
    }
  }

  @Test func wrongCorners() throws {
    let scene = RenderedChart(seed: 6)
    let corners = zip([0, 5, 23, 18], 0...).map { scene.patches[$0][$1] }
    func error(_ corners: [SIMD2<Double>]) -> ChartFinderError? {
      do {
        _ = try ChartFinder().chart(corners: corners, in: scene.frame)
        return nil
      } catch { return error }
    }
    #expect(error([corners[0], corners[2], corners[1], corners[3]]) == .corners)
    #expect(error(Array(corners.prefix(3))) == .corners)
    #expect(error([]) == .corners)
    #expect(error(corners.map { $0 + 10_000 }) == .corners)
    #expect(error(corners.map { _ in SIMD2(.nan, 0) }) == .corners)
    // Half of a chart is not a chart.
    let half = [
      corners[0], (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2, corners[3],
    ]
    guard case .doubtful? = error(half) else {
      Issue.record("\(String(describing: error(half)))")
      return
    }
  }

  @Test func nothingToFind() throws {
    let layout = try FrameLayout(width: 64, height: 48, format: .rgb8)
    for value in [0, 128, 255] as [UInt8] {
      let bytes = [UInt8](repeating: value, count: layout.byteCount)
      #expect(throws: ChartFinderError.noGrid) {
        try ChartFinder().chart(in: bytes.span, layout: layout)
      }
    }
    let tiny = try FrameLayout(width: 1, height: 1, format: .rgb8)
    #expect(throws: ChartFinderError.noGrid) {
      try ChartFinder().chart(in: [1, 2, 3].span, layout: tiny)
    }
    #expect(throws: ChartFinderError.frame(.tooShort(bytes: 5, needed: layout.byteCount))) {
      try ChartFinder().chart(in: [UInt8](repeating: 0, count: 5).span, layout: layout)
    }
  }

  /// The colors of a chart match in any camera under any white lamp, and in no other order, unless
  /// the chart is mirrored.
  @Test func colorsOfCharts() {
    var random = SeededRandom(seed: 1)
    for camera in MeasuredSensor.all {
      for lamp in ["A", "D65", "FL2", "FL11", "LED-B3"].compactMap({ MeasuredLamp(named: $0) }) {
        let colors = ColorChart.classicFrom2014.patches.map { patch in
          SIMD4(camera.response(to: lamp.spectrum) { patch.reflectance[$0] }.vector, 0)
        }
        let match = ChartColors(colors, 0)
        #expect(
          match.colorMatch > 0.9 && match.brightnessMatch > 0.8, "\(camera.name) \(lamp.name)")
        let turned = ChartColors(colors.reversed(), 0)
        #expect(turned.colorMatch < 0.65)
        #expect(ChartColors(colors.shuffled(using: &random), 0).colorMatch < 0.7)
      }
    }
    #expect(
      ChartColors([SIMD4<Double>](repeating: SIMD4(1, 1, 1, 0), count: 24), 0).colorMatch == 0)
    #expect(
      ChartColors([SIMD4<Double>](repeating: SIMD4(1, 1, 1, 1), count: 24), 0).colorMatch == 0)
  }

  /// The map is recovered from 24 points that it maps, one of which is wrong.
  @Test func homographies() throws {
    let map = Homography(Matrix3x3(SIMD3(3, 1, 40), SIMD3(-0.5, 4, 7), SIMD3(0.01, 0.02, 1)))
    var pairs = (0..<24).map { patch in
      let place = ChartProposal.middle(of: patch)
      return (from: place, to: map.apply(place))
    }
    pairs[7].to += SIMD2(2, 0)
    let found = try #require(Homography(robust: pairs, within: 0.12))
    for corner in ChartProposal.outline {
      let offset = found.apply(corner) - map.apply(corner)
      #expect(abs(offset.x) + abs(offset.y) < 1e-9)
      let back = try #require(found.inverse).apply(found.apply(corner)) - corner
      #expect(abs(back.x) + abs(back.y) < 1e-9)
    }
    #expect(Homography(Array(pairs.prefix(3))) == nil)
    // Six points of one row.
    #expect(Homography(Array(pairs.prefix(6))) == nil)
  }
}

extension RenderedChart {
  /// `true` if quadrilaterals lie inside the true patches.
  func contains(_ quadrilaterals: [[SIMD2<Double>]]) -> Bool {
    zip(quadrilaterals, patches).allSatisfy { inner, outer in
      inner.allSatisfy { place in
        outer.indices.allSatisfy { index in
          let start = outer[index]
          let edge = outer[(index + 1) % 4] - start
          let offset = place - start
          return edge.x * offset.y - edge.y * offset.x >= 0
        }
      }
    }
  }
}
