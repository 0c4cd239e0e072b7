import CWbcalFrameKernels
import ColorScience

/// The codes of red, green, green and blue between which a sample is used.
struct CodeBounds: Equatable {
  var low, high: SIMD4<Float>

  init(low: SIMD4<Float>, high: SIMD4<Float>) {
    self.low = low
    self.high = high
  }

  /// All that is not clipped.
  init(_ samples: LinearSamples) {
    low = SIMD4(repeating: -.infinity)
    high = SIMD4(repeating: samples.clippedFrom.nextDown)
  }
}

/// Integer sums over samples: of codes, of luma and chroma, or of light as a fixed-point number.
struct FrameSums {
  fileprivate var lanes = wb_sums()
  fileprivate var moments = wb_moments()

  /// Samples within the bounds.
  var used: Int { Int(lanes.used + moments.used) }
  /// Samples with a channel above them.
  var above: Int { Int(lanes.above + moments.above) }
  /// Samples with a channel below them, and none above.
  var below: Int { Int(lanes.below + moments.below) }
}

/// Adds up a region's samples, row by row, in the fastest way there is for the format.
struct FrameSummation {
  private enum Path {
    /// Bytes of red, green and blue, the first three of `step`: sums of codes.
    case bytes(step: Int)
    /// The same: sums of light, from a table.
    case coded(step: Int)
    /// Rows of a color filter: sums of codes.
    case cells
    /// Luma and chroma that are linear in light: sums of codes and of their products.
    case lumaChroma(PixelFormat.ChromaLayout)
    /// Luma and chroma that are not: sums of light, from a table.
    case codedLumaChroma(PixelFormat.ChromaLayout)
    /// All else, a sample at a time: sums of light.
    case each
  }

  let samples: LinearSamples
  private let path: Path
  /// Where the kernels put red, green, green and blue.
  private let order: SIMD4<Int>
  /// Lights and squares as `wb_sum_rgb8` wants them.
  private let table: [UInt64]
  private let lumaChroma: wb_yuv
  private let lumaChromaLight: LumaChromaLight?
  private var upper: [UInt16] = []
  private var lower: [UInt16] = []
  private var pairs: [UInt8] = []
  /// The last bounds, in the kernels' order.
  private var limits = (bounds: CodeBounds(low: .zero, high: .zero), wb_bounds())

  init(_ samples: LinearSamples) {
    self.samples = samples
    let layout = samples.layout
    let isLinear = layout.transfer == .linear
    lumaChroma = Self.fixedPoint(
      layout.encoding, isSwapped: layout.format == .subsampled(.nv21))
    var order = SIMD4(0, 1, 2, 3)
    var table: [UInt64] = []
    var lumaChromaLight: LumaChromaLight?
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let step)
    where layout.format.sample == .unsigned(bits: 8) && max(red, green, blue) < 3
      && (isLinear || layout.blackLevel <= 0):
      order = SIMD4(red, green, green, blue)
      path = isLinear ? .bytes(step: step) : .coded(step: step)
      if !isLinear { table = Self.lights(samples) }
    case .bayer(let pattern) where isLinear:
      let red = pattern.shifted(columns: samples.region.x, rows: samples.region.y).redPosition
      let lane = { (column: Int, row: Int) in column + 2 * row }
      order = SIMD4(
        lane(red.column, red.row), lane(1 - red.column, red.row), lane(red.column, 1 - red.row),
        lane(1 - red.column, 1 - red.row))
      path = .cells
    case .subsampled(let chroma) where samples.region.x % 2 == 0:
      order = SIMD4(0, 1, 1, 2)
      if isLinear {
        path = .lumaChroma(chroma)
      } else {
        lumaChromaLight = LumaChromaLight.latest(samples)
        path = lumaChromaLight == nil ? .each : .codedLumaChroma(chroma)
      }
    default: path = .each
    }
    self.order = order
    self.table = table
    self.lumaChromaLight = lumaChromaLight
  }

  /// Adds a row's samples; columns and row are those of the region's samples.
  mutating func add(
    _ bytes: Span<UInt8>, row: Int, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    let layout = samples.layout
    let (x, y) = (samples.region.x, samples.region.y)
    switch path {
    case .bytes(let step), .coded(let step):
      let start = (y + row) * layout.bytesPerRow + (x + columns.lowerBound) * step
      var limits = kernelBounds(bounds)
      unsafe bytes.withUnsafeBufferPointer { bytes in
        let pixels = unsafe bytes.baseAddress! + start
        unsafe table.withUnsafeBufferPointer { table in
          unsafe wb_sum_rgb8(
            pixels, columns.count, Int32(step), &limits, table.isEmpty ? nil : table.baseAddress,
            &sums.lanes)
        }
      }
    case .cells:
      let first = x + 2 * columns.lowerBound
      let count = 2 * columns.count
      var limits = kernelBounds(bounds)
      if layout.format.sample == .unsigned(bits: 16), layout.bytesPerRow % 2 == 0 {
        let start = (y + 2 * row) * layout.bytesPerRow + 2 * first
        let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
          let upper = unsafe UnsafeRawPointer(bytes.baseAddress! + start)
          guard UInt(bitPattern: upper) % 2 == 0 else { return false }
          let lower = unsafe upper + layout.bytesPerRow
          unsafe wb_sum_cells(
            upper.assumingMemoryBound(to: UInt16.self), lower.assumingMemoryBound(to: UInt16.self),
            columns.count, &limits, &sums.lanes)
          return true
        }
        if isDone { return }
      }
      unpack(bytes, row: y + 2 * row, first: first, count: count, into: &upper)
      unpack(bytes, row: y + 2 * row + 1, first: first, count: count, into: &lower)
      unsafe wb_sum_cells(upper, lower, columns.count, &limits, &sums.lanes)
    case .lumaChroma(let chroma), .codedLumaChroma(let chroma):
      addLumaChroma(bytes, chroma, row: row, columns: columns, bounds, to: &sums)
    case .each:
      for column in columns {
        Self.add(
          samples.codes(bytes, column: column, row: row), samples, bounds, to: &sums.lanes)
      }
    }
  }
}

extension FrameSummation {
  /// Every code's light and its square, as `wb_sum_rgb8` wants them.
  private static func lights(_ samples: LinearSamples) -> [UInt64] {
    var lights = [UInt64](repeating: 0, count: Int(WB_LIGHTS))
    for code in 0..<256 where Float(code) < samples.clippedFrom {
      let light = samples.light(Double(code))
      let scale = Double(1 << 28)
      lights[code] =
        UInt64((light * scale).rounded()) | UInt64((light * light * scale).rounded()) << 32
    }
    unsafe wb_spread_lights(&lights)
    return lights
  }

  private static func fixedPoint(_ encoding: LumaChromaEncoding, isSwapped: Bool) -> wb_yuv {
    // 1/32 code: (code · 128 · factor) / 2¹⁵.
    func factor(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
    func factors(_ row: SIMD3<Double>) -> (Int16, Int16, Int16) {
      (factor(row.x), factor(row.y), factor(row.z))
    }
    let rows = encoding.rows
    return wb_yuv(
      offset: Int16(encoding.offset), luma: factor(rows.luma),
      u: factors(isSwapped ? rows.cr : rows.cb), v: factors(isSwapped ? rows.cb : rows.cr),
      low: (0, 0, 0), high: (0, 0, 0))
  }

  /// The bounds in the kernels' order.
  private mutating func kernelBounds(_ bounds: CodeBounds) -> wb_bounds {
    if bounds == limits.bounds { return limits.1 }
    // The kernels have no more bits; and the largest code is clipped, whatever the bound.
    let largest = Float(samples.layout.format.maximumValue)
    func code(_ value: Float) -> UInt16 { UInt16(max(0, min(value, largest))) }
    let clipped = samples.clippedFrom - 1
    var low = SIMD4<UInt16>.zero
    var high = SIMD4<UInt16>(repeating: 255)
    for lane in 0..<4 {
      low[order[lane]] = code(bounds.low[lane].rounded(.up))
      high[order[lane]] = code(min(bounds.high[lane].rounded(.down), clipped))
    }
    limits = (
      bounds,
      wb_bounds(low: (low.x, low.y, low.z, low.w), high: (high.x, high.y, high.z, high.w))
    )
    return limits.1
  }

  /// A row's samples of 16 bits.
  private func unpack(
    _ bytes: Span<UInt8>, row: Int, first: Int, count: Int, into output: inout [UInt16]
  ) {
    let format = samples.layout.format
    if output.count < count + 4 { output = [UInt16](repeating: 0, count: count + 4) }
    let start = row * samples.layout.bytesPerRow
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let base = unsafe bytes.baseAddress! + start
      switch format.sample {
      case .unsigned(bits: 8): unsafe wb_unpack8(base + first, count, &output)
      case .packed(let bits):
        // From the start of a group of samples.
        let group = bits == 12 ? 2 : 4
        let skipped = first % group
        let packed = unsafe base + (first - skipped) * bits / 8
        switch bits {
        case 10: unsafe wb_unpack10(packed, skipped + count, &output)
        case 12: unsafe wb_unpack12(packed, skipped + count, &output)
        default: unsafe wb_unpack14(packed, skipped + count, &output)
        }
        if skipped > 0 {
          for index in 0..<count { output[index] = output[index + skipped] }
        }
      default:
        unsafe wb_unpack16(base + 2 * first, count, UInt16(format.maximumValue), &output)
      }
    }
  }

  private mutating func addLumaChroma(
    _ bytes: Span<UInt8>, _ chroma: PixelFormat.ChromaLayout, row: Int, columns: Range<Int>,
    _ bounds: CodeBounds, to sums: inout FrameSums
  ) {
    var format = lumaChroma
    func limit(_ value: Float) -> Int16 { Int16(max(-32768, min(value, 32767))) }
    func low(_ value: Float) -> Int16 { limit((32 * value).rounded(.up)) }
    func high(_ value: Float) -> Int16 {
      limit((32 * min(value, samples.clippedFrom.nextDown)).rounded(.down))
    }
    format.low = (low(bounds.low.x), low(bounds.low.y), low(bounds.low.w))
    format.high = (high(bounds.high.x), high(bounds.high.y), high(bounds.high.w))
    let layout = samples.layout
    let (x, y) = (samples.region.x + columns.lowerBound, samples.region.y + row)
    // Kernels start with a whole pair.
    let lead = x % 2
    let start = y * layout.bytesPerRow
    func run(_ luma: UnsafePointer<UInt8>, _ pair: UnsafePointer<UInt8>, _ arrangement: Int32) {
      let step = arrangement == 0 ? 1 : 2
      for (first, count) in [(0, lead), (lead, columns.count - lead)] where count > 0 {
        let (luma, pair) = unsafe (luma + first * step, pair + 2 * first * step)
        if let lumaChromaLight {
          unsafe lumaChromaLight.withKernel {
            unsafe wb_sum_yuv_light(
              luma, pair, count, arrangement, &format, &$0, &sums.lanes)
          }
        } else {
          unsafe wb_sum_yuv(luma, pair, count, arrangement, &format, &sums.moments)
        }
      }
    }
    if chroma == .yu12 {
      let (cb, cr) = (layout.chroma[0], layout.chroma[1])
      let count = (columns.count + lead + 1) / 2
      pairs.removeAll(keepingCapacity: true)
      for index in x / 2..<x / 2 + count {
        pairs.append(bytes[cb.offset + y / 2 * cb.bytesPerRow + index])
        pairs.append(bytes[cr.offset + y / 2 * cr.bytesPerRow + index])
      }
    }
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let base = bytes.baseAddress!
      switch chroma {
      case .yuyv:
        unsafe run(base + start + 2 * x, base + start + (x - lead) * 2 + 1, 1)
      case .uyvy:
        unsafe run(base + start + 2 * x + 1, base + start + (x - lead) * 2, 2)
      case .nv12, .nv21:
        let plane = layout.chroma[0]
        unsafe run(
          base + start + x, base + plane.offset + y / 2 * plane.bytesPerRow + x - lead, 0)
      case .yu12:
        unsafe pairs.withUnsafeBufferPointer { pairs in
          unsafe run(base + start + x, pairs.baseAddress!, 0)
        }
      }
    }
  }

  /// What the kernels do, a sample at a time, with light in units of 2⁻³².
  private static func add(
    _ codes: SIMD4<Float>, _ samples: LinearSamples, _ bounds: CodeBounds, to sums: inout wb_sums
  ) {
    let high = pointwiseMin(bounds.high, SIMD4(repeating: samples.clippedFrom.nextDown))
    // What is no number is not used.
    let above = SIMD4<UInt64>(
      codes.x <= high.x ? 0 : 1, codes.y <= high.y ? 0 : 1, codes.z <= high.z ? 0 : 1,
      codes.w <= high.w ? 0 : 1)
    sums.lane_above.0 += above.x
    sums.lane_above.1 += above.y
    sums.lane_above.2 += above.z
    sums.lane_above.3 += above.w
    if above != .zero {
      sums.above += 1
      return
    }
    let lights = [codes.x, codes.y, codes.z, codes.w].map(samples.light(code:))
    // What is that far below black is no light, and its square no number of 64 bits.
    guard all(codes .>= bounds.low), lights.allSatisfy({ $0 > -16 }) else {
      sums.below += 1
      return
    }
    sums.used += 1
    func add(_ light: Double, _ sum: inout UInt64, _ squares: inout UInt64) {
      let scale = Double(1 << 32)
      sum &+= UInt64(bitPattern: Int64((light * scale).rounded()))
      squares &+= UInt64((light * light * scale).rounded())
    }
    add(lights[0], &sums.sum.0, &sums.squares.0)
    add(lights[1], &sums.sum.1, &sums.squares.1)
    add(lights[2], &sums.sum.2, &sums.squares.2)
    add(lights[3], &sums.sum.3, &sums.squares.3)
  }
}

extension FrameSummation {
  /// What sums say of a channel, in linear light.
  struct Channel {
    var count = 0
    var mean = 0.0
    /// Of single samples.
    var variance = 0.0
  }

  /// Red, green and blue; where nothing was used, all is 0.
  func channels(_ sums: FrameSums) -> (red: Channel, green: Channel, blue: Channel) {
    guard sums.used > 0 else { return (Channel(), Channel(), Channel()) }
    if case .lumaChroma = path { return lumaChromaChannels(sums.moments) }
    let lanes = sums.lanes
    let sum = SIMD4(lanes.sum.0, lanes.sum.1, lanes.sum.2, lanes.sum.3)
    let squares = SIMD4(lanes.squares.0, lanes.squares.1, lanes.squares.2, lanes.squares.3)
    let count = Double(lanes.used)
    func channel(_ lane: Int) -> Channel {
      let (mean, square): (Double, Double)
      switch path {
      case .bytes, .cells, .lumaChroma:
        (mean, square) = (Double(sum[lane]) / count, Double(squares[lane]) / count)
        let range = samples.layout.whiteLevel - samples.layout.blackLevel
        return Channel(
          count: sums.used, mean: (mean - samples.layout.blackLevel) / range,
          variance: max(0, square - mean * mean) / (range * range))
      case .coded, .codedLumaChroma, .each:
        let scale = if case .coded = path { Double(1 << 28) } else { Double(1 << 32) }
        (mean, square) = (
          Double(Int64(bitPattern: sum[lane])) / scale / count,
          Double(squares[lane]) / scale / count
        )
        return Channel(count: sums.used, mean: mean, variance: max(0, square - mean * mean))
      }
    }
    var green = channel(order.y)
    if samples.pixelsPerSample == 4 {
      let other = channel(order.z)
      green = Channel(
        count: 2 * sums.used, mean: (green.mean + other.mean) / 2,
        variance: (green.variance + other.variance) / 2)
    }
    return (channel(order.x), green, channel(order.w))
  }

  private func lumaChromaChannels(
    _ m: wb_moments
  ) -> (red: Channel, green: Channel, blue: Channel) {
    let count = Double(m.used)
    let mean = SIMD3(Double(m.sum.0), Double(m.sum.1), Double(m.sum.2)) / count
    let p = m.product
    let square = [p.0, p.1, p.2, p.3, p.4, p.5].map { Double($0) / count }
    let rows = samples.layout.encoding.rows
    let isSwapped = samples.layout.format == .subsampled(.nv21)
    let (u, v) = isSwapped ? (rows.cr, rows.cb) : (rows.cb, rows.cr)
    let range = samples.layout.whiteLevel - samples.layout.blackLevel
    func channel(_ lane: Int) -> Channel {
      let k = SIMD3(rows.luma, u[lane], v[lane])
      let offset = SIMD3(Double(samples.layout.encoding.offset), 128, 128)
      let code = (k * (mean - offset)).sum()
      let yy = square[0] - mean.x * mean.x
      let yu = square[1] - mean.x * mean.y
      let yv = square[2] - mean.x * mean.z
      let uu = square[3] - mean.y * mean.y
      let uv = square[4] - mean.y * mean.z
      let vv = square[5] - mean.z * mean.z
      let variance =
        k.x * k.x * yy + k.y * k.y * uu + k.z * k.z * vv
        + 2 * (k.x * k.y * yu + k.x * k.z * yv + k.y * k.z * uv)
      return Channel(
        count: Int(m.used), mean: (code - samples.layout.blackLevel) / range,
        variance: max(0, variance) / (range * range))
    }
    return (channel(0), channel(1), channel(2))
  }

  /// Samples whose red, whose green and whose blue lie above the bounds; of two greens, the more.
  func above(_ sums: FrameSums) -> (red: Int, green: Int, blue: Int) {
    if case .lumaChroma = path {
      let lanes = sums.moments.lane_above
      return (Int(lanes.0), Int(lanes.1), Int(lanes.2))
    }
    let lanes = sums.lanes.lane_above
    let above = SIMD4(Int(lanes.0), Int(lanes.1), Int(lanes.2), Int(lanes.3))
    return (above[order.x], max(above[order.y], above[order.z]), above[order.w])
  }

  /// The exact sums of codes of red, green and blue; `nil` where it is light that is added up.
  func codeSums(_ sums: FrameSums) -> SIMD3<UInt64>? {
    switch path {
    case .coded, .each, .lumaChroma, .codedLumaChroma: return nil
    case .bytes, .cells:
      let sum = SIMD4(
        sums.lanes.sum.0, sums.lanes.sum.1, sums.lanes.sum.2, sums.lanes.sum.3)
      let green = samples.pixelsPerSample == 4 ? sum[order.y] + sum[order.z] : sum[order.y]
      return SIMD3(sum[order.x], green, sum[order.w])
    }
  }
}
