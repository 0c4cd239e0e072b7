import ColorScience
import Foundation
import Testing

@testable import WhiteBalance

/// Frames and readings as JSON: what was encoded is decoded, and what cannot be is refused.
struct FrameCodingTests {
  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
  }

  private func layout(_ json: String) throws -> FrameLayout {
    try JSONDecoder().decode(FrameLayout.self, from: Data(json.utf8))
  }

  @Test func everyFormatHasANameOfItsOwn() throws {
    #expect(Set(PixelFormat.all.map(\.description)).count == PixelFormat.all.count)
    for format in PixelFormat.all { #expect(try decoded(format) == format) }
  }

  @Test func layoutsAndFrames() throws {
    let curve = try #require(
      ToneCurve([
        .init(stored: 0, linear: 0), .init(stored: 0.5, linear: 0.2),
        .init(stored: 1, linear: 1),
      ]))
    var layout = try FrameLayout(
      width: 8, height: 4, bytesPerRow: 64, format: .subsampled(.yu12),
      chroma: [.init(offset: 1000, bytesPerRow: 32), .init(offset: 2000, bytesPerRow: 16)],
      blackLevel: 3, whiteLevel: 250, transfer: .curve(curve),
      encoding: LumaChromaEncoding(matrix: .bt2020, range: .full))
    layout.blockRounding = BlockRounding(luma: 1, cb: 2, cr: 3, chroma: .yu12)
    let frame = FrameInfo(sequence: 7, timestamp: .nanoseconds(123_456_789), layout: layout)
    #expect(try decoded(frame) == frame)
  }

  /// Only what a layout cannot do without has to be stated.
  @Test func aLayoutHasDefaults() throws {
    #expect(
      try layout(#"{"width": 4, "height": 2, "format": "Bayer rggb, 12 bits"}"#)
        == FrameLayout(width: 4, height: 2, format: .bayer(.rggb, bits: 12)))
  }

  @Test(arguments: [
    #"{"width": 0, "height": 2, "format": "RGB, 8 bits"}"#,
    #"{"width": 4, "height": 2, "bytesPerRow": 11, "format": "RGB, 8 bits"}"#,
    #"{"width": 4, "height": 2, "blackLevel": 256, "format": "RGB, 8 bits"}"#,
    #"{"width": 3, "height": 2, "format": "yuyv, 8 bits"}"#,
    #"{"width": 4, "height": 2, "format": "Bayer rggb, 99 bits"}"#,
  ])
  func impossibleLayoutsAreRefused(json: String) {
    #expect(throws: DecodingError.self) { try layout(json) }
  }

  @Test func estimatesAndReadings() throws {
    let layout = try FrameLayout(width: 16, height: 16, format: .rgb8)
    for code in [UInt8(120), 255] {
      let bytes = [UInt8](repeating: code, count: layout.byteCount)
      let estimate = try GrayCardEstimator().estimate(bytes.span, layout: layout)
      #expect(estimate.isAccepted == (code == 120))
      let again = try decoded(estimate)
      #expect(again == estimate)
      #expect(again.refusals.map(\.description) == estimate.refusals.map(\.description))
    }
    for reading in [
      LightReading(Chromaticity(x: 0.31, y: 0.33), standardError: .init(temperature: 50, tint: 2)),
      LightReading(kelvin: 4000), LightReading(Chromaticity(x: 0.7, y: 0.3)),
    ] { #expect(try decoded(reading) == reading) }
  }
}
