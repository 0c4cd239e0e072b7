import CWbcalFrameKernels
import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

/// Sums of the linear values of luma and chroma.
struct LumaChromaTableTests {
  private static func layout(
    _ format: PixelFormat.ChromaLayout, _ transfer: TransferFunction,
    _ encoding: LumaChromaEncoding,
    width: Int, height: Int = 2
  ) throws -> FrameLayout {
    try FrameLayout(
      width: width, height: height, format: .subsampled(format), transfer: transfer,
      encoding: encoding)
  }

  private static let encodings = LumaChromaEncoding.Matrix.allCases.flatMap { matrix in
    CodeRange.allCases.map { LumaChromaEncoding(matrix: matrix, range: $0) }
  }

  /// Returns luma and pairs of chroma: flat, noisy, flat except for a few pixels, of two codes, or
  /// of any codes.
  private static func codes(
    _ count: Int, _ random: inout SeededRandom
  ) -> (luma: [UInt8], chroma: [UInt8]) {
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    let center = [below(256), 98 + below(61), 98 + below(61)]
    let (kind, sign) = (below(5), below(2) * 2 - 1)
    func noise(_ span: Int) -> Int {
      switch kind {
      case 0: 0
      case 1: (0..<4).reduce(0) { sum, _ in sum + below(span / 5) }
      case 2: below(128) == 0 ? sign * below(span) : 0
      case 3: below(2) * span
      default: below(256)
      }
    }
    return (
      (0..<count).map { _ in UInt8(clamping: center[0] + noise(20)) },
      (0..<(count + 1) / 2 * 2).map { UInt8(clamping: center[1 + $0 % 2] + noise(10)) }
    )
  }

  /// Means, and means of squares, are compared with light computed pixel by pixel.
  @Test(arguments: [TransferFunction.sRGB, .bt709, .gamma(2.2)])
  func exactness(transfer: TransferFunction) throws {
    var random = SeededRandom(seed: 12)
    for encoding in Self.encodings {
      for format in [PixelFormat.ChromaLayout.nv12, .nv21] {
        for _ in 0..<30 {
          let width = 2 * Int(20 + random.next() % 500)
          let layout = try Self.layout(format, transfer, encoding, width: width)
          let (luma, chroma) = Self.codes(2 * width, &random)
          let bytes = luma + chroma.prefix(width)
          let samples = try LinearSamples(layout: layout, region: layout.bounds)
          let (rows, offset) = (encoding.rows, Double(encoding.offset))
          var (sum, squares, largest) = (SIMD3<Double>.zero, SIMD3<Double>.zero, 0.0)
          for y in 0..<2 {
            for x in 0..<width {
              let (y, cb, cr) = samples.lumaAndChroma(bytes.span, format, x: x, y: y)
              let luma: Double = (Double(y) - offset) * rows.luma
              let blue: SIMD3<Double> = (Double(cb) - 128) * rows.cb
              let red: SIMD3<Double> = (Double(cr) - 128) * rows.cr
              let code = luma + blue + red
              let light = SIMD3(
                samples.linear(code.x), samples.linear(code.y), samples.linear(code.z))
              sum += light
              squares += light * light
              largest = max(largest, code.max())
            }
          }
          // The treatment of pixels at the clipping limit is not tested here.
          guard largest < 254 else { continue }
          let found = try FrameStatistics(bytes.span, layout: layout)
          #expect(found.pixels.used == 2 * width)
          let mean = SIMD3(found.mean.red, found.mean.green, found.mean.blue)
          let variance = SIMD3(found.variance.red, found.variance.green, found.variance.blue)
          let count = Double(2 * width)
          let errors = [mean - sum / count, variance + mean * mean - squares / count]
          for error in errors {
            #expect(max(error.max(), -error.min()) <= 1e-6, "\(encoding) \(width)")
          }
        }
      }
    }
  }

  /// In a scene with the noise of a camera, errors of single groups cancel.
  @Test func exactnessOfScenes() throws {
    var random = SeededRandom(seed: 2)
    let (width, height) = (1280, 64)
    for transfer in [TransferFunction.sRGB, .bt709] {
      let layout = try Self.layout(.nv12, transfer, .default, width: width, height: height)
      let bytes = (0..<layout.byteCount).map { index in
        let (x, isLuma) = (index % width, index < width * height)
        let noise = (0..<4).reduce(0) { sum, _ in sum + Int(random.next() % 4) }
        return UInt8(isLuma ? 50 + x / 10 + noise : 118 + x / 200 + noise / 2)
      }
      let samples = try LinearSamples(layout: layout, region: layout.bounds)
      var sum = SIMD3<Double>.zero
      for row in 0..<height {
        for column in 0..<width {
          let (y, cb, cr) = samples.lumaAndChroma(bytes.span, .nv12, x: column, y: row)
          let rows = LumaChromaEncoding.default.rows
          let luma: Double = (Double(y) - 16) * rows.luma
          let blue: SIMD3<Double> = (Double(cb) - 128) * rows.cb
          let red: SIMD3<Double> = (Double(cr) - 128) * rows.cr
          let code = luma + blue + red
          sum += SIMD3(samples.linear(code.x), samples.linear(code.y), samples.linear(code.z))
        }
      }
      let found = try FrameStatistics(bytes.span, layout: layout).mean
      let error = SIMD3(found.red, found.green, found.blue) - sum / Double(width * height)
      #expect(max(error.max(), -error.min()) <= 2e-8)
    }
  }

  /// On average over a step of the table, a chord is as high as the curve, within the rounding of
  /// its ends. The test is above the toes, whose curvature Simpson's rule does not follow.
  @Test(arguments: [TransferFunction.sRGB, .bt709, .gamma(2.2)])
  func chordsHaveTheMeanOfTheCurve(transfer: TransferFunction) throws {
    let encoding = LumaChromaEncoding(matrix: .bt709, range: .full)
    let layout = try Self.layout(.nv12, transfer, encoding, width: 64)
    let samples = try LinearSamples(layout: layout, region: layout.bounds)
    let table = try #require(LumaChromaTable(samples))
    var entries: [UInt64] = []
    unsafe table.withKernel {
      unsafe entries += UnsafeBufferPointer(start: $0.entries, count: 2 * 4096)
    }
    for place in 8 * (256 + 24)..<8 * (256 + 254) {
      func light(_ part: Double) -> Double { samples.linear((Double(place) + part) / 8 - 256) }
      let (start, middle, end) = (light(0), light(0.5), light(1))
      let means = [
        (start + 4 * middle + end) / 6, (start * start + 4 * middle * middle + end * end) / 6,
      ]
      for (square, mean) in means.enumerated() {
        let (value, difference) = Reference.parts(entries[2 * place + square])
        let chord = Double(value) + Double(difference) / 2
        let bias = square == 0 ? 2.0 : 0
        #expect(abs(chord * 0x1p-26 - bias - mean) <= 0x1p-27 + 1e-11, "\(place) \(square)")
      }
    }
  }

  /// The kernels are compared with the simplest code that defines them, in every layout. Half of
  /// the tables have numbers over their whole range.
  @Test(arguments: [Int32(0), 1, 2]) func kernels(arrangement: Int32) throws {
    var random = SeededRandom(seed: 9)
    let largest: UInt64 = 1 << 28 - 1
    let wild = (0..<2 * 6145).map { index -> UInt64 in
      let isEnd = index % 3 == 0
      let value = isEnd ? largest * (random.next() % 2) : random.next() % largest
      // The sum of a value and its difference is another value.
      let next = isEnd ? largest - value : random.next() % largest
      let difference = max(1 - 1 << 27, min(Int64(next) - Int64(value), 1 << 27 - 1))
      return value << 32 &+ UInt64(bitPattern: difference)
    }
    let step = arrangement == 0 ? 1 : 2
    for (index, encoding) in Self.encodings.enumerated() {
      let layout = try Self.layout(index % 2 == 0 ? .nv12 : .nv21, .sRGB, encoding, width: 64)
      let samples = try LinearSamples(layout: layout, region: layout.bounds)
      let table = try #require(LumaChromaTable(samples))
      let rows = encoding.rows
      let (u, v) = index % 2 == 0 ? (rows.cb, rows.cr) : (rows.cr, rows.cb)
      func factor(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
      for length in [0, 1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 319, 640, 1283] {
        for trial in 0..<6 {
          let (luma, chroma) = Self.codes(length, &random)
          var format = wb_yuv(
            offset: Int16(encoding.offset), luma: factor(rows.luma),
            u: (factor(u.x), factor(u.y), factor(u.z)), v: (factor(v.x), factor(v.y), factor(v.z)),
            low: (trial % 2 == 0 ? -32768 : 320, -20000, -20000),
            high: (8143, 8143, trial % 3 == 0 ? 4000 : 8143))
          var bytes = luma
          var (first, second) = (0, luma.count)
          if arrangement == 0 {
            bytes += chroma
          } else {
            bytes = chroma.indices.flatMap { index in
              let pair = [index < length ? luma[index] : 0, chroma[index]]
              return arrangement == 1 ? pair : pair.reversed()
            }
            (first, second) = arrangement == 1 ? (0, 1) : (1, 0)
          }
          var fast = wb_sums()
          var plain = wb_sums()
          var expected = wb_sums()
          unsafe withUnsafeBuffers(bytes, wild) { bytes, entries in
            guard let base = bytes.baseAddress, length > 0 else { return }
            let (y, c) = unsafe (base + first, base + second)
            unsafe table.withKernel { table in
              if trial % 2 == 1 { unsafe table.entries = entries.baseAddress }
              unsafe wb_sum_yuv_linear(y, c, length, arrangement, &format, &table, &fast)
              unsafe wb_sum_yuv_linear_portable(
                y, Int32(step), c, Int32(step), length, &format, &table, &plain)
              expected = unsafe Reference(format, table).sums(luma, chroma)
            }
          }
          #expect(Self.words(fast) == Self.words(expected), "\(encoding) \(length)")
          #expect(Self.words(plain) == Self.words(expected), "\(encoding) \(length)")
        }
      }
    }
  }

  private func withUnsafeBuffers(
    _ bytes: [UInt8], _ entries: [UInt64],
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt64>) -> Void
  ) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe entries.withUnsafeBufferPointer { unsafe body(bytes, $0) }
    }
  }

  private static func words(_ sums: wb_sums) -> [UInt64] {
    unsafe withUnsafeBytes(of: sums) { unsafe Array($0.bindMemory(to: UInt64.self)) }
  }
}

/// The kernels in plain steps.
private struct Reference {
  let offset: Int
  /// The factors of luma, Cb and Cr for each of red, green and blue: of codes, and of places.
  let codes, places: [[Int]]
  let low, high: [Int]
  /// The values and differences by place, alternately of linear values and of squares.
  let entries: [(value: Int, difference: Int)]

  /// Splits an entry, which is 2³² times a value plus a difference that may be negative.
  static func parts(_ entry: UInt64) -> (value: Int, difference: Int) {
    let difference = Int(Int32(truncatingIfNeeded: entry))
    return ((Int(entry) - difference) >> 32, difference)
  }

  init(_ f: wb_yuv, _ table: wb_yuv_table) {
    offset = Int(f.offset)
    codes = [(f.u.0, f.v.0), (f.u.1, f.v.1), (f.u.2, f.v.2)].map {
      [Int(f.luma), Int($0.0), Int($0.1)]
    }
    places = unsafe [
      (table.u.0, table.v.0), (table.u.1, table.v.1), (table.u.2, table.v.2),
    ].map { [1 << 22, Int($0.0), Int($0.1)] }
    low = [f.low.0, f.low.1, f.low.2].map { Int($0) }
    high = [f.high.0, f.high.1, f.high.2].map { Int($0) }
    entries = unsafe UnsafeBufferPointer(start: table.entries, count: 2 * 6145).map(Self.parts)
  }

  func sums(_ luma: [UInt8], _ chroma: [UInt8]) -> wb_sums {
    var (used, above, below) = (0, 0, 0)
    var laneAbove = [0, 0, 0]
    // Sums of linear values and of squares, for each of red, green and blue.
    var (values, differences) = ([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0])
    for index in luma.indices {
      let pixel = [
        Int(luma[index]) - offset, Int(chroma[index / 2 * 2]) - 128,
        Int(chroma[index / 2 * 2 + 1]) - 128,
      ]
      let channels = codes.map { factors in
        zip(pixel, factors).reduce(0) { $0 + ($1.0 * 128 * $1.1 + 0x4000) >> 15 }
      }
      let isAbove = (0..<3).map { channels[$0] > high[$0] }
      for lane in 0..<3 where isAbove[lane] { laneAbove[lane] += 1 }
      if isAbove.contains(true) {
        above += 1
      } else if (0..<3).contains(where: { channels[$0] < low[$0] }) {
        below += 1
      } else {
        used += 1
        for lane in 0..<3 {
          let place = 256 << 22 + zip(pixel, places[lane]).reduce(0) { $0 + $1.0 * $1.1 }
          for square in 0..<2 {
            let entry = entries[2 * (place >> 19) + square]
            values[2 * lane + square] += entry.value
            differences[2 * lane + square] += entry.difference * (place & (1 << 19 - 1))
          }
        }
      }
    }
    let totals = (0..<6).map { index -> UInt64 in
      let bias = index % 2 == 0 ? used << 33 : 0
      return UInt64(
        bitPattern: Int64(values[index] << 6 + differences[index] >> 13 - bias))
    }
    return wb_sums(
      used: UInt64(used), above: UInt64(above), below: UInt64(below),
      lane_above: (UInt64(laneAbove[0]), UInt64(laneAbove[1]), UInt64(laneAbove[2]), 0),
      sum: (totals[0], totals[2], totals[4], 0),
      product: (totals[1], totals[3], totals[5], 0, 0, 0))
  }
}
