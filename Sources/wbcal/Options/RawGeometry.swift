import WbcalArguments
import WbcalFoundation
import WbcalSystem
import WhiteBalance

/// The size and format of frames that have no header: `WxH:FORMAT`, optionally with `:stride=N`,
/// the number of bytes from one row to the next, and `:frame=K`, the number of a frame in a file of
/// several.
struct RawGeometry: Sendable {
  var width, height: Int
  var format: PixelFormat
  var stride: Int?
  /// Counted from 1.
  var frame: Int?

  init(argument: String) throws {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let sides = parts.first?.split(separator: "x", omittingEmptySubsequences: false) ?? []
    guard parts.count >= 2, sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      Self.sides ~= width, Self.sides ~= height
    else {
      throw ValidationError(
        "write a raw frame as WxH:FORMAT, such as 1920x1080:RG10, each side at most "
          + "\(Self.sides.upperBound).")
    }
    guard let format = PixelFormat(fourCC: String(parts[1])) else {
      throw ValidationError(
        "'\(parts[1])' is not a supported format; the formats are "
          + PixelFormat.fourCCs.joined(separator: ", ") + ".")
    }
    self.width = width
    self.height = height
    self.format = format
    for option in parts.dropFirst(2) {
      let pair = option.split(separator: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, let number = Int(pair[1]),
        pair[0] == "stride" && stride == nil && Self.strides ~= number
          || pair[0] == "frame" && frame == nil && Self.frames ~= number
      else {
        throw ValidationError(
          "'\(option)' is neither stride=N, the number of bytes from row to row, at most "
            + "\(Self.strides.upperBound), nor frame=K, 1 to \(Self.frames.upperBound).")
      }
      if pair[0] == "stride" { stride = number } else { frame = number }
    }
  }

  func layout() throws -> FrameLayout {
    try FrameLayout(width: width, height: height, bytesPerRow: stride, format: format)
  }

  /// Reads the frame in a file: its only one, the requested one, or the mean of several.
  func frame(path: String) throws -> Frame {
    var status = stat()
    let isFile =
      unsafe stat(path.systemName, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let found = try isFile ? place(ofBytes: Int(status.st_size), path: path) : streamed()
    let bytes = try readBytes(
      path, limit: found.bytes * (found.used.upperBound), refusesLonger: false)
    let needed = found.bytes * (found.used.upperBound - 1) + found.layout.byteCount
    guard bytes.count >= needed, isFile || frame != nil || bytes.count == needed else {
      throw mismatch(path, bytes.count > needed ? "more than \(needed)" : "\(bytes.count)")
    }
    if found.used.count == 1 {
      let start = found.bytes * found.used.lowerBound
      return try Frame(
        layout: found.layout, bytes: Array(bytes[start..<start + found.layout.byteCount]))
    }
    return try mean(of: bytes, found, path: path)
  }

  /// The valid values. With the largest ones, the number of bytes does not overflow.
  private static let (sides, strides, frames) = (1...1 << 20, 1...1 << 24, 1...1 << 16)

  /// The largest number of frames of which the mean is taken: more would hardly improve it.
  private static let mostFrames = 64

  /// The position of frames in a file.
  private struct Place {
    var layout: FrameLayout
    /// The number of bytes from one frame to the next.
    var bytes: Int
    /// The indices of the requested frames.
    var used: Range<Int>
  }

  /// Returns the position of the frame in a pipe, which has only one or any number of frames.
  private func streamed() throws -> Place {
    let layout = try layout()
    let last = frame ?? 1
    return Place(layout: layout, bytes: size(layout), used: last - 1..<last)
  }

  /// Returns the number of bytes of a frame, including all of its last row.
  private func size(_ layout: FrameLayout) -> Int {
    layout.chroma.isEmpty ? layout.bytesPerRow * height : layout.byteCount
  }

  /// Returns the position of frames in a file of a given size, according to the given stride or
  /// else the size: rows may be padded as hardware requires.
  private func place(ofBytes count: Int, path: String) throws -> Place {
    let tight = try layout()
    var places = [place(tight, ofBytes: count)].compactMap(\.self)
    if stride == nil, places.isEmpty {
      places = paddedStrides(ofBytes: count).compactMap { stride in
        let layout = try? FrameLayout(
          width: width, height: height, bytesPerRow: stride, format: format)
        return layout.flatMap { place($0, ofBytes: count) }
      }
      if places.count == 1 {
        let stride = places[0].layout.bytesPerRow
        try requireRows(of: places[0], path: path)
        remark(
          "\(shown(path)): by its size, its rows are \(stride) bytes apart (:stride=\(stride))."
        )
      }
    }
    guard let found = places.first else { throw mismatch(path, "\(count)") }
    guard places.count == 1 else {
      let strides = places.map { "\($0.layout.bytesPerRow)" }.joined(separator: " or ")
      throw Failure.badData(
        "\(shown(path)): its rows may be \(strides) bytes apart; specify which with :stride=N")
    }
    guard let frame else { return found }
    let all = max(1, count / found.bytes)
    guard frame <= all else {
      throw Failure.badData(
        "\(shown(path)) has \(all == 1 ? "one frame" : "\(all) frames"), and no frame \(frame)")
    }
    return Place(layout: found.layout, bytes: found.bytes, used: frame - 1..<frame)
  }

  /// Returns the position of a whole number of frames of a layout; `nil` if the size does not
  /// match.
  private func place(_ layout: FrameLayout, ofBytes count: Int) -> Place? {
    let bytes = size(layout)
    if count == layout.byteCount { return Place(layout: layout, bytes: bytes, used: 0..<1) }
    guard count > 0, count.isMultiple(of: bytes) else { return nil }
    return Place(layout: layout, bytes: bytes, used: 0..<min(count / bytes, Self.mostFrames))
  }

  /// Returns the possible distances between rows in a file of a given size: multiples of the
  /// alignments of hardware, or else, for a single frame, any multiple of 4.
  private func paddedStrides(ofBytes count: Int) -> [Int] {
    guard let tight = try? layout() else { return [] }
    let least = tight.bytesPerRow
    let most = least + max(64, least / 4)
    var strides: [Int] = []
    for alignment in [4, 8, 16, 32, 64, 128, 256] {
      let stride = (least + alignment - 1) / alignment * alignment
      if stride > least, stride <= most, !strides.contains(stride) { strides.append(stride) }
    }
    let fitting = strides.filter { stride in
      (try? FrameLayout(width: width, height: height, bytesPerRow: stride, format: format))
        .flatMap { place($0, ofBytes: count) } != nil
    }
    if !fitting.isEmpty || !tight.chroma.isEmpty { return fitting }
    let (own, rest) = count.quotientAndRemainder(dividingBy: height)
    return rest == 0 && own > least && own <= most && own.isMultiple(of: 4) ? [own] : []
  }

  /// Refuses a stride that was derived from the size of a file if the ends of its rows contain a
  /// picture: then the frame has another width or height.
  private func requireRows(of place: Place, path: String) throws {
    guard place.layout.chroma.isEmpty else { return }
    let bytes = try readBytes(path, limit: place.bytes, refusesLonger: false)
    let (stride, used) = (place.layout.bytesPerRow, try layout().bytesPerRow)
    let ends = (0..<height - 1).map { row in bytes[row * stride + used..<(row + 1) * stride] }
    // Padding is not written by hardware, or is the same in each row.
    guard zip(ends, ends.dropFirst()).allSatisfy({ $0.elementsEqual($1) }) else {
      throw mismatch(path, "\(bytes.count)")
    }
  }

  private func mismatch(_ path: String, _ count: String) -> Failure {
    let needed = (try? layout().byteCount) ?? 0
    return Failure.badData(
      "\(shown(path)) has \(count) bytes, but a frame of \(width)x\(height) in this format has "
        + "\(needed); check --raw, and add :stride=N if rows are padded")
  }

  /// Returns the mean of the frames in some bytes, which must all show the same.
  private func mean(of bytes: [UInt8], _ place: Place, path: String) throws -> Frame {
    var mean = FrameMean(place.layout)
    for index in place.used {
      let start = index * place.bytes
      mean.add(bytes[start..<start + place.layout.byteCount].span)
    }
    guard mean.framesAgree else {
      throw Failure.badData(
        "\(shown(path)): its \(place.used.count) frames of \(width)x\(height) show different "
          + "pictures; check the size, or select one with :frame=K")
    }
    remark("\(shown(path)) contains several frames; the mean of \(place.used.count) is used.")
    return try Frame(layout: place.layout, bytes: mean.bytes())
  }
}
