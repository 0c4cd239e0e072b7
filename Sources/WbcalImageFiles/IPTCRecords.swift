/// IPTC's records of a picture (IIM 4.2), which are copied as they are, and Photoshop's resources,
/// in which JPEG files have them.
enum IPTCRecords {
  /// The largest size in bytes.
  static let limit = 1 << 24

  /// Returns the whole data sets at the beginning of bytes.
  static func valid(in bytes: some Collection<UInt8>) -> [UInt8] {
    var bytes = Array(bytes)
    // Some programs store them as numbers of 32 bits in the byte order of the file.
    if bytes.count >= 4, bytes[0] != 0x1C, bytes[3] == 0x1C {
      for start in stride(from: 0, to: bytes.count - 3, by: 4) {
        bytes[start..<start + 4].reverse()
      }
    }
    var end = 0
    while end + 5 <= bytes.count, bytes[end] == 0x1C {
      var start = end + 5
      var count = Int(bytes[end + 3]) << 8 | Int(bytes[end + 4])
      if count >= 1 << 15 {  // the size of the size
        let size = count & (1 << 15 - 1)
        guard size <= 4, start + size <= bytes.count else { break }
        count = bytes[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
        start += size
      }
      guard start + count <= bytes.count else { break }
      end = start + count
    }
    return Array(bytes.prefix(end))
  }

  /// Returns the resource that contains the records; `nil` if there is none.
  static func find(inResources bytes: [UInt8]) -> [UInt8]? {
    var start = 0
    while start + 12 <= bytes.count, bytes[start..<start + 4].elementsEqual("8BIM".utf8) {
      let number = Int(bytes[start + 4]) << 8 | Int(bytes[start + 5])
      // The name and its length take an even number of bytes.
      let place = start + 6 + (Int(bytes[start + 6]) + 2) & ~1
      guard place + 4 <= bytes.count else { return nil }
      let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      if number == 0x0404 { return Array(bytes[place + 4..<min(place + 4 + count, bytes.count)]) }
      start = place + 4 + (count + 1) & ~1
    }
    return nil
  }

  /// Returns the records as a resource.
  static func resource(_ records: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [4, 4, 0, 0] + bytes(records.count, size: 4, true) + records
      + (records.count.isMultiple(of: 2) ? [] : [0])
  }
}
