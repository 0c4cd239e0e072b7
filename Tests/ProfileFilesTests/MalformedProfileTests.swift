import ProfileFiles
import Testing

struct MalformedProfileTests {
  private func expect(
    _ file: [UInt8], _ field: String, at offset: Int, _ defect: DNGProfileError.Defect,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      throws: DNGProfileError(field: field, offset: offset, defect: defect),
      sourceLocation: sourceLocation
    ) { try DNGProfile(file) }
  }

  @Test func headers() {
    expect([], "header", at: 0, .notProfile)
    expect(Array("II+\0".utf8), "header", at: 0, .notProfile)
    expect(Array("IIRC".utf8), "header", at: 4, .truncated(length: 4))
    expect(Array("MM\0*\0\0\0\u{7f}".utf8), "directory", at: 127, .truncated(length: 8))
    expect(
      Array("IIRC".utf8) + [255, 255, 255, 255], "directory", at: 0xFFFF_FFFF, .truncated(length: 8)
    )
    // The header claims more entries than there are bytes.
    expect(
      Array("IIRC".utf8) + [8, 0, 0, 0, 255, 255], "directory", at: 10, .truncated(length: 10))
  }

  @Test func missingFields() {
    expect(TestFile(colorMatrix1: false).contents, "ColorMatrix1", at: 8, .missing)
    var file = TestFile()
    file.addFractions(52531, TestFile.matrix)
    expect(file.contents, "ColorMatrix2", at: 8, .missing)
    file = TestFile()
    file.addShort(50778, 255)
    expect(file.contents, "IlluminantData1", at: 8, .missing)
  }

  @Test func wrongTypesAndCounts() {
    var file = TestFile()
    file.addFractions(50722, type: 5, TestFile.matrix)
    expect(file.contents, "ColorMatrix2", at: file.entry(1), .type(5))
    file = TestFile()
    file.addFractions(50722, TestFile.matrix + TestFile.matrix.prefix(3))
    expect(file.contents, "ColorMatrix2", at: file.entry(1), .count(12))
    file = TestFile()
    file.add(50723, type: 10, count: 0xFFFF_FFFF, [0, 0, 0, 0])
    expect(file.contents, "CameraCalibration1", at: file.entry(1), .count(0xFFFF_FFFF))
    file = TestFile()
    file.add(50708, type: 2, count: 0xFFFF_FFFF, [8, 0, 0, 0])
    expect(file.contents, "UniqueCameraModel", at: 8, .truncated(length: file.contents.count))
    file = TestFile()
    file.add(50936, type: 2, count: 0, [])
    expect(file.contents, "ProfileName", at: file.entry(1), .count(0))
    file = TestFile()
    file.add(50778, type: 4, count: 1, [17, 0, 0, 0])
    expect(file.contents, "CalibrationIlluminant1", at: file.entry(1), .type(4))
    file = TestFile()
    file.addFractions(50721, TestFile.matrix)
    expect(file.contents, "ColorMatrix1", at: file.entry(1), .duplicate)
  }

  @Test func wrongValues() {
    var file = TestFile()
    file.addFractions(50728, type: 5, [(1, 1), (1, 0), (1, 1)])
    expect(file.contents, "AsShotNeutral", at: file.values + 72 + 8, .zeroDenominator)
    file = TestFile()
    file.addShort(50778, 99)
    expect(file.contents, "CalibrationIlluminant1", at: file.entry(1) + 8, .unknownIlluminant(99))
  }

  @Test func illuminantsThatAreNotXY() {
    func data(_ bytes: [UInt8], _ defect: DNGProfileError.Defect) {
      var file = TestFile()
      file.addShort(50778, 255)
      file.add(52533, type: 7, count: bytes.count, bytes)
      let place = bytes.count <= 4 ? file.entry(2) + 8 : file.values + 72
      expect(file.contents, "IlluminantData1", at: place, defect)
    }
    data([1, 0] + [UInt8](repeating: 1, count: 16), .illuminantData(1))
    data([0], .count(1))
    data([UInt8](repeating: 0, count: 17), .count(17))
    var zero = TestFile()
    zero.addShort(50778, 255)
    zero.add(52533, type: 7, count: 18, [UInt8](repeating: 0, count: 18))
    expect(zero.contents, "IlluminantData1", at: zero.values + 72 + 2, .zeroDenominator)
  }

  /// Every truncated file is rejected with a position inside or just after it, and none hangs.
  @Test func everyTruncation() throws {
    let whole = try DNGProfileTests.full.encoded()
    for length in whole.indices {
      #expect(throws: DNGProfileError.self) { try DNGProfile(Array(whole[..<length])) }
    }
  }

  @Test func sentences() {
    #expect(
      "\(DNGProfileError(field: "ColorMatrix2", offset: 34, defect: .count(12)))"
        == "ColorMatrix2 at byte 34 has the wrong number of values, 12")
  }
}
