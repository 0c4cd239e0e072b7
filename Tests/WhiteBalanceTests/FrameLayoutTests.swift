import Testing
import WhiteBalance

struct FrameLayoutTests {
  /// Where V4L2's formats NV12 and YU12 have their chroma, drawn byte by byte in its documentation:
  /// 4 × 4 pixels are 24 bytes.
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
}
