import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct FrameLayoutTests {
  /// The chroma of V4L2's formats NV12 and YU12 is where V4L2's documentation shows it byte by
  /// byte: 4 × 4 pixels are 24 bytes.
  @Test func planesOfChroma() throws {
    func layout(_ format: PixelFormat.ChromaLayout, bytesPerRow: Int? = nil) throws -> FrameLayout {
      try FrameLayout(width: 4, height: 4, bytesPerRow: bytesPerRow, format: .subsampled(format))
    }
    for format in [PixelFormat.ChromaLayout.nv12, .nv21] {
      let pairs = try layout(format)
      #expect(pairs.chroma == [.init(offset: 16, bytesPerRow: 4)])
      #expect(pairs.byteCount == 24)
    }
    let planes = try layout(.yu12)
    #expect(
      planes.chroma == [.init(offset: 16, bytesPerRow: 2), .init(offset: 20, bytesPerRow: 2)])
    #expect(planes.byteCount == 24)
    // Rows of chroma are half as long as those of luma, rounded up.
    let padded = try layout(.yu12, bytesPerRow: 7)
    #expect(
      padded.chroma == [.init(offset: 28, bytesPerRow: 4), .init(offset: 36, bytesPerRow: 4)])
    // The last row ends with its last pixel.
    #expect(padded.byteCount == 36 + 4 + 2)
    #expect(try layout(.yuyv).byteCount == 32)
    for (format, row, bytes) in [
      (PixelFormat.ChromaLayout.planar422, 2, 32), (.planar440, 4, 32), (.planar444, 4, 48),
    ] {
      let planes = try layout(format)
      #expect(
        planes.chroma == [
          .init(offset: 16, bytesPerRow: row), .init(offset: (16 + bytes) / 2, bytesPerRow: row),
        ])
      #expect(planes.byteCount == bytes)
    }
  }

  /// A picture of 5 × 3 pixels has 3 × 2 samples of each chroma in 4:2:0, 3 × 3 in 4:2:2 and 5 × 2
  /// in 4:4:0; formats that store pairs of both chromas allow no half pair.
  @Test func planesOfChromaRoundUp() throws {
    for (format, samples) in [
      (PixelFormat.ChromaLayout.yu12, 6), (.planar422, 9), (.planar440, 10), (.planar444, 15),
    ] {
      let layout = try FrameLayout(width: 5, height: 3, format: .subsampled(format))
      #expect(layout.byteCount == 15 + 2 * samples)
      // Reading reaches the last sample of each plane and no further.
      var frame = RenderedFrame(layout, seed: 7)
      frame.render { _, _, _ in SIMD3(0.2, 0.3, 0.4) }
      let statistics = try FrameStatistics(frame.frame)
      #expect(statistics.pixels.used == 15)
      #expect(abs(statistics.mean.blue - 0.4) < 0.02)
    }
    #expect(throws: FrameError.granularity(width: 5, height: 3, across: 2, down: 2)) {
      try FrameLayout(width: 5, height: 3, format: .subsampled(.nv12))
    }
  }

  @Test func rowsOfChromaTooShort() throws {
    func layout(_ format: PixelFormat.ChromaLayout, rows: Int, planes: Int) throws -> FrameLayout {
      try FrameLayout(
        width: 6, height: 2, format: .subsampled(format),
        chroma: (0..<planes).map { .init(offset: 12 + 6 * $0, bytesPerRow: rows) })
    }
    #expect(try layout(.yu12, rows: 3, planes: 2).byteCount == 21)
    #expect(throws: FrameError.badStride(bytesPerRow: 2, needed: 3)) {
      try layout(.yu12, rows: 2, planes: 2)
    }
    #expect(try layout(.nv12, rows: 6, planes: 1).byteCount == 18)
    #expect(throws: FrameError.badStride(bytesPerRow: 5, needed: 6)) {
      try layout(.nv12, rows: 5, planes: 1)
    }
  }

  /// Tests the largest numbers that a layout accepts, and the next ones.
  @Test func limits() throws {
    let (side, stride, offset) = (1_048_576, 1_073_741_824, 1_125_899_906_842_624)
    #expect(try FrameLayout(width: side, height: side, format: .gray(bits: 8)).width == side)
    for (width, height) in [(side + 1, 1), (1, side + 1)] {
      #expect(throws: FrameError.tooLarge(width: width, height: height)) {
        try FrameLayout(width: width, height: height, format: .gray(bits: 8))
      }
    }
    for (width, height) in [(0, 1), (1, 0), (-1, 1)] {
      #expect(throws: FrameError.empty(width: width, height: height)) {
        try FrameLayout(width: width, height: height, format: .gray(bits: 8))
      }
    }
    func strided(_ bytes: Int) throws -> FrameLayout {
      try FrameLayout(width: 9, height: 2, bytesPerRow: bytes, format: .gray(bits: 8))
    }
    #expect(try strided(9).byteCount == 18 && strided(stride).byteCount == stride + 9)
    for bytes in [8, stride + 1] {
      #expect(throws: FrameError.badStride(bytesPerRow: bytes, needed: 9)) { try strided(bytes) }
    }
    func plane(offset: Int, bytes: Int) throws -> FrameLayout {
      try FrameLayout(
        width: 4, height: 4, format: .subsampled(.nv12),
        chroma: [.init(offset: offset, bytesPerRow: bytes)])
    }
    #expect(try plane(offset: 0, bytes: 4).byteCount == 16)
    #expect(try plane(offset: offset, bytes: stride).byteCount == offset + stride + 4)
    for wrong in [-1, offset + 1] {
      #expect(throws: FrameError.planeOffset(wrong)) { try plane(offset: wrong, bytes: 4) }
    }
    #expect(throws: FrameError.badStride(bytesPerRow: stride + 1, needed: 4)) {
      try plane(offset: 0, bytes: stride + 1)
    }
    #expect(throws: FrameError.planes(given: 0, needed: 1)) {
      try FrameLayout(width: 4, height: 4, format: .subsampled(.nv12), chroma: [])
    }
  }

  /// White is above black, and at least 1 for whole codes.
  @Test func levels() throws {
    func layout(_ black: Double, _ white: Double, _ format: PixelFormat = .rgb8) throws {
      _ = try FrameLayout(
        width: 1, height: 1, format: format, blackLevel: black, whiteLevel: white)
    }
    try layout(0, 1)
    try layout(-3, 1)
    try layout(0, 0.5, .rgbFloat)
    for (black, white) in [(0.0, 0.99), (1, 1), (2, 1), (0, .infinity)] {
      #expect(throws: FrameError.levels(black: black, white: white)) { try layout(black, white) }
    }
    #expect(throws: FrameError.levels(black: 1, white: 1)) { try layout(1, 1, .rgbFloat) }
  }
}
