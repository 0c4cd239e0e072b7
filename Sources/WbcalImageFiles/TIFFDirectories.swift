/// The properties of the raw photograph in a TIFF file that LibRaw does not report.
///
/// The directories are read here because LibRaw silently reads zeros or arbitrary memory beyond the
/// end of a file, and may crash, and libtiff guesses. BigTIFF files are not read.
struct TIFFDirectories {
  /// The smallest size of a file that contains all strips, all tiles and the values of all entries.
  private var end = 0
  private var hasOtherFilter = false
  /// The number of bytes of lists that may still be read, because overlapping lists would take too
  /// long.
  private var budget: Int
  /// Indicates whether the active area of a DNG file starts at an odd row or column.
  private(set) var hasOddOrigin = false
  /// The orientation of the first picture for display, by Exif's number.
  private(set) var orientation: Int?
  /// The filter of an X-Trans in a DNG file.
  private(set) var xTrans: XTransFilter?
  /// The raw pictures of a DNG file.
  private(set) var raws: [RawDirectory] = []

  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private var isDNG = false

  /// Reads all directories inside the file; some makers do not terminate the list of them properly.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    budget = bytes.count
    isBigEndian = bytes.starts(with: [0x4D, 0x4D, 0, 42])
    guard isBigEndian || bytes.starts(with: [0x49, 0x49, 42, 0]) else { return }
    isDNG = TIFFEntries(bytes).map { !$0.bytes(Tag.version).isEmpty } ?? false
    var waiting = [number(at: 4, size: 4) ?? 0]
    var seen: Set<Int> = [0]
    while let directory = waiting.popLast(), seen.count < 1000 {
      if seen.insert(directory).inserted { waiting += visit(directory) }
    }
  }

  /// Throws for a file that LibRaw must not read: if it is truncated, its filter is not a Bayer
  /// array, or LibRaw would misinterpret a DNG's samples.
  ///
  /// For other descriptions of a filter LibRaw 0.20 may use uninitialized memory or memory that is
  /// not its own.
  func check() throws(ImageFileProblem) {
    guard end <= bytes.count else {
      throw .truncated(.raw, "\(bytes.count) bytes instead of at least \(end)")
    }
    guard budget >= 0 else { throw .corrupt(.raw, "its directories overlap") }
    guard !hasOtherFilter else { throw .unsupported(.raw, "its color filter array is not Bayer's") }
    if let problem = raws.lazy.compactMap(\.problem).first { throw problem }
  }

  /// Records the entries of a directory, and returns the directories to which it refers.
  private mutating func visit(_ directory: Int) -> [Int] {
    guard let count = number(at: directory, size: 2) else { return [] }
    var values: [Int: [Int]] = [:]
    var filter: (entry: Int, colors: [Int])?
    var sizeEntry: Int?
    for entry in (0..<count).map({ directory + 2 + 12 * $0 }) {
      guard let tag = number(at: entry, size: 2) else { return [] }
      let range = valueRange(of: entry)
      end = max(end, range.upperBound)
      if tag == Tag.filter {
        filter = (entry, range.prefix(37).compactMap { number(at: $0, size: 1) })
      }
      if tag == Tag.filterSize, number(at: entry + 2, size: 2) == 3 { sizeEntry = entry }
      if Tag.all.contains(tag) { values[tag] = numbers(in: range, of: entry) }
    }
    for (offsets, lengths) in [
      (Tag.stripOffsets, Tag.stripByteCounts), (Tag.tileOffsets, Tag.tileByteCounts),
    ] {
      for (offset, length) in zip(values[offsets] ?? [], values[lengths] ?? []) {
        end = max(end, offset + length)
      }
    }
    orientation = orientation ?? values[Tag.orientation]?.first
    let size = values[Tag.filterSize]
    let bayer = [0, 1, 1, 2]
    if let filter, let sizeEntry, isDNG, size == [6, 6], filter.colors.count == 36,
      Set(filter.colors) == [0, 1, 2]
    {
      xTrans = XTransFilter(
        colors: filter.colors, sizeEntry: sizeEntry, entry: filter.entry, isBigEndian: isBigEndian)
    } else if size ?? [2, 2] != [2, 2] || filter?.colors.sorted() ?? bayer != bayer {
      hasOtherFilter = true
    }
    if values[Tag.activeArea]?.prefix(2).contains(where: { $0 % 2 == 1 }) == true {
      hasOddOrigin = true
    }
    if isDNG, let raw = TIFFEntries(bytes, at: directory).flatMap(RawDirectory.init) {
      raws.append(raw)
    }
    return (values[Tag.subdirectories] ?? [])
      + [number(at: directory + 2 + 12 * count, size: 4) ?? 0]
  }

  private enum Tag {
    static let stripOffsets = 273
    static let orientation = 274
    static let stripByteCounts = 279
    static let tileOffsets = 324
    static let tileByteCounts = 325
    static let subdirectories = 330
    static let filterSize = 33421
    static let filter = 33422
    static let version = 50706
    static let activeArea = 50829
    static let all: Set = [
      stripOffsets, stripByteCounts, tileOffsets, tileByteCounts, subdirectories, filterSize,
      activeArea, orientation,
    ]
  }

  /// Returns the range of the values of an entry, which are in the entry itself if they fit.
  private func valueRange(of entry: Int) -> Range<Int> {
    let type = number(at: entry + 2, size: 2) ?? 0
    let size = (number(at: entry + 4, size: 4) ?? 0) * (TIFFEntries.sizes[type] ?? 1)
    let start = size <= 4 ? entry + 8 : number(at: entry + 8, size: 4) ?? 0
    return start..<start + size
  }

  /// Returns the values of an entry if they are integers inside the file.
  private mutating func numbers(in range: Range<Int>, of entry: Int) -> [Int] {
    guard range.upperBound <= bytes.count, let type = number(at: entry + 2, size: 2),
      let size = TIFFEntries.sizes[type], [3, 4, 13].contains(type)
    else { return [] }
    budget -= range.count
    guard budget >= 0 else { return [] }
    return stride(from: range.lowerBound, to: range.upperBound, by: size)
      .compactMap { number(at: $0, size: size) }
  }

  private func number(at offset: Int, size: Int) -> Int? {
    guard offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { number, index in
      number << 8 | Int(bytes[offset + (isBigEndian ? index : size - 1 - index)])
    }
  }
}
