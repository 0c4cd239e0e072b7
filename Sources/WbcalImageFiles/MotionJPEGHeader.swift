import WhiteBalance

/// The properties of a JPEG picture's samples that the segments before them give.
struct MotionJPEGHeader {
  private struct Component {
    var id: UInt8
    var across, down: Int
    var table: Int
  }

  private(set) var width = 0
  private(set) var height = 0
  /// The sharing of chroma between pixels; `nil` in a gray picture.
  private(set) var chroma: PixelFormat.ChromaLayout?
  /// The steps to which the means of blocks are rounded.
  private(set) var rounding = BlockRounding(luma: 0, cb: 0, cr: 0)
  /// The steps of rounding for a frame of red, green and blue.
  var fileRounding: BlockRounding {
    BlockRounding(luma: rounding.luma, cb: rounding.cb, cr: rounding.cr, chroma: chroma)
  }
  /// The number of blocks that are coded together between two restart markers; 0 if there are none.
  private(set) var restartInterval = 0
  /// Indicates whether the picture contains its Huffman tables, which cameras may omit.
  private(set) var hasHuffmanTables = false
  /// The offset at which the samples' codes start.
  private(set) var scanStart = 0

  private var components: [Component] = []
  private var steps: [Int: Double] = [:]

  /// Reads the segments up to the first scan.
  init(_ bytes: Span<UInt8>) throws(FrameDecodingError) {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
      throw .damaged("it does not start like a JPEG picture")
    }
    var huffman: Set<UInt8> = []
    var start = 2
    while true {
      guard start + 4 <= bytes.count else { throw .damaged("it ends before its samples") }
      guard bytes[start] == 0xFF else { throw .damaged("a marker is missing") }
      let marker = bytes[start + 1]
      if marker == 0xFF {  // a fill byte
        start += 1
        continue
      }
      let end = start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
      guard end >= start + 4, end <= bytes.count else { throw .damaged("a segment is truncated") }
      let content = start + 4..<end
      switch marker {
      case 0xDB: try readSteps(bytes, content)
      case 0xC0, 0xC1, 0xC2: try readFrame(bytes, content)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        throw .unsupported("lossless, hierarchical or arithmetic coding")
      case 0xC4: try readTableNames(bytes, content, &huffman)
      case 0xDD:
        guard content.count == 2 else { throw .damaged("a segment has the wrong length") }
        restartInterval = Int(bytes[content.lowerBound]) << 8 + Int(bytes[content.lowerBound + 1])
      case 0xDA:
        try finish(bytes, content, huffman)
        scanStart = end
        return
      case 0xD8, 0xD9: throw .damaged("it ends before its samples")
      default: break
      }
      start = end
    }
  }

  /// Reads the first numbers of quantization tables.
  private mutating func readSteps(
    _ bytes: Span<UInt8>, _ content: Range<Int>
  ) throws(FrameDecodingError) {
    var place = content.lowerBound
    while place < content.upperBound {
      let (isLong, table) = (bytes[place] >> 4 != 0, Int(bytes[place] & 15))
      let next = place + 1 + (isLong ? 128 : 64)
      guard next <= content.upperBound else { throw .damaged("a segment is truncated") }
      let first = Int(bytes[place + 1])
      steps[table] = Double(isLong ? first << 8 + Int(bytes[place + 2]) : first) / 8
      place = next
    }
  }

  private mutating func readFrame(
    _ bytes: Span<UInt8>, _ content: Range<Int>
  ) throws(FrameDecodingError) {
    let start = content.lowerBound
    guard components.isEmpty, content.count >= 6, content.count == 6 + 3 * Int(bytes[start + 5])
    else { throw .damaged("a segment has the wrong length") }
    guard bytes[start] == 8 else { throw .unsupported("\(bytes[start]) bits") }
    height = Int(bytes[start + 1]) << 8 + Int(bytes[start + 2])
    width = Int(bytes[start + 3]) << 8 + Int(bytes[start + 4])
    guard width > 0, height > 0 else { throw .damaged("it has no pixels") }
    components = stride(from: start + 6, to: content.upperBound, by: 3).map {
      Component(
        id: bytes[$0], across: Int(bytes[$0 + 1] >> 4), down: Int(bytes[$0 + 1] & 15),
        table: Int(bytes[$0 + 2]))
    }
    guard components.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) })
    else { throw .damaged("a component has no samples") }
    guard components.count == 3 else {
      if components.count == 1 { return }
      throw .unsupported("\(components.count) components")
    }
    let (luma, cb, cr) = (components[0], components[1], components[2])
    guard cb.across == cr.across, cb.down == cr.down, luma.across % cb.across == 0,
      luma.down % cb.down == 0
    else { throw .unsupported("chroma components of different sizes") }
    switch (luma.across / cb.across, luma.down / cb.down) {
    case (1, 1): chroma = .planar444
    case (2, 1): chroma = .planar422
    case (1, 2): chroma = .planar440
    case (2, 2): chroma = .yu12
    case (let across, let down): throw .unsupported("chroma for \(across)×\(down) pixels")
    }
  }

  /// Reads the class and number of each Huffman table.
  private func readTableNames(
    _ bytes: Span<UInt8>, _ content: Range<Int>, _ names: inout Set<UInt8>
  ) throws(FrameDecodingError) {
    var place = content.lowerBound
    while place < content.upperBound {
      guard place + 17 <= content.upperBound else { throw .damaged("a segment is truncated") }
      names.insert(bytes[place])
      place += 17 + (1...16).reduce(0) { $0 + Int(bytes[place + $1]) }
    }
    guard place == content.upperBound else { throw .damaged("a segment has the wrong length") }
  }

  /// Checks that the scan's tables are present.
  private mutating func finish(
    _ bytes: Span<UInt8>, _ content: Range<Int>, _ huffman: Set<UInt8>
  ) throws(FrameDecodingError) {
    guard !components.isEmpty else { throw .damaged("its size is missing") }
    // In place of a missing table the library would use that of an earlier picture.
    let found = components.compactMap { steps[$0.table] }
    guard found.count == components.count else {
      throw .damaged("a quantization table is missing")
    }
    rounding = BlockRounding(
      luma: found[0], cb: found.count == 3 ? found[1] : 0, cr: found.count == 3 ? found[2] : 0)
    guard let count = content.first.map({ Int(bytes[$0]) }), content.count == 4 + 2 * count else {
      throw .damaged("a segment has the wrong length")
    }
    hasHuffmanTables = (0..<count).allSatisfy {
      let tables = bytes[content.lowerBound + 2 + 2 * $0]
      return huffman.contains(tables >> 4) && huffman.contains(0x10 | tables & 15)
    }
  }
}
