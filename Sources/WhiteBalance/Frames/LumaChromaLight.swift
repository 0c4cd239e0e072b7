import CWbcalFrameKernels
import ColorScience

/// Light of red, green and blue as `wb_sum_yuv_light` wants it.
///
/// Error of means, and of means of squares, whatever the frame: 1e-6 of white
/// (`LumaChromaLightTests`).
struct LumaChromaLight {
  /// What each of the chromas counts for red, green and blue, in codes of luma.
  private let u, v: SIMD3<Double>
  private let scale: Int
  private var table: [Int32]
  private var windows: [Int64] = []

  /// `nil` where light is not within −2…2 wherever luma and chroma can lie: white is close to
  /// black.
  init?(_ samples: LinearSamples) {
    let rows = samples.layout.encoding.rows
    let isSwapped = samples.layout.format == .subsampled(.nv21)
    u = (isSwapped ? rows.cr : rows.cb) / rows.luma
    v = (isSwapped ? rows.cb : rows.cr) / rows.luma
    // Light at every 1/8 of a code of luma, from one before −256 to one after 256.
    let lights = (-2049...2049).map { samples.light(rows.luma * Double($0) / 8) }
    guard lights[0] > -2 else { return nil }
    let curves = [lights.map { min($0, 2) }, lights.map { min($0 * $0, 4) }]

    // What lies beyond is not used.
    table = [Int32](repeating: 0, count: 4 * (8 * 768 + 1))
    for (index, curve) in curves.enumerated() {
      func entry(_ place: Int) -> Int32 {
        // A chord lies beyond its curve by a twelfth of the second difference on average.
        let (before, middle, after) = (curve[place], curve[place + 1], curve[place + 2])
        let value = middle - (before + after - 2 * middle) / 12 + (index == 0 ? 2 : 0)
        return Int32((max(0, min(value, 4)) * Double(1 << 28)).rounded())
      }
      var next = entry(0)
      for place in 0..<4096 {
        let this = next
        next = entry(place + 1)
        table[4 * place + 2 * index] = next - this
        table[4 * place + 2 * index + 1] = this
      }
    }

    // The scale at which the chromas' factors are nearest to whole; a larger one would overflow.
    let ratios = [u.x, u.y, u.z, v.x, v.y, v.z]
    func error(_ scale: Int) -> Double {
      let products = ratios.map { 2 * Double(scale) * $0 }
      return products.map { abs($0 - $0.rounded()) }.reduce(0, max) / Double(scale)
    }
    scale = (210...250).min { error($0) < error($1) } ?? 250
    for middle in stride(from: 1, through: 4097, by: 32) {
      windows += Self.window(curves, middle, scale: Double(scale))
    }
  }

  /// What the tables depend on.
  private struct Key: Equatable {
    var black, white: Double
    var transfer: TransferFunction
    var encoding: LumaChromaEncoding
    var format: PixelFormat

    init(_ layout: FrameLayout) {
      (black, white) = (layout.blackLevel, layout.whiteLevel)
      (transfer, encoding, format) = (layout.transfer, layout.encoding, layout.format)
    }
  }
  private static let latest = LatestTable<Key, LumaChromaLight?>()

  /// The same, computed only if the last one was another.
  static func latest(_ samples: LinearSamples) -> LumaChromaLight? {
    latest.table(for: Key(samples.layout)) { LumaChromaLight(samples) }
  }

  /// The widest window about a place in which polynomials are close to the curves.
  private static func window(_ curves: [[Double]], _ middle: Int, scale: Double) -> [Int64] {
    for reach in [176, 132, 99, 74, 55, 41]
    where middle - reach >= 0 && middle + reach < curves[0].count {
      let fits = curves.map { Polynomial($0, middle, reach) }
      guard fits.allSatisfy({ $0.error <= 0x1p-21 }) else { continue }
      let (cube, fourth) = (0x1p15 / (4 * scale * scale * scale), 0x1p30 / 8 / scale / scale)
      return fits.flatMap { fit in
        let units = [0x1p32, 0x1p38, 0x1p38, 0x1p54 * cube, 0x1p54 * fourth / scale / scale]
        return zip(fit.coefficients, units).map { Int64(($0 * $1).rounded()) }
      } + [Int64(reach) << 19]
    }
    return [Int64](repeating: 0, count: 10) + [-1]
  }

  /// The polynomial through five of the points around one, near the zeros of Chebyshev's.
  private struct Polynomial {
    var coefficients: [Double]
    /// The largest error, next to Chebyshev's extremes.
    var error = 0.0

    init(_ curve: [Double], _ middle: Int, _ reach: Int) {
      func offset(_ part: Double) -> Int { Int((part * Double(reach)).rounded()) }
      func halves(_ offset: Int) -> (x: Double, odd: Double, even: Double) {
        let (low, high) = (curve[middle - offset], curve[middle + offset])
        let x = Double(offset) / 8
        return (x, (high - low) / (2 * x), ((high + low) / 2 - curve[middle]) / (x * x))
      }
      let (a, b) = (halves(offset(0.588)), halves(offset(0.951)))
      let range = b.x * b.x - a.x * a.x
      let (third, fourth) = ((b.odd - a.odd) / range, (b.even - a.even) / range)
      coefficients = [
        curve[middle], a.odd - third * a.x * a.x, a.even - fourth * a.x * a.x, third, fourth,
      ]
      for part in [-1, -0.809, -0.309, 0.309, 0.809, 1] {
        let x = Double(offset(part)) / 8
        let value = coefficients.reversed().reduce(0) { $0 * x + $1 }
        error = max(error, abs(value - curve[middle + offset(part)]))
      }
    }
  }

  /// Calls the kernel's caller.
  func withKernel(_ body: (inout wb_yuv_light) -> Void) {
    unsafe table.withUnsafeBufferPointer { table in
      unsafe windows.withUnsafeBufferPointer { windows in
        func far(_ ratio: Double) -> Int32 { Int32((ratio * Double(1 << 22)).rounded()) }
        func near(_ ratio: Double) -> Int16 { Int16((ratio * Double(2 * scale)).rounded()) }
        var light = unsafe wb_yuv_light(
          u: (far(u.x), far(u.y), far(u.z)), v: (far(v.x), far(v.y), far(v.z)),
          luma: Int16(scale), near_u: (near(u.x), near(u.y), near(u.z)),
          near_v: (near(v.x), near(v.y), near(v.z)), table: table.baseAddress,
          windows: windows.baseAddress)
        unsafe body(&light)
      }
    }
  }
}
