import CWbcalFrameKernels
import Testing
import WhiteBalanceTestSupport

/// The kernels are compared with the simplest code that defines them.
struct FrameKernelTests {
  /// Returns the sums of pixels of `lanes` samples.
  private static func reference(
    _ pixels: [[Int]], _ bounds: wb_bounds, table: [UInt64] = []
  ) -> wb_sums {
    let low = [bounds.low.0, bounds.low.1, bounds.low.2, bounds.low.3].map { Int($0) }
    let high = [bounds.high.0, bounds.high.1, bounds.high.2, bounds.high.3].map { Int($0) }
    var (used, above, below) = (0, 0, 0)
    var laneAbove = [0, 0, 0, 0]
    var sum: [UInt64] = [0, 0, 0, 0]
    var squares = sum
    for pixel in pixels {
      let isAbove = pixel.indices.map { pixel[$0] > high[$0] }
      for lane in pixel.indices where isAbove[lane] { laneAbove[lane] += 1 }
      if isAbove.contains(true) {
        above += 1
      } else if pixel.indices.contains(where: { pixel[$0] < low[$0] }) {
        below += 1
      } else {
        used += 1
        for lane in pixel.indices {
          let code = UInt64(pixel[lane])
          let entry = table.isEmpty ? 0 : table[pixel[lane]]
          // The lower half is a value that may be negative, which then takes 1 from the upper half.
          let value = UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: entry)))
          sum[lane] &+= table.isEmpty ? code : value
          squares[lane] += table.isEmpty ? code * code : (entry &- value) >> 32
        }
      }
    }
    return wb_sums(
      used: UInt64(used), above: UInt64(above), below: UInt64(below),
      lane_above: (
        UInt64(laneAbove[0]), UInt64(laneAbove[1]), UInt64(laneAbove[2]), UInt64(laneAbove[3])
      ),
      sum: (sum[0], sum[1], sum[2], sum[3]),
      product: (squares[0], squares[1], squares[2], squares[3], 0, 0))
  }

  private static func words(_ sums: wb_sums) -> [UInt64] {
    unsafe withUnsafeBytes(of: sums) { unsafe Array($0.bindMemory(to: UInt64.self)) }
  }

  /// Lengths around that of a step and of a block.
  private static let lengths = [0, 1, 7, 12, 30, 31, 32, 33, 34, 35, 63, 64, 100, 1023, 1057, 4099]

  /// Returns random codes, or only codes at the limits.
  private static func codes(
    _ count: Int, largest: Int, _ random: inout SeededRandom
  ) -> [Int] {
    let edges = [0, 1, largest / 2, largest - 1, largest]
    return switch random.next() % 5 {
    case 0: (0..<count).map { _ in edges[Int(random.next() % 5)] }
    case 1: [Int](repeating: edges[Int(random.next() % 5)], count: count)
    case 2: (0..<count).map { _ in Int(random.next() % UInt64(max(1, largest * 3 / 4))) }
    case 3:
      // A few neighboring codes, as in smooth parts of a scene.
      (0..<count).map { index in
        min(largest, index / 99 % max(1, largest - 9) + Int(random.next() % 12))
      }
    default: (0..<count).map { _ in Int(random.next() % UInt64(largest + 1)) }
    }
  }

  private static func bounds(
    largest: Int, lanes: Int, _ random: inout SeededRandom
  ) -> wb_bounds {
    func low() -> UInt16 { random.next() % 2 == 0 ? 0 : UInt16(random.next() % 40) }
    func high() -> UInt16 {
      UInt16(random.next() % 2 == 0 ? largest - 1 : largest * 3 / 4 + Int(random.next() % 10))
    }
    return wb_bounds(
      low: (low(), low(), low(), lanes == 4 ? low() : 0),
      high: (high(), high(), high(), lanes == 4 ? high() : 255))
  }

  @Test(arguments: [3, 4]) func pixelsOfBytes(step: Int) {
    var random = SeededRandom(seed: UInt64(step))
    let table = (0..<256).map { _ in random.next() & 0x0FFF_FFFF_0FFF_FFFF }
    for length in Self.lengths {
      for _ in 0..<8 {
        let codes = Self.codes(step * length, largest: 255, &random)
        var limits = Self.bounds(largest: 255, lanes: 3, &random)
        let pixels = (0..<length).map { Array(codes[step * $0..<step * $0 + 3]) }
        let bytes = codes.map { UInt8($0) }
        for table in [[], table] {
          let expected = Self.words(Self.reference(pixels, limits, table: table))
          var fast = wb_sums()
          var narrow = wb_sums()
          var plain = wb_sums()
          unsafe table.withUnsafeBufferPointer {
            let table = $0.isEmpty ? nil : $0.baseAddress
            unsafe wb_sum_rgb8_narrow(bytes, length, Int32(step), &limits, table, &narrow)
            unsafe wb_sum_rgb8(bytes, length, Int32(step), &limits, table, &fast)
            unsafe wb_sum_rgb8_portable(bytes, length, Int32(step), &limits, table, &plain)
          }
          #expect(Self.words(fast) == expected)
          #expect(Self.words(narrow) == expected)
          #expect(Self.words(plain) == expected)
        }
      }
    }
  }

  /// The row has more pixels of one code than any word of a kernel can sum.
  @Test(arguments: [1, 64, 128, 254], [3, 4]) func longRows(code: UInt8, step: Int) {
    let count = 600_001
    let bytes = [UInt8](repeating: code, count: step * count)
    var limits = wb_bounds(low: (1, 1, 1, 0), high: (254, 254, 254, 255))
    let sum = UInt64(count) * UInt64(code)
    let square = sum * UInt64(code)
    for isNarrow in [false, true] {
      var sums = wb_sums()
      unsafe (isNarrow ? wb_sum_rgb8_narrow : wb_sum_rgb8)(
        bytes, count, Int32(step), &limits, nil, &sums)
      #expect(sums.used == UInt64(count) && sums.above == 0 && sums.below == 0)
      #expect(sums.sum == (sum, sum, sum, 0))
      #expect((sums.product.0, sums.product.1, sums.product.2) == (square, square, square))
    }
  }

  @Test(arguments: [8, 10, 12, 14, 15, 16]) func cells(bits: Int) {
    var random = SeededRandom(seed: UInt64(bits))
    let largest = 1 << bits - 1
    // Values and squares over their whole range.
    let one: Int64 = 1 << 28
    let ends: [(Int64, UInt64)] = [(-one, 1 << 28), (one - 1, 1 << 28), (-1, 0), (0, 0)]
    let table = (0...largest).map { code -> UInt64 in
      var (value, square) = ends[Int(random.next() % 4)]
      if code % 3 > 0 {
        value = Int64(random.next() % (2 << 28)) - one
        square = random.next() % (1 << 28)
      }
      return UInt64(bitPattern: value) &+ square << 32
    }
    for length in Self.lengths {
      for _ in 0..<8 {
        let upper = Self.codes(2 * length, largest: largest, &random)
        let lower = Self.codes(2 * length, largest: largest, &random)
        var limits = Self.bounds(largest: largest, lanes: 4, &random)
        let cells = stride(from: 0, to: 2 * length, by: 2).map { left -> [Int] in
          [upper[left], upper[left + 1], lower[left], lower[left + 1]]
        }
        let (above, below) = (upper.map { UInt16($0) }, lower.map { UInt16($0) })
        for table in [[], table] {
          let expected = Self.words(Self.reference(cells, limits, table: table))
          var fast = wb_sums()
          var plain = wb_sums()
          unsafe table.withUnsafeBufferPointer {
            let table = $0.isEmpty ? nil : $0.baseAddress
            unsafe wb_sum_cells(above, below, length, &limits, table, &fast)
            unsafe wb_sum_cells_portable(above, below, length, &limits, table, &plain)
          }
          #expect(Self.words(fast) == expected)
          #expect(Self.words(plain) == expected)
        }
      }
    }
  }

  /// The packings are those of the MIPI Alliance's diagrams, bit by bit.
  @Test(arguments: [10, 12, 14]) func packings(bits: Int) {
    var random = SeededRandom(seed: 1)
    let (samples, rest) = (bits == 12 ? 2 : 4, bits - 8)
    for groups in [1, 2, 3, 7, 8, 9, 10, 11, 100] {
      let values = (0..<groups * samples).map { _ in Int(random.next() % UInt64(1 << bits)) }
      var bytes: [UInt8] = []
      for group in 0..<groups {
        let part = values[group * samples..<(group + 1) * samples]
        bytes += part.map { UInt8($0 >> rest) }
        var low = 0
        for (index, value) in part.enumerated() {
          low |= (value & (1 << rest - 1)) << (rest * index)
        }
        bytes += (0..<samples * rest / 8).map { UInt8(low >> (8 * $0) & 255) }
      }
      // The last group may be incomplete. The buffer has room for one more sample, to detect a
      // write beyond the end.
      for count in values.count - samples + 1...values.count {
        var out = [UInt16](repeating: 0xAAAA, count: count + 1)
        switch bits {
        case 10: unsafe wb_unpack10(bytes, count, &out)
        case 12: unsafe wb_unpack12(bytes, count, &out)
        default: unsafe wb_unpack14(bytes, count, &out)
        }
        #expect(out == values.prefix(count).map { UInt16($0) } + [0xAAAA])
      }
    }
  }

  @Test(arguments: [Int32(0), 1, 2]) func lumaAndChroma(arrangement: Int32) {
    var random = SeededRandom(seed: 9)
    let step = arrangement == 0 ? 1 : 2
    for length in [0, 1, 2, 127, 128, 129, 255, 256, 1000, 4097] {
      for trial in 0..<10 {
        let spread = UInt64([1, 8, 40, 255][trial % 4])
        let base = 128 - Int(spread) / 2
        let luma = (0..<length).map { _ in UInt8(base + Int(random.next() % (spread + 1)) - 1) }
        let chroma = (0..<(length + 1) / 2 * 2).map { _ in
          UInt8(base + Int(random.next() % (spread + 1)) - 1)
        }
        var format = wb_yuv(
          offset: 16, luma: 9539, u: (0, -3209, 16525), v: (13074, -6659, 0),
          low: (0, Int16(random.next() % 60), -300), high: (8144, 8144, 5000))
        var bytes = luma
        var first = 0
        var second = 0
        if arrangement == 0 {
          second = bytes.count
          bytes += chroma
        } else {
          bytes = []
          for index in 0..<(length + 1) / 2 * 2 {
            let pair = [index < length ? luma[index] : 0, chroma[index]]
            bytes += arrangement == 1 ? pair : pair.reversed()
          }
          (first, second) = arrangement == 1 ? (0, 1) : (1, 0)
        }
        var fast = wb_sums()
        var plain = wb_sums()
        unsafe bytes.withUnsafeBufferPointer {
          guard let base = $0.baseAddress, length > 0 else { return }
          unsafe wb_sum_yuv(base + first, base + second, length, arrangement, &format, &fast)
          unsafe wb_sum_yuv_portable(
            base + first, Int32(step), base + second, Int32(step), length, &format, &plain)
        }
        let expected = Self.reference(luma, chroma, format)
        #expect(Self.words(fast) == expected)
        #expect(Self.words(plain) == expected)
      }
    }
  }

  private static func reference(_ luma: [UInt8], _ chroma: [UInt8], _ f: wb_yuv) -> [UInt64] {
    // Counts, the counts of the lanes from 3 on, sums from 7 on and products from 11 on.
    var words = [UInt64](repeating: 0, count: 17)
    func product(_ code: UInt8, _ offset: Int, _ factor: Int16) -> Int {
      ((Int(code) - offset) * 128 * Int(factor) + 1 << 14) >> 15
    }
    for (index, y) in luma.enumerated() {
      let (u, v) = (chroma[index / 2 * 2], chroma[index / 2 * 2 + 1])
      let level = product(y, Int(f.offset), f.luma)
      let rgb = [
        level + product(u, 128, f.u.0) + product(v, 128, f.v.0),
        level + product(u, 128, f.u.1) + product(v, 128, f.v.1),
        level + product(u, 128, f.u.2) + product(v, 128, f.v.2),
      ]
      let high = [f.high.0, f.high.1, f.high.2]
      let low = [f.low.0, f.low.1, f.low.2]
      let above = (0..<3).filter { rgb[$0] > Int(high[$0]) }
      for lane in above { words[3 + lane] += 1 }
      if !above.isEmpty {
        words[1] += 1
      } else if (0..<3).contains(where: { rgb[$0] < Int(low[$0]) }) {
        words[2] += 1
      } else {
        words[0] += 1
        let (y, u, v) = (UInt64(y), UInt64(u), UInt64(v))
        for (place, value) in [y, u, v].enumerated() { words[7 + place] += value }
        for (place, value) in [y * y, y * u, y * v, u * u, u * v, v * v].enumerated() {
          words[11 + place] += value
        }
      }
    }
    return words
  }

  @Test(arguments: [3, 4]) func lookedUpPixels(step: Int) {
    var random = SeededRandom(seed: UInt64(step))
    for length in Self.lengths {
      let bytes = Self.codes(step * length, largest: 255, &random).map { UInt8($0) }
      let tables = Self.codes(256 * step, largest: 255, &random).map { UInt8($0) }
      let white = UInt8(random.next() % 256)
      var output = bytes
      var raised: [UInt64] = [1, 2, 3, 4, 5]
      let done = unsafe wb_map_rgb8(&output, length, Int32(step), tables, white, &raised)
      #expect(done == 0 || length - done < 64)
      var expected = bytes
      var counts: [UInt64] = [1, 2, 3, 4, 5]
      for pixel in 0..<done {
        var any = false
        for place in 0..<step {
          let old = bytes[step * pixel + place]
          let new = tables[256 * place + Int(old)]
          expected[step * pixel + place] = new
          guard old < white, new >= white else { continue }
          counts[place] += 1
          any = true
        }
        counts[step] += any ? 1 : 0
      }
      #expect(output == expected)
      #expect(raised == counts)
    }
  }

  /// Gradients and second differences of two random pictures, in which some samples are NaN, are
  /// added to sums that are not zero.
  @Test(arguments: [3, 4, 10, 11, 18, 129, 130, 131, 138, 300]) func details(width: Int) {
    var random = SeededRandom(seed: UInt64(width))
    func picture() -> [Float] {
      (0..<3 * width).map { _ in random.next() % 50 == 0 ? .nan : Float(random.uniform()) }
    }
    let pictures = [picture(), picture()]
    let inner = width - 2
    let before = (0..<9 * inner).map { _ in Float(random.uniform()) }
    var expected = before.map { Double($0) }
    /// Returns the sum of the neighbors of a column, each times the weights of its row and column.
    func sum(_ picture: [Float], _ column: Int, _ down: [Double], _ across: [Double]) -> Double {
      (0..<9).reduce(0) { sum, place in
        let (row, offset) = (place / 3, place % 3)
        return sum + down[row] * across[offset]
          * Double(picture[row * width + column + offset])
      }
    }
    for column in 0..<inner {
      let light = pictures.map { Double($0[width + column + 1]) }
      for (first, weights) in [(0, [-1.0, 0, 1]), (6, [1.0, -2, 1])] {
        let changes = pictures.map {
          SIMD2(sum($0, column, [1, 2, 1], weights), sum($0, column, weights, [1, 2, 1]))
        }
        guard (changes[0] * changes[1]).sum().isFinite, light[0].isFinite, light[1].isFinite
        else { continue }
        let added = [
          (changes[0] * changes[1]).sum(), (changes[0] * changes[0]).sum(),
          (changes[1] * changes[1]).sum(), 1, light[0], light[1],
        ]
        for index in 0..<(first == 0 ? 6 : 3) {
          expected[(first + index) * inner + column] += added[index]
        }
      }
    }
    var (fast, plain) = (before, before)
    unsafe pictures[0].withUnsafeBufferPointer { first in
      unsafe pictures[1].withUnsafeBufferPointer { second in
        let (first, second) = unsafe (first.baseAddress! + width, second.baseAddress! + width)
        unsafe wb_sum_detail(first, second, width, &fast)
        unsafe wb_sum_detail_portable(first, second, width, &plain)
      }
    }
    #expect(fast == plain)
    #expect(zip(plain, expected).allSatisfy { abs(Double($0) - $1) < 1e-4 })
  }

  /// Gains of a row's mesh: the AVX2 loop and the portable one give the same codes and counts,
  /// which are those of the definition, from any place and for intervals of any length.
  @Test(arguments: [[0, 1, 2, 37], [0, 0, 64, 200], [0, 16, 33, 33, 101]])
  func shadedMosaic(starts: [UInt32]) {
    var random = SeededRandom(seed: UInt64(starts.count))
    let (black, white, mask) = (64.0, 4000, 4095)
    let count = Int(starts.last ?? 0)
    for place in [0, 1] {
      let codes = (0..<count).map { _ in Int(random.next() % 65_536) }
      let bytes =
        [UInt8](repeating: 0, count: place)
        + codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      let shares = (0..<count).map { _ in Float(random.uniform()) }
      let lines = (0..<2).map { _ in starts.indices.map { _ in Float(0.5 + random.uniform()) } }
      var range = wb_code_range(black: Float(black), white: Int32(white), mask: Int32(mask))
      func shaded(
        _ kernel: (
          UnsafeMutablePointer<UInt8>, UnsafePointer<wb_mesh_row>, UnsafePointer<wb_code_range>,
          UnsafeMutablePointer<UInt64>
        ) -> Void
      ) -> (codes: [Int], raised: [UInt64]) {
        var (bytes, raised) = (bytes, [UInt64](repeating: 0, count: 2))
        unsafe lines[0].withUnsafeBufferPointer { even in
          unsafe lines[1].withUnsafeBufferPointer { odd in
            unsafe shares.withUnsafeBufferPointer { shares in
              unsafe starts.withUnsafeBufferPointer { starts in
                var mesh = unsafe wb_mesh_row(
                  even: even.baseAddress, odd: odd.baseAddress, shares: shares.baseAddress,
                  starts: starts.baseAddress, intervals: starts.count - 1)
                unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                  unsafe kernel(bytes.baseAddress! + place, &mesh, &range, &raised)
                }
              }
            }
          }
        }
        let result = (0..<count).map {
          Int(bytes[place + 2 * $0]) | Int(bytes[place + 2 * $0 + 1]) << 8
        }
        return (result, raised)
      }
      let fast = unsafe shaded { unsafe wb_shade_mosaic($0, $1, $2, $3) }
      let plain = unsafe shaded { unsafe wb_shade_mosaic_portable($0, $1, $2, $3) }
      #expect(fast == plain)
      var expected: [UInt64] = [0, 0]
      for (index, code) in codes.enumerated() {
        let old = code & mask
        let interval = starts.lastIndex { $0 <= index } ?? 0
        let points = lines[index % 2][interval...(interval + 1)].map { Double($0) }
        let gain = points[0] + (points[1] - points[0]) * Double(shares[index])
        let exact = max(0, min((Double(old) - black) * gain + black, Double(white)))
        let new = plain.codes[index]
        if old >= white { #expect(new == code) } else { #expect(abs(Double(new) - exact) <= 0.501) }
        if old < white, new >= white { expected[index % 2] += 1 }
      }
      #expect(plain.raised == expected)
    }
  }

  @Test(arguments: [3, 4]) func appliedGains(step: Int) {
    var random = SeededRandom(seed: UInt64(step))
    for length in Self.lengths {
      for trial in 0..<8 {
        let codes = Self.codes(step * length, largest: 255, &random)
        let bytes = codes.map { UInt8($0) }
        let shift = 9 + Int(random.next() % 8)
        let white = trial % 2 == 0 ? 255 : 1 + Int(random.next() % 255)
        let factors = (0..<3).map { _ in
          trial % 4 < 2 ? random.next() % 65536 : UInt64(1 << min(shift, 15))
        }
        var gains = wb_gains(
          factor: (UInt16(factors[0]), UInt16(factors[1]), UInt16(factors[2])),
          shift: UInt8(shift), white: UInt8(white))
        var expected = codes
        var counts: [UInt64] = [0, 0, 0, 0]
        for pixel in 0..<length {
          var any = false
          for lane in 0..<3 where codes[step * pixel + lane] < white {
            let product = codes[step * pixel + lane] * Int(factors[lane]) + 1 << (shift - 1)
            expected[step * pixel + lane] = min(product >> shift, white)
            guard product >> shift >= white else { continue }
            counts[lane] += 1
            any = true
          }
          counts[3] += any ? 1 : 0
        }
        for isPortable in [false, true] {
          var output = [UInt8](repeating: 7, count: bytes.count + 1)
          var clipped: [UInt64] = [0, 0, 0, 0]
          if isPortable {
            unsafe wb_apply_rgb8_portable(bytes, &output, length, Int32(step), &gains, &clipped)
          } else {
            unsafe wb_apply_rgb8(bytes, &output, length, Int32(step), &gains, &clipped)
          }
          #expect(output == expected.map { UInt8($0) } + [7])
          #expect(clipped == counts)
        }
      }
    }
  }
}
