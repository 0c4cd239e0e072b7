import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// Small pictures for viewing are compared with the contents of the frames.
struct ScaledPictureTests {
  private static let sizes = [(48, 36), (52, 38), (44, 34)]
  private static let widths = [1, 5, 7, 9, 16, 23, 24, 25, 47, 48, 64, 4096]

  private func picture(_ frame: RenderedFrame, width: Int) throws -> ScaledPicture {
    try ScaledPicture(frame.bytes.span, layout: frame.layout, width: width)
  }

  /// In a frame of one color, every pixel of the picture has that color at any scale.
  @Test(arguments: RenderedFrame.formats)
  func oneColorStays(format: PixelFormat) throws {
    let color = SIMD3(0.5, 0.25, 0.125)
    for transfer in [TransferFunction.linear, .sRGB] {
      for (width, height) in Self.sizes {
        let layout = try FrameLayout(
          width: width, height: height, format: format, transfer: transfer)
        var frame = RenderedFrame(layout, seed: 1)
        frame.render { _, _, _ in color }
        for wanted in Self.widths {
          let picture = try picture(frame, width: wanted)
          #expect(picture.width <= wanted && picture.width * 3 * picture.height > 0)
          #expect(picture.bytes.count == 3 * picture.width * picture.height)
          let isGray = if case .gray = format.arrangement { true } else { false }
          for (place, byte) in picture.bytes.enumerated() {
            let light = color[isGray ? 1 : place % 3]
            let expected = 255 * TransferFunction.sRGB.encoded(light)
            // An 8-bit code of linear light is as wide as 5 displayed codes here, and as 12 for
            // luma and chroma.
            let error = transfer == .linear ? (format.isInteger ? 5.0 : 12) : 4
            #expect(
              abs(Double(byte) - expected) <= error,
              "\(format), \(transfer), \(width)×\(height) to \(wanted): \(byte), not \(expected)")
            if abs(Double(byte) - expected) > error { return }
          }
        }
      }
    }
  }

  /// For up to three pixels across and down, each byte of the picture is the rounded mean of all of
  /// them.
  @Test(arguments: [PixelFormat.rgb8, .bgr8, .bgra8, .rgba8, .argb8])
  func bytesAreMeans(format: PixelFormat) throws {
    guard case .interleaved(let red, let green, let blue, let samples) = format.arrangement else {
      Issue.record("\(format) is interleaved")
      return
    }
    for (width, height) in Self.sizes {
      let frame = RenderedFrame(
        try FrameLayout(width: width, height: height, format: format, transfer: .sRGB), seed: 7)
      for scale in 1...3 {
        let picture = try picture(frame, width: (width + scale - 1) / scale)
        #expect((picture.width, picture.height) == (width / scale, height / scale))
        for place in picture.bytes.indices {
          let (x, y) = (place / 3 % picture.width, place / 3 / picture.width)
          var sum = 0
          for row in y * scale..<(y + 1) * scale {
            for column in x * scale..<(x + 1) * scale {
              let sample = column * samples + [red, green, blue][place % 3]
              sum += Int(frame.bytes[row * frame.layout.bytesPerRow + sample])
            }
          }
          let mean = (Double(sum) / Double(scale * scale)).rounded()
          #expect(Double(picture.bytes[place]) == mean, "\(format), scale \(scale), byte \(place)")
        }
      }
    }
  }

  /// A ramp from black to white stays a ramp at every scale: each column is within its block.
  @Test func aRampStays() throws {
    let layout = try FrameLayout(width: 256, height: 40, format: .rgb8, transfer: .sRGB)
    var bytes: [UInt8] = []
    for _ in 0..<40 { for x in 0..<256 { bytes += [UInt8(x), UInt8(255 - x), 128] } }
    for width in 12...300 {
      let scale = max(1, (256 + width - 1) / width)
      let picture = try ScaledPicture(bytes.span, layout: layout, width: width)
      for column in 0..<picture.width {
        let block = column * scale..<column * scale + scale
        let found = picture.bytes[3 * column..<3 * column + 3].map(Int.init)
        #expect(block.contains(found[0]), "width \(width), column \(column): \(found)")
        #expect(block.contains(255 - found[1]) && found[2] == 128)
      }
    }
  }

  /// NaN is shown as black, and values above white are shown as white.
  @Test func strangeNumbers() throws {
    let layout = try FrameLayout(width: 4, height: 1, format: .rgbFloat)
    let values: [Float] = [.nan, 0, 1, .infinity, -.infinity, 2, -1, 0.5, .nan, 1, 1, 1]
    let bytes = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    let picture = try ScaledPicture(bytes.span, layout: layout, width: 4)
    #expect(picture.bytes == [0, 0, 255, 255, 0, 255, 0, 188, 0, 255, 255, 255])
  }
}
