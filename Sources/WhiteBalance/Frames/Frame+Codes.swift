extension Frame {
  /// The number of bytes that `appendCodes` appends.
  package var codeByteCount: Int {
    let samples: Int
    switch layout.format.arrangement {
    case .interleaved: samples = 3
    case .bayer, .gray, .subsampled: samples = 1
    }
    return layout.width * layout.height * samples * (layout.format.bitsPerSample > 8 ? 2 : 1)
  }

  /// Appends the codes of a color filter array, or those of red, green and blue in this order, row
  /// by row without gaps. A code of 8 bits has one byte, any other has two, little-endian.
  ///
  /// - Throws: `FrameError` if there are too few bytes, or the format has no whole codes of each
  ///   channel; then nothing was appended.
  package func appendCodes(to file: inout [UInt8]) throws(FrameError) {
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
    file.reserveCapacity(file.count + codeByteCount)
    if case .unsigned = format.sample, places == Array(0..<format.samplesPerPixel) {
      appendRows(to: &file)
      return
    }
    let isWide = format.bitsPerSample > 8
    let source = bytes.span
    for row in 0..<layout.height {
      let start = row * layout.bytesPerRow
      for pixel in 0..<layout.width {
        for place in places {
          let code = format.code(source, row: start, index: pixel * format.samplesPerPixel + place)
          file.append(UInt8(truncatingIfNeeded: code))
          if isWide { file.append(UInt8(truncatingIfNeeded: code >> 8)) }
        }
      }
    }
  }

  /// Appends rows as they are stored, without the bits that are not part of a sample.
  private func appendRows(to file: inout [UInt8]) {
    let format = layout.format
    let first = file.count
    let rowBytes = format.rowBytes(width: layout.width)
    if layout.bytesPerRow == rowBytes {
      file += bytes[..<layout.byteCount]
    } else {
      for row in 0..<layout.height {
        let start = row * layout.bytesPerRow
        file += bytes[start..<start + rowBytes]
      }
    }
    guard 9...15 ~= format.bitsPerSample else { return }
    let mask = UInt16(format.maximumValue).littleEndian
    unsafe file.withUnsafeMutableBytes { file in
      for place in stride(from: first, to: file.count, by: 2) {
        let word = unsafe file.loadUnaligned(fromByteOffset: place, as: UInt16.self)
        unsafe file.storeBytes(of: word & mask, toByteOffset: place, as: UInt16.self)
      }
    }
  }
}
