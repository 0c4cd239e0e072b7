extension Frame {
  /// Returns the codes of a color filter array, or those of red, green and blue in this order, row
  /// by row without gaps. A code of 8 bits has one byte, any other has two, little-endian.
  ///
  /// - Throws: `FrameError` if there are too few bytes, or the format has no whole codes of each
  ///   channel.
  package func codes() throws(FrameError) -> [UInt8] {
    let format = layout.format
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    let places: [Int]
    switch format.arrangement {
    case .bayer: places = [0]
    case .interleaved(let red, let green, let blue, _): places = [red, green, blue]
    case .gray, .subsampled: throw .colorless
    }
    guard format.isInteger else { throw .notWhole }
    let isWide = format.bitsPerSample > 8
    let count = layout.width * layout.height * places.count * (isWide ? 2 : 1)
    var result: [UInt8] = []
    result.reserveCapacity(count)
    let source = bytes.span
    let isAsStored =
      [.unsigned(bits: 8), .unsigned(bits: 16)].contains(format.sample)
      && places == Array(0..<format.samplesPerPixel)
    for row in 0..<layout.height {
      let start = row * layout.bytesPerRow
      if isAsStored {
        result += bytes[start..<start + format.rowBytes(width: layout.width)]
        continue
      }
      for pixel in 0..<layout.width {
        for place in places {
          let code = format.code(source, row: start, index: pixel * format.samplesPerPixel + place)
          result.append(UInt8(truncatingIfNeeded: code))
          if isWide { result.append(UInt8(truncatingIfNeeded: code >> 8)) }
        }
      }
    }
    return result
  }
}
