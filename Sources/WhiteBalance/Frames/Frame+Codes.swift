extension FrameLayout {
  /// The number of bytes of the codes of all rows in a file.
  package var codeByteCount: Int {
    let samples: Int
    switch format.arrangement {
    case .interleaved: samples = 3
    case .bayer, .gray, .subsampled: samples = 1
    }
    return width * height * samples * (format.bitsPerSample > 8 ? 2 : 1)
  }
}

extension Frame {
  /// Returns the places of the codes of a pixel that a file stores: the one of a color filter
  /// array, or those of red, green and blue in this order.
  ///
  /// - Throws: `FrameError` if there are too few bytes, or the format has no whole codes of each
  ///   channel.
  package func codePlaces() throws(FrameError) -> [Int] {
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    let places: [Int]
    switch layout.format.arrangement {
    case .bayer: places = [0]
    case .interleaved(let red, let green, let blue, _): places = [red, green, blue]
    case .gray, .subsampled: throw .colorless
    }
    guard layout.format.isInteger else { throw .notWhole }
    return places
  }

  /// Appends the codes of rows without gaps. A code of 8 bits has one byte, any other has two,
  /// little-endian.
  ///
  /// - Parameter places: The result of `codePlaces()`.
  package func appendCodes(ofRows rows: Range<Int>, at places: [Int], to file: inout [UInt8]) {
    let format = layout.format
    if case .unsigned = format.sample, places == Array(0..<format.samplesPerPixel) {
      append(rows, to: &file)
      return
    }
    let isWide = format.bitsPerSample > 8
    let source = bytes.span
    for row in rows {
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
  private func append(_ rows: Range<Int>, to file: inout [UInt8]) {
    let format = layout.format
    let first = file.count
    let rowBytes = format.rowBytes(width: layout.width)
    if layout.bytesPerRow == rowBytes {
      file += bytes[rows.lowerBound * rowBytes..<rows.upperBound * rowBytes]
    } else {
      for row in rows {
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
