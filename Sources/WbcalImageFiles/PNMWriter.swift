import WhiteBalance

/// Writes the binary pixmaps of Netpbm (P6).
enum PNMWriter {
  static func header(of layout: FrameLayout, largest: Int) -> [UInt8] {
    Array("P6\n\(layout.width) \(layout.height)\n\(largest)\n".utf8)
  }

  static func encode(_ frame: Frame, largest: Int) -> [UInt8] {
    let layout = frame.layout
    var bytes = header(of: layout, largest: largest)
    bytes.reserveCapacity(bytes.count + layout.byteCount)
    if layout.format.bytesPerSample == 1 {
      bytes += frame.bytes[..<layout.byteCount]
    } else {
      bytes.append(addingCapacity: layout.byteCount) { output in
        for offset in stride(from: 0, to: layout.byteCount, by: 2) {
          output.append(frame.bytes[offset + 1])
          output.append(frame.bytes[offset])
        }
      }
    }
    return bytes
  }
}
