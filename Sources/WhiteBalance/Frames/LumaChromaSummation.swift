import CWbcalFrameKernels
import ColorScience

/// Sums of luma and chroma: of codes and their products if these are linear, otherwise of linear
/// values.
struct LumaChromaSummation: FrameSummation {
  let order = SIMD4(0, 1, 1, 2)
  let samples: LinearSamples
  private let chroma: PixelFormat.ChromaLayout
  /// The encoding in the form that the kernels read, without bounds.
  private let format: wb_yuv
  /// The table from codes to linear values; `nil` if codes are linear.
  private let table: LumaChromaTable?

  /// The unit of the linear values and of their squares.
  private static let unit = 0x1p-32

  /// Returns `nil` for other formats, for a region that starts between pixels that share chroma,
  /// and if there is no table for the levels.
  init?(_ samples: LinearSamples) {
    guard let chroma = samples.layout.format.chroma,
      samples.region.x % chroma.sharing.columns == 0
    else { return nil }
    table = samples.layout.transfer == .linear ? nil : LumaChromaTable(samples)
    guard table != nil || samples.layout.transfer == .linear else { return nil }
    self.samples = samples
    self.chroma = chroma
    // 1/32 code is (code · 128 · factor) / 2¹⁵.
    func factor(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
    func factors(_ row: SIMD3<Double>) -> (Int16, Int16, Int16) {
      (factor(row.x), factor(row.y), factor(row.z))
    }
    let rows = samples.layout.storedRows
    format = wb_yuv(
      offset: Int16(samples.layout.encoding.offset), luma: factor(rows.luma),
      u: factors(rows.u), v: factors(rows.v), low: (0, 0, 0), high: (0, 0, 0))
  }

  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    let format = format(within: bounds)
    let layout = samples.layout
    let x = samples.region.x + columns.lowerBound
    let (across, down) = chroma.sharing
    // The kernels start at a whole pair of pixels.
    let lead = x % across
    let count = columns.count
    var pairs: [UInt8] = []
    var doubled: [UInt8] = []
    var doubledSums = wb_sums()
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for y in rows.lowerBound + samples.region.y..<rows.upperBound + samples.region.y {
        let luma = unsafe bytes.baseAddress! + y * layout.bytesPerRow + x
        /// Returns a row of a plane of chroma, whose pixels are as wide as luma's or twice as wide.
        func plane(_ index: Int) -> UnsafePointer<UInt8> {
          let plane = layout.chroma[index]
          return unsafe bytes.baseAddress! + plane.offset + y / down * plane.bytesPerRow
        }
        switch chroma {
        case .yuyv:
          let start = unsafe luma + x
          unsafe add(start, start - 2 * lead + 1, lead, count, 1, format, &sums.lanes)
        case .uyvy:
          let start = unsafe luma + x
          unsafe add(start + 1, start - 2 * lead, lead, count, 2, format, &sums.lanes)
        case .nv12, .nv21:
          unsafe add(luma, plane(0) + x - lead, lead, count, 0, format, &sums.lanes)
        case .yu12, .planar422, .planar440, .planar444:
          let (cb, cr) = unsafe (plane(0), plane(1))
          pairs.removeAll(keepingCapacity: true)
          for index in x / across..<(x + count + across - 1) / across {
            unsafe pairs.append(cb[index])
            unsafe pairs.append(cr[index])
          }
          unsafe pairs.withUnsafeBufferPointer { pairs in
            if across == 2 {
              unsafe add(luma, pairs.baseAddress!, lead, count, 0, format, &sums.lanes)
              return
            }
            // The kernels support only chroma that two pixels share, so each pixel is doubled.
            doubled.removeAll(keepingCapacity: true)
            for index in 0..<count {
              unsafe doubled.append(luma[index])
              unsafe doubled.append(luma[index])
            }
            unsafe doubled.withUnsafeBufferPointer {
              unsafe add(
                $0.baseAddress!, pairs.baseAddress!, 0, 2 * count, 0, format, &doubledSums)
            }
          }
        }
      }
    }
    sums.lanes.addHalf(of: doubledSums)
  }

  /// Adds a row's samples; `lead` of them, 0 or 1, are the second of a pair of pixels.
  private func add(
    _ luma: UnsafePointer<UInt8>, _ pairs: UnsafePointer<UInt8>, _ lead: Int, _ count: Int,
    _ arrangement: Int32, _ format: wb_yuv, _ sums: inout wb_sums
  ) {
    let step = arrangement == 0 ? 1 : 2
    var format = format
    for (first, count) in [(0, lead), (lead, count - lead)] where count > 0 {
      let (luma, pairs) = unsafe (luma + first * step, pairs + 2 * first * step)
      if let table {
        unsafe table.withKernel {
          unsafe wb_sum_yuv_linear(luma, pairs, count, arrangement, &format, &$0, &sums)
        }
      } else {
        unsafe wb_sum_yuv(luma, pairs, count, arrangement, &format, &sums)
      }
    }
  }

  private func format(within bounds: CodeBounds) -> wb_yuv {
    func limit(_ value: Float) -> Int16 { Int16(max(-32768, min(value, 32767))) }
    func low(_ value: Float) -> Int16 { limit((32 * value).rounded(.up)) }
    func high(_ value: Float) -> Int16 {
      limit((32 * min(value, samples.clippedFrom.nextDown)).rounded(.down))
    }
    var format = format
    format.low = (low(bounds.low.x), low(bounds.low.y), low(bounds.low.w))
    format.high = (high(bounds.high.x), high(bounds.high.y), high(bounds.high.w))
    return format
  }

  /// Computes the mean and variance of a channel from those of luma and chroma and their
  /// covariances.
  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    guard table == nil else { return sums.linearChannel(lane, unit: Self.unit) }
    let (sum, product) = (sums.lanes.sum, sums.lanes.product)
    let count = Double(sums.used)
    let mean = SIMD3(Double(sum.0), Double(sum.1), Double(sum.2)) / count
    func covariance(_ products: UInt64, _ a: Double, _ b: Double) -> Double {
      Double(products) / count - a * b
    }
    let rows = samples.layout.storedRows
    let k = SIMD3(rows.luma, rows.u[lane], rows.v[lane])
    let code = (k * (mean - SIMD3(Double(samples.layout.encoding.offset), 128, 128))).sum()
    let variance =
      k.x * k.x * covariance(product.0, mean.x, mean.x)
      + k.y * k.y * covariance(product.3, mean.y, mean.y)
      + k.z * k.z * covariance(product.5, mean.z, mean.z)
      + 2
      * (k.x * k.y * covariance(product.1, mean.x, mean.y)
        + k.x * k.z * covariance(product.2, mean.x, mean.z)
        + k.y * k.z * covariance(product.4, mean.y, mean.z))
    return sums.codeChannel(mean: code, variance: variance, samples.layout)
  }
}

extension wb_sums {
  /// Adds half of sums that counted everything twice.
  fileprivate mutating func addHalf(of twice: wb_sums) {
    var (sum, half) = (self, twice)
    unsafe withUnsafeMutableBytes(of: &sum) { sum in
      unsafe withUnsafeBytes(of: &half) { twice in
        let (sum, twice) = unsafe (
          sum.bindMemory(to: UInt64.self), twice.bindMemory(to: UInt64.self)
        )
        for index in sum.indices {
          // Linear values below black make sums negative.
          let half = unsafe Int64(bitPattern: twice[index]) / 2
          unsafe sum[index] &+= UInt64(bitPattern: half)
        }
      }
    }
    self = sum
  }
}

extension FrameLayout {
  /// The encoding's factors of luma and of the two chromas in their stored order.
  var storedRows: (luma: Double, u: SIMD3<Double>, v: SIMD3<Double>) {
    let rows = encoding.rows
    return format == .subsampled(.nv21)
      ? (rows.luma, rows.cr, rows.cb) : (rows.luma, rows.cb, rows.cr)
  }
}
