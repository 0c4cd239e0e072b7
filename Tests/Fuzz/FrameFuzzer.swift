// Fuzzes frames of every format, of any size, stride and region, in exactly as many bytes as they
// need.

import CalibrationTargets
import ColorScience
import WhiteBalance

let formats: [PixelFormat] =
  PixelFormat.fourCCs.map { PixelFormat(fourCC: $0)! }
  + [.argb8, .rgb16, .rgba16, .bgra16, .rgbHalf, .rgbaHalf, .rgbFloat, .rgbaFloat]
let seeds: [[UInt8]] = (0..<UInt8(formats.count)).map {
  [$0, 64, 0, 48, 0, 0, 4, 4, 8, 8, 0, 0] + [UInt8](repeating: 90, count: 200)
}

func test(_ bytes: [UInt8]) {
  guard bytes.count > 12 else { return }
  let format = formats[Int(bytes[0]) % formats.count]
  let transfer: [TransferFunction] = [.linear, .sRGB, .bt709, .gamma(2.2)]
  let (width, height) = (Int(bytes[1]) + Int(bytes[2] % 4) * 256, Int(bytes[3]))
  let planes =
    bytes[4] % 3 == 0
    ? nil
    : (1...2).map { FrameLayout.Plane(offset: Int(bytes[4]) * $0 * 7, bytesPerRow: width + $0) }
  guard
    let layout = try? FrameLayout(
      width: width, height: height,
      bytesPerRow: bytes[5] == 0 ? nil : width * Int(bytes[5] % 9) + Int(bytes[6]), format: format,
      chroma: format == .subsampled(.nv12) || format == .subsampled(.nv21)
        ? planes.map { Array($0.prefix(1)) } : planes,
      blackLevel: Double(bytes[10]), whiteLevel: bytes[11] == 0 ? nil : Double(bytes[11]) * 16,
      transfer: transfer[Int(bytes[10] % 4)]), layout.byteCount < 1 << 22
  else { return }
  var pixels = (0..<layout.byteCount).map { bytes[12 + $0 % (bytes.count - 12)] }
  let region = PixelRectangle(
    x: Int(bytes[6]), y: Int(bytes[7]), width: Int(bytes[8]) + 1, height: Int(bytes[9]) + 1)
  _ = try? GrayCardEstimator(region: .rectangle(region)).estimate(pixels.span, layout: layout)
  if let found = try? FrameStatistics(
    pixels.span, layout: layout, region: region, darkLevel: Double(bytes[7]) / 200)
  {
    let counts = found.pixels
    guard counts.total == counts.used + counts.clipped + counts.dark else {
      fatalError("pixels were lost")
    }
  }
  _ = try? FrameStatistics.zones(pixels.span, layout: layout, region: region, columns: 3, rows: 2)
  _ = try? CardFinder().card(in: pixels.span, layout: layout)
  _ = try? ChartFinder().chart(in: pixels.span, layout: layout)
  for estimator in [ShadesOfGray.grayWorld, ShadesOfGray(norm: 6)!] {
    _ = try? estimator.estimate(pixels.span, layout: layout, region: region)
  }
  _ = try? WhitePatch(percentile: 99)!.estimate(pixels.span, layout: layout, region: region)
  if let gains = try? GainApplication(of: Gains(red: 1.5, green: 0.7, blue: 9), layout: layout) {
    var span = pixels.mutableSpan
    _ = try? gains.apply(to: &span)
  }
}
