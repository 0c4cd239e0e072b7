import CalibrationTargets
import ColorScience
import Foundation
import WbcalImageFiles
import Testing
import WhiteBalance

@Suite struct RawTests {
  @Test func visibleArea() throws {
    let layout = try read("rggb.dng").layout
    #expect(layout.format == .bayer(.rggb, bits: 16))
    #expect((layout.width, layout.height) == (32, 26))
    #expect((layout.blackLevel, layout.whiteLevel) == (100, 9000))
    #expect(layout.transfer == .linear)
    #expect(try read("rggb.dng").samples == visible(fromColumn: 2, row: 4, width: 32, height: 26))
  }

  /// DNG's pattern starts at the active area, which LibRaw crops to an even row and column.
  @Test func oddOrigin() throws {
    let frame = try read("odd-origin.dng")
    #expect(frame.layout.format == .bayer(BayerPattern.rggb.shifted(columns: 1, rows: 1), bits: 16))
    #expect((frame.layout.width, frame.layout.height) == (31, 25))
    #expect(frame.samples == visible(fromColumn: 2, row: 4, width: 31, height: 25))
  }

  @Test func losslessJPEG() throws {
    let frame = try read("lossless-jpeg.dng")
    #expect(frame.layout.format == .bayer(.bggr, bits: 16))
    #expect(frame.samples == visible(fromColumn: 2, row: 4, width: 32, height: 26))
  }

  @Test func differentBlacksAreRaisedToOne() throws {
    let frame = try read("gbrg-four-blacks.dng")
    #expect(frame.layout.format == .bayer(.gbrg, bits: 16))
    #expect(frame.layout.blackLevel == 110)
    let blacks = [[90, 100], [110, 95]]
    let raised = visible(fromColumn: 2, row: 4, width: 32, height: 26).enumerated()
      .map { index, sample in sample + 110 - blacks[index / 32 % 2][index % 2] }
    #expect(frame.samples == raised)
  }

  /// The means of red, green and blue of the first 3×3 pixels are computed by hand from the filter
  /// in `make.py`.
  @Test func xTrans() throws {
    let frame = try read("x-trans.dng")
    #expect(frame.layout.format == .rgb16 && frame.layout.blackLevel == 100)
    #expect((frame.layout.width, frame.layout.height) == (32, 26))
    // Red is at 1,0 and 1,2 of G R G / B G B / G R G, blue at 0,1 and 2,1.
    let first = visible(fromColumn: 2, row: 4, width: 3, height: 3)
    let green = [0, 2, 4, 6, 8].reduce(0) { $0 + first[$1] }
    #expect(
      Array(frame.samples.prefix(3))
        == [(first[1] + first[7] + 1) / 2, (green + 2) / 5, (first[3] + first[5] + 1) / 2])
  }

  @Test func linear() throws {
    let frame = try read("linear.dng")
    #expect(frame.layout.format == .rgb16)
    #expect((frame.layout.blackLevel, frame.layout.whiteLevel) == (100, 9000))
    let pixels = visible(fromColumn: 2, row: 4, width: 32, height: 26)
    #expect(frame.samples == pixels.flatMap { [$0, $0, $0] })
  }

  @Test(arguments: [
    "float.dng", "cyan.dng", "odd-origin-four-blacks.dng",
  ])
  func otherSensors(name: String) {
    guard case .unsupported(.raw, _) = problem({ try read(name) }) else {
      Issue.record("\(String(describing: problem { try read(name) }))")
      return
    }
  }

  /// The filter's description is invalid in a way that crashes LibRaw 0.20: the type, count or
  /// values of its size.
  @Test(arguments: [(0xB2, 0x65), (0xB3, 0x9F), (0xB9, 0x69), (0xBC, 0x3A), (0xBB, 0xB7)])
  func misdescribedFilter(offset: Int, byte: UInt8) throws {
    var bytes = try contents("x-trans.dng")
    bytes[offset] = byte
    let problem = problem { try read(bytes, as: "x.dng") }
    switch problem {
    case .unsupported(.raw, _), .truncated(.raw, _): break
    default: Issue.record("\(String(describing: problem))")
    }
  }

  /// A filter of 36 colors, for which LibRaw 0.20 overwrites memory, is rejected at any position
  /// and in either byte order.
  @Test(
    arguments: [
      [0x8E, 0x82, 1, 0, 36, 0, 0, 0], [0x82, 0x8E, 0, 1, 0, 0, 0, 36],
      [0x09, 0xFD, 1, 0, 36, 0, 0, 0], [0xFD, 0x09, 0, 1, 0, 0, 0, 36],
    ] as [[UInt8]])
  func filterOf36Colors(entry: [UInt8]) throws {
    for start in 4080...4100 {
      var bytes = Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 1, count: 5000)
      bytes.replaceSubrange(start..<start + 8, with: entry)
      #expect(
        problem { try read(bytes, as: "x.raf") }
          == .unsupported(.raw, "its sensor may be an X-Trans"))
      bytes[start + 4] = 7
      #expect(
        problem { try read(bytes, as: "x.raf") }
          != .unsupported(.raw, "its sensor may be an X-Trans"))
    }
  }

  /// The expected means of a color chart's patches were determined without LibRaw.
  @Test func colorChart() throws {
    let frame = try read(path: samples.appending(path: "colorchart.dng").path)
    let layout = frame.layout
    #expect((layout.width, layout.height) == (1734, 1156))
    #expect(layout.format == .bayer(.rggb, bits: 16))
    #expect((layout.blackLevel, layout.whiteLevel) == (2056, 15000))
    let data = try Data(contentsOf: samples.appending(path: "colorchart.patches.json"))
    let chart = try JSONDecoder().decode(Chart.self, from: data)
    #expect(chart.patches.count == 24)
    let stored = frame.samples
    for patch in chart.patches {
      let (left, top, width, height) = (
        patch.region[0], patch.region[1], patch.region[2], patch.region[3]
      )
      var sums = [0.0, 0, 0]
      var counts = [0.0, 0, 0]
      for row in top..<top + height {
        for column in left..<left + width {
          let channel = row % 2 + column % 2  // of RGGB
          sums[channel] += Double(stored[row * layout.width + column]) - layout.blackLevel
          counts[channel] += 1
        }
      }
      for channel in 0..<3 {
        #expect(abs(sums[channel] / counts[channel] - patch.rgb[channel]) <= 0.01, "\(patch.patch)")
      }
    }
  }

  /// The chart is found at the known positions of its patches, and they are read with the values
  /// determined by other means.
  @Test func findingTheColorChart() throws {
    let frame = try read(path: samples.appending(path: "colorchart.dng").path)
    let proposal = try ChartFinder().chart(in: frame)
    #expect(proposal.confidence > 0.9)
    let data = try Data(contentsOf: samples.appending(path: "colorchart.patches.json"))
    let chart = try JSONDecoder().decode(Chart.self, from: data)
    let reading = try ChartReader().read(proposal, in: frame)
    #expect(reading.problems.isEmpty, "\(reading.problems)")
    let range = frame.layout.whiteLevel - frame.layout.blackLevel
    for (index, patch) in chart.patches.enumerated() {
      let middle = SIMD2(
        Double(patch.region[0] + patch.region[2] / 2), Double(patch.region[1] + patch.region[3] / 2)
      )
      // The patches are about 94 × 86 pixels large, and the known regions are not quite at their
      // centers.
      for corner in proposal.patches[index] {
        #expect(abs(corner.x - middle.x) < 40 && abs(corner.y - middle.y) < 40, "\(patch.patch)")
      }
      let read = reading.patches[index]
      #expect(read.name.hasPrefix(patch.patch))
      for channel in 0..<3 {
        let value = range * read.response.vector[channel]
        // The tolerance is 1.5 % and two codes, which is a large part of the black patch.
        #expect(
          abs(value - patch.rgb[channel]) < 2 + 0.015 * patch.rgb[channel],
          "\(patch.patch): \(value)")
      }
    }
  }

  /// In these parts of the chart a neutral patch of about 95 pixels a side is the largest.
  @Test(arguments: [(796, 908), (904, 906)])
  func cardsInPartsOfTheChart(x: Int, y: Int) throws {
    let frame = try read(path: samples.appending(path: "colorchart.dng").path)
    let part = PixelRectangle(x: x - 66, y: y - 66, width: 160, height: 160)
    let layout = try FrameLayout(
      width: part.width, height: part.height, bytesPerRow: frame.layout.bytesPerRow,
      format: frame.layout.format, blackLevel: frame.layout.blackLevel,
      whiteLevel: frame.layout.whiteLevel)
    let start = part.y * frame.layout.bytesPerRow + 2 * part.x
    let found = try CardFinder().card(
      in: frame.bytes.span.extracting(start..<start + layout.byteCount), layout: layout)
    // The region must be the patch, inside which 36 pixels are known to be.
    #expect((30...66).contains(found.region.x) && (30...66).contains(found.region.y))
    #expect((102...130).contains(found.region.x + found.region.width))
    #expect((102...130).contains(found.region.y + found.region.height))
  }

  @Test func truncatedChart() throws {
    let data = try Data(contentsOf: samples.appending(path: "colorchart.dng"))
    for count in [3_900_000, 2_000_000, 2000, 200] {
      guard case .truncated(.raw, _) = problem({ try read(data.prefix(count), as: "cut.dng") })
      else {
        Issue.record("\(String(describing: problem { try read(data.prefix(count), as: "x.dng") }))")
        continue
      }
    }
  }

  private struct Chart: Decodable {
    struct Patch: Decodable {
      let patch: String
      let region: [Int]
      let rgb: [Double]
    }
    let patches: [Patch]
  }

  private func visible(fromColumn left: Int, row top: Int, width: Int, height: Int) -> [Int] {
    (top..<top + height).flatMap { y in (left..<left + width).map { x in mosaic(x, y) } }
  }
}
