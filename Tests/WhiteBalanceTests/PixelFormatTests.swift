import Testing

@testable import WhiteBalance

struct PixelFormatTests {
  private static let patterns: [BayerPattern] = [.rggb, .grbg, .gbrg, .bggr]

  /// Tests every code, as `videodev2.h` describes it. V4L2's `BA10` and `BA12` are GRBG, while
  /// `BA24` is ARGB.
  @Test func fourCharacterCodes() {
    var expected: [String: PixelFormat] = [
      "RGB3": .rgb8, "BGR3": .bgr8, "XR24": .bgra8, "AR24": .bgra8, "BGR4": .bgra8,
      "XB24": .rgba8, "AB24": .rgba8, "BX24": .argb8, "BA24": .argb8, "GREY": .gray(bits: 8),
      "Y10 ": .gray(bits: 10), "Y12 ": .gray(bits: 12), "Y14 ": .gray(bits: 14),
      "Y16 ": .gray(bits: 16), "YUYV": .subsampled(.yuyv), "UYVY": .subsampled(.uyvy),
      "NV12": .subsampled(.nv12), "NV21": .subsampled(.nv21), "YU12": .subsampled(.yu12),
      // The formats of several buffers, and those of Motion JPEG.
      "NM12": .subsampled(.nv12), "NM21": .subsampled(.nv21), "YM12": .subsampled(.yu12),
      "422P": .subsampled(.planar422), "YM16": .subsampled(.planar422),
      "YM24": .subsampled(.planar444),
    ]
    let samples = [
      8: "RGGB GRBG GBRG BA81", 10: "RG10 BA10 GB10 BG10", 12: "RG12 BA12 GB12 BG12",
      14: "RG14 GR14 GB14 BG14", 16: "RG16 GR16 GB16 BYR2",
    ]
    let packed = [10: "pRAA pgAA pGAA pBAA", 12: "pRCC pgCC pGCC pBCC", 14: "pREE pgEE pGEE pBEE"]
    for (bits, codes) in samples {
      for (code, pattern) in zip(codes.split(separator: " "), Self.patterns) {
        expected[String(code)] = .bayer(pattern, bits: bits)
      }
    }
    for (bits, codes) in packed {
      for (code, pattern) in zip(codes.split(separator: " "), Self.patterns) {
        expected[String(code)] = .packedBayer(pattern, bits: bits)
      }
    }
    #expect(Set(PixelFormat.fourCCs) == Set(expected.keys))
    for (code, format) in expected { #expect(PixelFormat(fourCC: code) == format, "\(code)") }
    // The codes of formats in several pieces are not returned.
    let written = [PixelFormat.bgra8, .rgb8, .argb8, .bayer(.rggb, bits: 10)].map(\.fourCC)
    #expect(written == ["XR24", "RGB3", "BX24", "RG10"])
    let places: [PixelFormat.ChromaLayout] = [.yuyv, .nv12, .yu12, .planar422, .planar444]
    #expect(
      places.map { PixelFormat.subsampled($0).fourCC } == ["YUYV", "NV12", "YU12", "422P", nil])
    #expect(PixelFormat.rgbFloat.fourCC == nil)
  }

  /// The positions of red, green and blue in a pixel are those that the names spell.
  @Test(
    arguments: [
      (.rgb8, "RGB"), (.bgr8, "BGR"), (.bgra8, "BGRx"), (.rgba8, "RGBx"), (.argb8, "xRGB"),
      (.rgb16, "RGB"), (.rgba16, "RGBx"), (.bgra16, "BGRx"), (.rgbHalf, "RGB"),
      (.rgbaHalf, "RGBx"), (.rgbFloat, "RGB"), (.rgbaFloat, "RGBx"),
    ] as [(PixelFormat, String)])
  func orders(format: PixelFormat, letters: String) {
    let places = "RGB".map { letter in Array(letters).firstIndex(of: letter)! }
    #expect(
      format.arrangement
        == .interleaved(
          red: places[0], green: places[1], blue: places[2], samplesPerPixel: letters.count))
  }

  /// Tests the bytes of a row of 8 pixels, and the numbers of which the sides must be multiples.
  @Test(
    arguments: [
      (.rgb8, 8, 24, 1, 1), (.argb8, 8, 32, 1, 1), (.rgb16, 16, 48, 1, 1),
      (.rgbaHalf, 16, 64, 1, 1), (.rgbFloat, 32, 96, 1, 1), (.rgbaFloat, 32, 128, 1, 1),
      (.gray(bits: 8), 8, 8, 1, 1), (.gray(bits: 9), 9, 16, 1, 1), (.gray(bits: 16), 16, 16, 1, 1),
      (.bayer(.rggb, bits: 8), 8, 8, 1, 1), (.bayer(.rggb, bits: 12), 12, 16, 1, 1),
      (.packedBayer(.rggb, bits: 10), 10, 10, 4, 1), (.packedBayer(.rggb, bits: 12), 12, 12, 2, 1),
      (.packedBayer(.rggb, bits: 14), 14, 14, 4, 1), (.subsampled(.yuyv), 8, 16, 2, 1),
      (.subsampled(.uyvy), 8, 16, 2, 1), (.subsampled(.nv12), 8, 8, 2, 2),
      (.subsampled(.nv21), 8, 8, 2, 2), (.subsampled(.yu12), 8, 8, 1, 1),
      (.subsampled(.planar422), 8, 8, 1, 1), (.subsampled(.planar444), 8, 8, 1, 1),
    ] as [(PixelFormat, Int, Int, Int, Int)])
  func sizes(format: PixelFormat, bits: Int, row: Int, columns: Int, rows: Int) {
    #expect(format.bitsPerSample == bits && format.rowBytes(width: 8) == row)
    #expect(format.bytesPerSample == (bits > 16 ? 4 : bits > 8 ? 2 : 1))
    #expect(format.granularity == (columns, rows))
    let isFloating = [.rgbaHalf, .rgbFloat, .rgbaFloat].contains(format)
    #expect(format.isInteger == !isFloating)
    var largest = 1
    if !isFloating { for _ in 0..<bits { largest *= 2 } }
    #expect(format.maximumValue == (isFloating ? 1 : largest - 1))
    let isBayer = if case .bayer = format.arrangement { true } else { false }
    #expect(format.unit == (isBayer ? (2, 2) : (1, 1)))
  }

  @Test func bitsThatThereAreNot() async {
    await #expect(processExitsWith: .failure) { _ = PixelFormat.bayer(.rggb, bits: 7) }
    await #expect(processExitsWith: .failure) { _ = PixelFormat.bayer(.rggb, bits: 17) }
    await #expect(processExitsWith: .failure) { _ = PixelFormat.gray(bits: 7) }
    await #expect(processExitsWith: .failure) { _ = PixelFormat.gray(bits: 17) }
    await #expect(processExitsWith: .failure) { _ = PixelFormat.packedBayer(.rggb, bits: 11) }
  }
}
