import WhiteBalance

extension GainMesh {
  /// Returns the gains as the opcodes GainMap of a DNG file's OpcodeList2, which are big-endian:
  /// one for the pixels of each place in a cell of a color filter array, or one for red, green and
  /// blue.
  ///
  /// Source: Adobe, Digital Negative Specification 1.4, chapter 7.
  func opcodes(for layout: FrameLayout) -> [UInt8] {
    let maps: [[UInt8]]
    if case .bayer(let pattern) = layout.format.arrangement {
      let red = pattern.redPosition
      maps = [(0, 0), (0, 1), (1, 0), (1, 1)].map { row, column in
        let channel = (row == red.row ? 0 : 1) + (column == red.column ? 0 : 1)
        return map(layout, first: (row, column), pitch: 2, channels: channel..<channel + 1)
      }
    } else {
      maps = [map(layout, first: (0, 0), pitch: 1, channels: 0..<3)]
    }
    return maps.reduce(Self.bytes(UInt32(maps.count))) { list, map in
      // The opcode's number, the version of DNG that defines it, no flags, and its size.
      list + Self.bytes(UInt32(9)) + [1, 3, 0, 0] + Self.bytes(UInt32(0))
        + Self.bytes(UInt32(map.count)) + map
    }
  }

  private func map(
    _ layout: FrameLayout, first: (row: Int, column: Int), pitch: Int, channels: Range<Int>
  ) -> [UInt8] {
    let whole = [
      first.row, first.column, layout.height, layout.width, 0, channels.count, pitch, pitch, rows,
      columns,
    ]
    let spacing = [1 / Double(rows - 1), 1 / Double(columns - 1), 0, 0]
    let gains = (0..<rows * columns).flatMap { point in
      channels.flatMap { Self.bytes(self[$0][point].bitPattern) }
    }
    return whole.flatMap { Self.bytes(UInt32($0)) }
      + spacing.flatMap { Self.bytes($0.bitPattern) } + Self.bytes(UInt32(channels.count)) + gains
  }

  private static func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    TIFFFieldList.bytes(number).reversed()
  }
}
