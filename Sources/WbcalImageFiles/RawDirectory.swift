/// The properties of the samples of a raw picture in a DNG file that LibRaw does not report
/// completely.
///
/// Source: Adobe, Digital Negative Specification 1.7.1. LibRaw 0.20's treatment of each tag was
/// determined with files made for this purpose.
struct RawDirectory {
  let size: (width: Int, height: Int)
  /// Indicates whether every pixel has red, green and blue: LinearRaw of three samples.
  let isColor: Bool
  /// The black and white level of each sample of a pixel if they are constant over the picture;
  /// LibRaw rounds the black level, and reports only the first white level.
  let levels: [(black: Double, white: Double)]?
  /// The opcodes to apply to the samples once they are linear.
  let opcodes: [RawOpcode]
  /// Indicates whether opcodes multiply samples by a gain map.
  var hasGainMap: Bool { opcodes.contains { if case .gains = $0 { true } else { false } } }
  /// The levels of every pixel; `nil` if they are inconsistent.
  let pixelLevels: RawLevels?
  /// LibRaw's treatment of samples in lossy JPEG, for which it makes codes of its own: linear ones
  /// if a polynomial defines them, or else as if the file's codes were sRGB; `nil` for other
  /// compressions.
  let lossy: Lossy?
  /// The pairs of numbers of NoiseProfile, the variance per signal and that of black, as long as no
  /// opcode changes the noise; empty if there are none.
  let noise: [Double]
  /// The reason that the samples cannot be used; `nil` if they can.
  let problem: ImageFileProblem?

  /// Reads a directory; `nil` if it contains no raw picture but a preview, a mask or a thumbnail.
  init?(_ entries: TIFFEntries) {
    let photometric = entries.whole(262)
    guard photometric == Photometric.filterArray || photometric == Photometric.linear,
      let width = entries.whole(256), let height = entries.whole(257)
    else { return nil }
    size = (width, height)
    let samples = entries.whole(277) ?? 1
    isColor = photometric == Photometric.linear && samples == 3
    let bits = entries.whole(258) ?? 1
    let white = Double(1 << min(bits, 32) - 1)
    var whites = entries.numbers(50717)
    let last = whites.count == 1 ? whites[0] : white
    whites += (whites.count..<max(samples, whites.count)).map { _ in last }
    let blacks = entries.numbers(50714)
    let deltas = entries.numbers(50715) + entries.numbers(50716)
    let compression = entries.whole(259) ?? 1
    pixelLevels = RawLevels(entries, samples: samples, whites: whites)
    if compression == Self.lossyJPEG {
      levels = Array(repeating: (0, 65_535), count: samples)
    } else if deltas.contains(where: { $0 != 0 }) {
      levels = nil
    } else if blacks.count <= 1 {
      levels = whites.prefix(samples).map { (blacks.first ?? 0, $0) }
    } else if blacks.count == samples {
      levels = zip(blacks, whites).map { ($0, $1) }
    } else {
      levels = nil
    }
    var opcodes: [RawOpcode] = []
    var unread: ImageFileProblem?
    for (list, tag) in [(1, 51008), (2, 51009)] {
      do throws(ImageFileProblem) {
        opcodes += try RawOpcode.list(entries.bytes(tag), list: list)
      } catch { unread = error }
    }
    lossy = compression == Self.lossyJPEG ? Lossy(opcodes, width: width, height: height) : nil
    let isPlain = blacks.allSatisfy { $0 == 0 } && whites.allSatisfy { $0 == 255 } && bits == 8
    let isReadable = isColor && isPlain && entries.bytes(50712).isEmpty
    if compression == Self.lossyJPEG, lossy == nil || !isReadable {
      unread = .unsupported(
        .raw, "LibRaw does not decode its lossy JPEG samples as its opcodes and levels require")
    }
    self.opcodes = lossy == nil ? opcodes : []
    noise = opcodes.isEmpty && unread == nil ? entries.doubles(51041) : []
    problem =
      Self.reason(
        entries, bits: bits, isMonochrome: photometric == Photometric.linear && samples == 1)
      ?? unread ?? Self.disorder(in: levels)
  }

  /// LibRaw 0.20's treatment of samples in lossy JPEG.
  enum Lossy {
    /// LibRaw has applied the polynomials of OpcodeList2.
    case linear
    /// There are no opcodes, and LibRaw has decoded the samples as sRGB.
    case decodedAsSRGB

    /// Determines the treatment; `nil` if there are opcodes that LibRaw ignores.
    init?(_ opcodes: [RawOpcode], width: Int, height: Int) {
      if opcodes.isEmpty {
        self = .decodedAsSRGB
        return
      }
      let planes = opcodes.compactMap { opcode -> Int? in
        guard case .change(let change) = opcode, case .polynomial(let terms) = change.kind,
          terms.count <= 9, change.planes.count == 1,
          change.isWhole(width: width, height: height)
        else { return nil }
        return change.planes.lowerBound
      }
      guard planes.count == opcodes.count, planes.sorted() == [0, 1, 2] else { return nil }
      self = .linear
    }
  }

  private static let lossyJPEG = 34892

  /// Indicates whether samples need finer codes than their own.
  var needsFineCodes: Bool {
    pixelLevels?.vary == true || opcodes.contains(where: \.isChange)
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
      let name = names[compression] ?? "method \(compression)"
      return unsupported(
        "its samples are compressed by \(name), and LibRaw decodes only lossless JPEG")
    }
    let format = entries.whole(339) ?? SampleFormat.unsigned
    if format == SampleFormat.float {
      return unsupported("its samples are floating-point numbers of \(bits) bits")
    }
    if format != SampleFormat.unsigned {
      return unsupported("its samples are signed numbers (SampleFormat \(format))")
    }
    if bits > 16 { return unsupported("its samples have \(bits) bits") }
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
