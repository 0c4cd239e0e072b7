/// The fields of Exif data that describe a picture, not its storage: those of the first directory
/// that are known to do so, and all of the directories of Exif, GPS and interoperability.
///
/// They are read from a TIFF structure, which may also be a TIFF file or a raw photograph in one,
/// and written as a new one. The second directory, a thumbnail, is left out: it has the colors of
/// the picture before.
struct ExifData: Sendable {
  struct Field: Hashable, Sendable {
    /// The TIFF type of the values.
    var type: Int
    /// The values in the byte order of the data.
    var value: [UInt8]
  }

  typealias Directory = [Int: Field]

  let isBigEndian: Bool
  var main: Directory = [:]
  var exif: Directory = [:]
  var gps: Directory = [:]
  var interoperability: Directory = [:]
  /// The offset of the maker's notes in the data from which they were read. Most notes have offsets
  /// that are relative to the beginning of these data.
  private(set) var makerNotePlace = 0
  /// The number of fields that are damaged or extend beyond the end of the data.
  private(set) var damaged = 0
  /// The number of fields that were left out for their size.
  private(set) var tooLarge = 0

  var isEmpty: Bool {
    main.isEmpty && exif.isEmpty && gps.isEmpty && interoperability.isEmpty
  }

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Reads a TIFF structure; `nil` if it has no first directory.
  init?(_ bytes: [UInt8]) {
    guard let first = TIFFEntries(bytes) else { return nil }
    isBigEndian = first.isBigEndian
    var left = Self.limit
    func read(_ entries: TIFFEntries, where isKept: (Int) -> Bool) -> Directory {
      damaged += entries.damaged
      var result: Directory = [:]
      for tag in entries.tags.sorted() where isKept(tag) {
        guard let (type, range) = entries.place(of: tag) else { continue }
        guard range.count <= left else {
          tooLarge += 1
          continue
        }
        left -= range.count
        result[tag] = Field(type: type, value: Array(bytes[range]))
        if tag == Tag.makerNote { makerNotePlace = range.lowerBound }
      }
      return result
    }
    func directory(_ tag: Int, of entries: TIFFEntries?) -> TIFFEntries? {
      guard let entries, let offset = entries.whole(tag) else { return nil }
      let directory = TIFFEntries(bytes, at: offset)
      if directory == nil { damaged += 1 }
      return directory
    }
    main = read(first) {
      Self.descriptive.contains($0) || Self.colors.contains($0) || Self.ofRaw.contains($0)
    }
    let own = directory(Tag.exif, of: first)
    exif = own.map { read($0) { $0 != Tag.interoperability } } ?? [:]
    gps = directory(Tag.gps, of: first).map { read($0) { _ in true } } ?? [:]
    interoperability =
      directory(Tag.interoperability, of: own).map { read($0) { _ in true } } ?? [:]
    // DNG files may have these in the first directory alone.
    for (tag, same) in [(Tag.serialNumber, 42033), (Tag.lensInfo, 42034)] {
      if let field = main[tag], exif[same] == nil { exif[same] = field }
    }
  }

  /// The largest size of all values in bytes.
  static let limit = 1 << 24

  enum Tag {
    static let description = 270
    static let orientation = 274
    static let changed = 306
    static let xmp = 700
    static let exposureTime = 33434
    static let fNumber = 33437
    static let iptc = 33723
    static let exif = 34665
    static let gps = 34853
    static let speed = 34855
    static let taken = 36867
    static let digitized = 36868
    static let makerNote = 37500
    static let colorSpace = 40961
    static let width = 40962
    static let height = 40963
    static let interoperability = 40965
    static let gamma = 42240
    static let serialNumber = 50735
    static let lensInfo = 50736
    static let privateData = 50740
  }

  /// The fields of the first directory that describe a picture, whatever its colors and storage:
  /// names, texts, camera, orientation, resolution, software, date, people, rating and rights, and
  /// the texts of Windows.
  private static let descriptive: Set = [
    269, Tag.description, 271, 272, Tag.orientation, 282, 283, 285, 296, 305, 306, 315, 316, 18246,
    18249, 33432, 40091, 40092, 40093, 40094, 40095,
  ]

  /// The fields of the first directory that state the color space: transfer function, white,
  /// primaries, and luma and chroma.
  private static let colors: Set = [301, 318, 319, 529, 531, 532]

  /// The fields of `colors` that only JPEG files have.
  static let ofLuma: Set = [529, 531, 532]

  /// The fields that only DNG files have: serial number, lens, the maker's data, and the name of
  /// the file that was converted to DNG.
  static let ofRaw: Set = [Tag.serialNumber, Tag.lensInfo, Tag.privateData, 50827]

  /// Sets a field to a whole number of 16 bits.
  mutating func set(_ tag: Int, of directory: WritableKeyPath<Self, Directory>, short number: Int) {
    self[keyPath: directory][tag] = Field(type: 3, value: bytes(number, size: 2, isBigEndian))
  }

  /// Keeps only what is necessary to display the picture: orientation and color space.
  mutating func reduceToDisplay() {
    main = main.filter { $0.key == Tag.orientation || Self.colors.contains($0.key) }
    exif = exif.filter { [Tag.colorSpace, Tag.gamma].contains($0.key) }
    interoperability = interoperability.filter { $0.key == 1 }
    gps = [:]
    if main[Tag.orientation]?.value.allSatisfy({ $0 <= 1 }) == true { main[Tag.orientation] = nil }
  }

  /// Changes what is said of colors and size to those of another picture.
  ///
  /// - Parameter colorSpace: Exif's number: 1 for sRGB, or 65535.
  mutating func setPicture(width: Int, height: Int, colorSpace: Int) {
    main = main.filter { !Self.colors.contains($0.key) || $0.key == 531 }
    if main[Tag.orientation] != nil { set(Tag.orientation, of: \.main, short: 1) }
    exif[Tag.gamma] = nil
    if !exif.isEmpty { set(Tag.colorSpace, of: \.exif, short: colorSpace) }
    for (tag, size) in [(Tag.width, width), (Tag.height, height)] where exif[tag] != nil {
      exif[tag] = Field(type: 4, value: bytes(size, size: 4, isBigEndian))
    }
    // DCF: R98 is sRGB, and R03 Adobe RGB.
    if colorSpace != 1 {
      interoperability = [:]
    } else if interoperability[1] != nil {
      interoperability[1] = Field(type: 2, value: Array("R98\0".utf8))
    }
  }

  /// Leaves out fields that cameras without a clock or a lens with contacts fill with nothing:
  /// dates without digits, and exposure times, f-numbers and ISO speeds of 0.
  mutating func removeUnknown() {
    func isDate(_ field: Field) -> Bool { field.value.contains { 0x30...0x39 ~= $0 } }
    main = main.filter { $0.key != Tag.changed || isDate($0.value) }
    exif = exif.filter { tag, field in
      switch tag {
      case Tag.taken, Tag.digitized: isDate(field)
      case Tag.exposureTime, Tag.fNumber: field.value.prefix(4).contains { $0 != 0 }
      case Tag.speed: field.value.contains { $0 != 0 }
      default: true
      }
    }
  }

  /// Leaves out fields of the first directory.
  mutating func remove(_ tags: Set<Int>) { main = main.filter { !tags.contains($0.key) } }

  /// Leaves out what Exif allows in compressed files only, and names of color spaces other than
  /// Adobe RGB.
  mutating func removeStorage() {
    exif = exif.filter { ![37121, 37122, Tag.width, Tag.height].contains($0.key) }
    if interoperability[1]?.value.starts(with: "R03".utf8) != true { interoperability = [:] }
  }

  /// Leaves out the largest fields of Exif until all others fit into a number of bytes; returns
  /// `true` if there were such.
  mutating func removeLargest(toFit limit: Int) -> Bool {
    // An odd value is followed by a zero.
    var size = [main, exif, gps, interoperability].reduce(8) { size, directory in
      directory.values.reduce(size + 18) { $0 + 12 + ($1.value.count + 1) & ~1 }
    }
    guard size > limit else { return false }
    for (tag, field) in exif.sorted(by: { $0.value.value.count > $1.value.value.count }) {
      exif[tag] = nil
      size -= 12 + (field.value.count + 1) & ~1
      if size <= limit { break }
    }
    return true
  }

  /// Moves the maker's notes to DNG's field for private data, with their byte order and their old
  /// place, on which their offsets depend; returns `false` if that field has other contents.
  ///
  /// Source: the DNG SDK's and ExifTool's reading of "MakN".
  mutating func moveMakerNoteToPrivateData(isBigEndian: Bool) -> Bool {
    let note = makerNote
    exif[Tag.makerNote] = nil
    if note.isEmpty { return true }
    guard main[Tag.privateData] == nil else { return false }
    let order = Array((isBigEndian ? "MM" : "II").utf8)
    let content = order + bytes(makerNotePlace, size: 4, true) + note
    main[Tag.privateData] = Field(
      type: 1, value: Array("Adobe\0MakN".utf8) + bytes(content.count, size: 4, true) + content)
    return true
  }

  /// The maker's notes; empty if there are none.
  var makerNote: [UInt8] { exif[Tag.makerNote]?.value ?? [] }

  /// Indicates whether offsets in the maker's notes are relative to the notes themselves. Source:
  /// the tables of maker notes in the documentation of ExifTool.
  private var isMakerNoteMovable: Bool {
    [
      "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "FUJIFILM", "Apple iOS\0", "PENTAX \0",
    ].contains { makerNote.starts(with: $0.utf8) }
  }

  /// Leaves out maker's notes that can neither be moved nor stay at their place; returns `true` if
  /// it did.
  mutating func removeMisplacedMakerNote() -> Bool {
    let end = makerNotePlace + makerNote.count
    if makerNote.count <= 4 || isMakerNoteMovable || (makerNotePlace >= 8 && end <= 1 << 16) {
      return false
    }
    exif[Tag.makerNote] = nil
    return true
  }

  /// Returns the TIFF structure. Maker's notes of which it is not known that they can be moved are
  /// at their old place.
  func encoded() -> [UInt8] {
    var writer = ExifWriter(isBigEndian: isBigEndian, start: 0)
    if makerNote.count > 4, !isMakerNoteMovable {
      writer.pin(makerNotePlace..<makerNotePlace + makerNote.count)
    }
    writer.bytes = [UInt8](repeating: 0, count: 8)
    let directory = write(to: &writer)
    let header: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
    writer.bytes.replaceSubrange(0..<8, with: header + bytes(directory, size: 4, isBigEndian))
    return writer.bytes
  }

  /// Returns the first directory and all that belongs to it, to be appended to a file of an even
  /// number of bytes, and the offset of the directory.
  func encoded(after count: Int) -> (bytes: [UInt8], directory: Int) {
    var writer = ExifWriter(isBigEndian: isBigEndian, start: count)
    let directory = write(to: &writer)
    return (writer.bytes, directory)
  }

  /// Gives a TIFF file that begins with a TIFF structure, but has a first directory of its own, the
  /// fields of both.
  static func join(_ structure: [UInt8], into file: inout [UInt8]) {
    let place = TIFFEntries.number(in: structure, at: 4, size: 4, structure.first == 0x4D)
    join(place ?? 0, into: &file)
  }

  /// Gives the first directory of a TIFF file the fields of another directory in the file, too. Of
  /// fields that both have, those of the first are kept, except for the pointer to Exif.
  static func join(_ directory: Int, into file: inout [UInt8]) {
    let isBigEndian = file.first == 0x4D
    func number(_ place: Int, _ size: Int) -> Int {
      TIFFEntries.number(in: file, at: place, size: size, isBigEndian) ?? 0
    }
    func entries(_ directory: Int) -> [Int: [UInt8]] {
      let places = (0..<number(directory, 2)).map { directory + 2 + 12 * $0 }
      return Dictionary(
        uniqueKeysWithValues: places.map { (number($0, 2), Array(file[$0..<$0 + 12])) })
    }
    let joined = entries(number(4, 4)).merging(entries(directory)) { own, _ in own }
      .merging(entries(directory).filter { $0.key == Tag.exif }) { _, new in new }
    if !file.count.isMultiple(of: 2) { file.append(0) }
    file.replaceSubrange(4..<8, with: bytes(file.count, size: 4, isBigEndian))
    file += bytes(joined.count, size: 2, isBigEndian)
    for (_, entry) in joined.sorted(by: { $0.key < $1.key }) { file += entry }
    file += [0, 0, 0, 0]
  }

  private func write(to writer: inout ExifWriter) -> Int {
    func pointing(_ directory: Directory, to tags: [(Int, Directory)]) -> Directory {
      var result = directory
      for (tag, content) in tags where !content.isEmpty {
        result[tag] = Field(type: 4, value: [0, 0, 0, 0])
      }
      return result
    }
    let own = pointing(exif, to: [(Tag.interoperability, interoperability)])
    let first = writer.append(pointing(main, to: [(Tag.exif, own), (Tag.gps, gps)]))
    if !own.isEmpty {
      let place = writer.append(own, pinned: Tag.makerNote)
      writer.set(Tag.exif, ofDirectory: first, to: place)
      if !interoperability.isEmpty {
        let last = writer.append(interoperability)
        writer.set(Tag.interoperability, ofDirectory: place, to: last)
      }
    }
    if !gps.isEmpty { writer.set(Tag.gps, ofDirectory: first, to: writer.append(gps)) }
    return first
  }

  /// Returns the data in little-endian byte order.
  func littleEndian() -> ExifData {
    guard isBigEndian else { return self }
    var result = ExifData(isBigEndian: false)
    result.makerNotePlace = makerNotePlace
    for directory in [\ExifData.main, \.exif, \.gps, \.interoperability] {
      result[keyPath: directory] = self[keyPath: directory].mapValues { field in
        let size = TIFFEntries.sizes[field.type] ?? 1
        // Fractions are two numbers.
        let unit = [5, 10].contains(field.type) ? 4 : size
        var value: [UInt8] = []
        for start in stride(from: 0, to: field.value.count, by: unit) {
          value += field.value[start..<min(start + unit, field.value.count)].reversed()
        }
        return Field(type: field.type, value: value)
      }
    }
    return result
  }
}

/// A TIFF structure that is being written.
private struct ExifWriter {
  let isBigEndian: Bool
  /// The offset of the first byte in the file.
  let start: Int
  var bytes: [UInt8] = []
  /// The place of the values that are not moved.
  private var pinned: Range<Int>?

  init(isBigEndian: Bool, start: Int) {
    self.isBigEndian = isBigEndian
    self.start = start
  }

  mutating func pin(_ range: Range<Int>) { pinned = range }

  /// Makes room for bytes, with its beginning at an even offset and outside of what is pinned;
  /// returns the index of the first.
  private mutating func room(for count: Int) -> Int {
    var index = (bytes.count + 1) & ~1
    if let pinned, index < pinned.upperBound, index + count > pinned.lowerBound {
      index = (pinned.upperBound + 1) & ~1
    }
    bytes += [UInt8](repeating: 0, count: max(0, index + count - bytes.count))
    return index
  }

  /// Appends a directory with its values; returns its offset.
  mutating func append(_ fields: ExifData.Directory, pinned tag: Int? = nil) -> Int {
    let directory = room(for: 2 + 12 * fields.count + 4)
    put(fields.count, size: 2, at: directory)
    for (index, (number, field)) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
      let entry = directory + 2 + 12 * index
      put(number, size: 2, at: entry)
      put(field.type, size: 2, at: entry + 2)
      put(field.value.count / (TIFFEntries.sizes[field.type] ?? 1), size: 4, at: entry + 4)
      if field.value.count <= 4 {
        bytes.replaceSubrange(entry + 8..<entry + 8 + field.value.count, with: field.value)
        continue
      }
      let place: Int
      if number == tag, let pinned {
        place = pinned.lowerBound
        let end = pinned.upperBound
        bytes += [UInt8](repeating: 0, count: max(0, end - bytes.count))
      } else {
        place = room(for: field.value.count)
      }
      bytes.replaceSubrange(place..<place + field.value.count, with: field.value)
      put(start + place, size: 4, at: entry + 8)
    }
    return start + directory
  }

  /// Sets the value of a field to an offset.
  mutating func set(_ tag: Int, ofDirectory offset: Int, to value: Int) {
    let directory = offset - start
    let count = TIFFEntries.number(in: bytes, at: directory, size: 2, isBigEndian) ?? 0
    for entry in (0..<count).map({ directory + 2 + 12 * $0 })
    where TIFFEntries.number(in: bytes, at: entry, size: 2, isBigEndian) == tag {
      put(value, size: 4, at: entry + 8)
    }
  }

  private mutating func put(_ number: Int, size: Int, at index: Int) {
    bytes.replaceSubrange(
      index..<index + size, with: WbcalImageFiles.bytes(number, size: size, isBigEndian))
  }
}

/// Returns the bytes of a number.
func bytes(_ number: Int, size: Int, _ isBigEndian: Bool) -> [UInt8] {
  (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (isBigEndian ? size - 1 - $0 : $0))) }
}
