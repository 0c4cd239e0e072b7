import ColorScience
import Foundation
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

struct ChartFinderTests {
  @Test func study() throws {
    let environment = ProcessInfo.processInfo.environment
    guard let range = environment["CHARTS"]?.split(separator: "-").map({ UInt64($0)! }) else { return }
    var (good, wrong) = (0, 0)
    for seed in range[0]...range[1] {
      let start = ContinuousClock.now
      let scene = RenderedChart(seed: seed, hasChart: seed < 100_000)
      let rendered = ContinuousClock.now
      var finder = ChartFinder()
      finder.acceptedConfidence = 0
      let found = Result { try finder.chart(in: scene.frame) }
      let done = ContinuousClock.now
      let proposal = try? found.get()
      var verdict = "-"
      var worst = 0.0
      let least = scene.patches.map { ($0[0] - $0[2]) }.map { ($0 * $0).sum().squareRoot() }.min() ?? 0
      if let proposal, !scene.patches.isEmpty {
        for (a, b) in zip(proposal.patches, scene.patches) {
          let offset = (a.reduce(.zero, +) - b.reduce(.zero, +)) / 4
          worst = max(worst, ((offset * offset).sum() / ((b[0] - b[2]) * (b[0] - b[2])).sum() * 2).squareRoot())
        }
      }
      if let proposal {
        let ok = !scene.patches.isEmpty && zip(proposal.patches, scene.patches).allSatisfy { inner, outer in
          inner.allSatisfy { contains($0, outer) }
        }
        verdict = ok ? "ok" : "WRONG"
        if ok { good += 1 } else { wrong += 1 }
      }
      print(seed, scene.frame.layout.width, scene.frame.layout.format, fixed(scene.share, decimals: 3),
        scene.about, fixed(least, decimals: 1), fixed(worst, decimals: 3), verdict, proposal.map { fixed($0.confidence, decimals: 3) } ?? "", rendered - start, done - rendered)
      if let folder = environment["CHARTS_TO"] {
        try write(scene.frame, proposal, to: "\(folder)/\(seed).ppm")
      }
    }
    print("good \(good) wrong \(wrong)")
  }

  @Test func pictures() throws {
    guard let paths = ProcessInfo.processInfo.environment["PICTURES"] else { return }
    for path in paths.split(separator: ",") {
      let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: String(path))))
      var frame: Frame
      if path.hasSuffix(".raw") {
        let w = Int(data[0]) | Int(data[1]) << 8, h = Int(data[4]) | Int(data[5]) << 8
        frame = try Frame(
          layout: FrameLayout(
            width: w, height: h, format: .bayer(.rggb, bits: 14), blackLevel: 2056,
            whiteLevel: 15000), bytes: Array(data[8...]))
      } else {
        var at = 0
        var fields: [Int] = []
        let text = data.prefix(40)
        for field in text.split(whereSeparator: { $0 == 32 || $0 == 10 }).prefix(4) {
          at = field.endIndex
          fields.append(Int(String(decoding: field, as: UTF8.self)) ?? 0)
        }
        frame = try Frame(
          layout: FrameLayout(
            width: fields[1], height: fields[2], format: .rgb8, transfer: .sRGB),
          bytes: Array(data[(at + 1)...]))
      }
      let start = ContinuousClock.now
      do {
        let proposal = try ChartFinder().chart(in: frame)
        print(path, proposal.confidence, ContinuousClock.now - start)
        try write(frame, proposal, to: path + ".out.ppm")
      } catch {
        print(path, error, ContinuousClock.now - start)
        try write(frame, nil, to: path + ".out.ppm")
      }
    }
  }

  private func contains(_ place: SIMD2<Double>, _ corners: [SIMD2<Double>]) -> Bool {
    corners.indices.allSatisfy { index in
      let start = corners[index]
      let edge = corners[(index + 1) % 4] - start
      let offset = place - start
      return edge.x * offset.y - edge.y * offset.x >= 0
    }
  }

  private func write(_ frame: Frame, _ proposal: ChartProposal?, to path: String) throws {
    let picture = try frame.preview(gains: Gains(red: 1, blue: 1), rectangle: nil)
    var bytes = Array(picture.bytes)
    let (width, height) = (picture.layout.width, picture.layout.height)
    let unit = max(frame.layout.width / width, 1)
    func dot(_ p: SIMD2<Double>) {
      let q = p / Double(unit)
      guard q.x >= 0, q.y >= 0, q.x < Double(width), q.y < Double(height) else { return }
      let i = 3 * (Int(q.y) * width + Int(q.x))
      (bytes[i], bytes[i + 1], bytes[i + 2]) = (255, 0, 255)
    }
    if let proposal {
      for (index, quad) in (proposal.patches + [proposal.corners]).enumerated() {
        for side in 0..<4 where !(index == 0 && side == 0) {
          for t in 0..<200 {
            dot(quad[side] + (quad[(side + 1) % 4] - quad[side]) * (Double(t) / 200))
          }
        }
      }
    }
    try (Data("P6 \(width) \(height) 255\n".utf8) + Data(bytes)).write(to: URL(fileURLWithPath: path))
  }
}
