import WbcalArguments
import WbcalFoundation
import WhiteBalance

/// The size and format of a frame that has no header.
struct RawGeometry: Sendable {
  var width, height: Int
  var format: PixelFormat

  init(argument: String) throws {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let sides = parts.first?.split(separator: "x", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      width > 0, height > 0
    else { throw ValidationError("write a raw frame as WxH:FORMAT, such as 1920x1080:RG10.") }
    guard let format = PixelFormat(fourCC: String(parts[1])) else {
      throw ValidationError(
        "'\(parts[1])' is not a format that can be read; there are "
          + PixelFormat.fourCCs.joined(separator: ", ") + ".")
    }
    self.width = width
    self.height = height
    self.format = format
  }

  func layout() throws -> FrameLayout {
    try FrameLayout(width: width, height: height, format: format)
  }

  func frame(path: String) throws -> Frame {
    let layout = try layout()
    // A longer file has a header, padding or another size, and would be read askew; a stream of
    // many frames may never end.
    let bytes = try readBytes(path, limit: layout.byteCount, isMoreRefused: false)
    guard bytes.count == layout.byteCount else {
      var status = stat()
      let isFile = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      let size = isFile ? Int(status.st_size) : bytes.count
      let isStream = !isFile && size > layout.byteCount
      throw Failure.badData(
        "\(path) has \(isStream ? "more than \(layout.byteCount)" : "\(size)") bytes, and a "
          + "frame of \(width)x\(height) in its format \(layout.byteCount); check --raw")
    }
    return try Frame(layout: layout, bytes: bytes)
  }
}
