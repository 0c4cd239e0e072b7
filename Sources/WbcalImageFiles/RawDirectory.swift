/// What a DNG file says of the samples of a raw picture in it, where LibRaw leaves something out.
///
/// Source: Adobe, Digital Negative Specification 1.7.1. What LibRaw 0.20 makes of each tag was
/// found with files made for that.
struct RawDirectory {
  let size: (width: Int, height: Int)
  /// Whether every pixel has red, green and blue: LinearRaw of three samples.
  let isColor: Bool
  /// Whether samples are binary16 numbers, which LibRaw hands out as if they were integers.
  let isHalf: Bool
  /// The black level and the white level of each sample of a pixel where they are one for the whole
  /// picture; LibRaw rounds the one and knows only the first of the other.
  let levels: [(black: Double, white: Double)]?
  let gainMaps: [GainMap]
  /// Why the samples cannot be used; `nil` if they can.
  let problem: ImageFileProblem?

  /// `nil` where the directory holds no raw picture: a preview, a mask or a thumbnail.
  init?(_ entries: TIFFEntries) {
    let photometric = entries.whole(262)
    guard photometric == Photometric.filterArray || photometric == Photometric.linear,
      let width = entries.whole(256), let height = entries.whole(257)
    else { return nil }
    size = (width, height)
    let samples = entries.whole(277) ?? 1
    isColor = photometric == Photometric.linear && samples == 3
    let bits = entries.whole(258) ?? 1
    isHalf = entries.whole(339) == SampleFormat.float && bits == 16
    let white = isHalf ? 1 : Double(1 << min(bits, 32) - 1)
    var whites = entries.numbers(50717)
    let last = whites.count == 1 ? whites[0] : white
    whites += (whites.count..<max(samples, whites.count)).map { _ in last }
    let blacks = entries.numbers(50714)
    let deltas = entries.numbers(50715) + entries.numbers(50716)
    if deltas.contains(where: { $0 != 0 }) {
      levels = nil
    } else if blacks.count <= 1 {
      levels = whites.prefix(samples).map { (blacks.first ?? 0, $0) }
    } else if blacks.count == samples {
      levels = zip(blacks, whites).map { ($0, $1) }
    } else {
      levels = nil
    }
    var maps: [GainMap] = []
    var unread: ImageFileProblem?
    for (list, tag) in [(1, 51008), (2, 51009)] {
      do throws(ImageFileProblem) {
        maps += try GainMap.list(entries.bytes(tag), list: list)
      } catch { unread = error }
    }
    gainMaps = maps
    problem =
      Self.reason(
        entries, bits: bits, isMonochrome: photometric == Photometric.linear && samples == 1)
      ?? unread ?? Self.disorder(in: levels)
  }

  private static func disorder(
    in levels: [(black: Double, white: Double)]?
  ) -> ImageFileProblem? {
    guard levels?.contains(where: { !($0.white > $0.black) }) == true else { return nil }
    return .corrupt(.raw, "its white level is not above its black level")
  }

  private enum Photometric {
    static let filterArray = 32803
    static let linear = 34892
  }

  private enum SampleFormat {
    static let unsigned = 1
    static let float = 3
  }

  private static func reason(
    _ entries: TIFFEntries, bits: Int, isMonochrome: Bool
  ) -> ImageFileProblem? {
    func unsupported(_ words: String) -> ImageFileProblem { .unsupported(.raw, words) }
    if isMonochrome { return .noColor(.raw) }
    let compression = entries.whole(259) ?? 1
    let names = [8: "deflate", 32946: "deflate", 52546: "JPEG XL"]
    if ![1, 7, 34892].contains(compression) {
      let name = names[compression] ?? "the method \(compression)"
      return unsupported(
        "its samples are compressed by \(name), and LibRaw unpacks lossless JPEG alone")
    }
    let format = entries.whole(339) ?? SampleFormat.unsigned
    let isHalf = format == SampleFormat.float && bits == 16 && compression == 1
    if format == SampleFormat.float, !isHalf {
      return unsupported("its samples are floating-point numbers of \(bits) bits")
    }
    if format != SampleFormat.unsigned, !isHalf {
      return unsupported("its samples are signed numbers (SampleFormat \(format))")
    }
    if bits > 16 { return unsupported("its samples have \(bits) bits") }
    if isHalf, !entries.bytes(50712).isEmpty {
      return unsupported("its floating-point samples have a LinearizationTable")
    }
    for (tag, name) in [(50715, "BlackLevelDeltaH"), (50716, "BlackLevelDeltaV")] {
      let deltas = entries.numbers(tag)
      // LibRaw subtracts their mean.
      if let least = deltas.min(), let most = deltas.max(), most - least > 0 || isHalf && most != 0
      {
        return unsupported("its black level varies by column or row (\(name))")
      }
    }
    if let layout = entries.whole(50711), layout != 1 {
      return unsupported("its color filter array is staggered (CFALayout \(layout))")
    }
    for (tag, name) in [(50975, "RowInterleaveFactor"), (52547, "ColumnInterleaveFactor")] {
      if entries.whole(tag) ?? 1 != 1 { return unsupported("its pixels are interleaved (\(name))") }
    }
    if entries.numbers(50974).contains(where: { $0 != 1 }) {
      return unsupported("its pixels are interleaved (SubTileBlockSize)")
    }
    return nil
  }
}
