/// The color filter array of an X-Trans sensor in a DNG file.
///
/// LibRaw 0.20 may overwrite memory when it reads one. Therefore a Bayer array is put in its place,
/// which does not change the samples that LibRaw returns.
struct XTransFilter {
  /// The colors of 6×6 pixels, by rows, from the origin of the active area: 0 red, 1 green, 2 blue.
  let colors: [Int]
  /// The offsets of the entries of the filter's size and of the filter.
  let sizeEntry: Int
  let entry: Int
  let isBigEndian: Bool

  /// Replaces the filter with a Bayer array.
  func hide(in bytes: inout [UInt8]) {
    let two: [UInt8] = isBigEndian ? [0, 2] : [2, 0]
    let four: [UInt8] = isBigEndian ? [0, 0, 0, 4] : [4, 0, 0, 0]
    bytes.replaceSubrange(sizeEntry + 8..<sizeEntry + 12, with: two + two)
    bytes.replaceSubrange(entry + 4..<entry + 12, with: four + [0, 1, 1, 2])
  }
}
