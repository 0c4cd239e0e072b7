/// What the directories of a TIFF file say about a raw photograph in it that LibRaw does not.
///
/// Beyond the end of some files LibRaw reads zeros without a word, and libtiff, for a strip whose length
/// looks wrong to it, guesses another; so the lists are read here. BigTIFF files are not.
struct TIFFDirectories {
  /// The least size of a file that holds all strips and tiles.
  private(set) var end = 0
  /// Whether the active area of a DNG file starts at an odd row or column.
  private(set) var hasOddOrigin = false

  private let bytes: [UInt8]
  private let isBigEndian: Bool

  /// Reads all directories inside the file; not all makers end their lists of them well.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isBigEndian = bytes.starts(with: [0x4D, 0x4D, 0, 42])
    guard isBigEndian || bytes.starts(with: [0x49, 0x49, 42, 0]) else { return }
    var waiting = [number(at: 4, size: 4) ?? 0]
    var seen: Set<Int> = [0]
    while let directory = waiting.popLast(), seen.count < 1000 {
      if seen.insert(directory).inserted { waiting += visit(directory) }
    }
  }

  /// Takes in what a directory lists and returns the directories that it names.
  private mutating func visit(_ directory: Int) -> [Int] {
    guard let count = number(at: directory, size: 2) else { return [] }
    var values: [Int: [Int]] = [:]
    for entry in (0..<count).map({ directory + 2 + 12 * $0 }) {
      guard let tag = number(at: entry, size: 2) else { return [] }
      if Tag.all.contains(tag) { values[tag] = numbers(of: entry) }
    }
    for (offsets, lengths) in [
      (Tag.stripOffsets, Tag.stripByteCounts), (Tag.tileOffsets, Tag.tileByteCounts),
    ] {
      for (offset, length) in zip(values[offsets] ?? [], values[lengths] ?? []) {
        end = max(end, offset + length)
      }
    }
    if values[Tag.activeArea]?.prefix(2).contains(where: { $0 % 2 == 1 }) == true {
      hasOddOrigin = true
    }
    return (values[Tag.subdirectories] ?? [])
      + [number(at: directory + 2 + 12 * count, size: 4) ?? 0]
  }

  private enum Tag {
    static let stripOffsets = 273
    static let stripByteCounts = 279
    static let tileOffsets = 324
    static let tileByteCounts = 325
    static let subdirectories = 330
    static let activeArea = 50829
    static let all: Set = [
      stripOffsets, stripByteCounts, tileOffsets, tileByteCounts, subdirectories, activeArea,
    ]
  }

  private mutating func numbers(of entry: Int) -> [Int] {
    guard let type = number(at: entry + 2, size: 2), let count = number(at: entry + 4, size: 4),
      let size = [3: 2, 4: 4, 13: 4][type]
    else { return [] }
    let start = count * size <= 4 ? entry + 8 : number(at: entry + 8, size: 4) ?? 0
    end = max(end, start + count * size)
    guard start + count * size <= bytes.count else { return [] }
    return (0..<count).compactMap { number(at: start + $0 * size, size: size) }
  }

  private func number(at offset: Int, size: Int) -> Int? {
    guard offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { number, index in
      number << 8 | Int(bytes[offset + (isBigEndian ? index : size - 1 - index)])
    }
  }
}
