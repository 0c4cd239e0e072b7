/// The color filter array of an X-Trans in a DNG file.
///
/// LibRaw 0.20 may overwrite memory when it reads one. Therefore it is told of Bayer's filter,
/// which makes no difference to the samples that it hands out.
struct XTransFilter {
  /// The colors of 6×6 pixels, by rows, from the origin of the active area: 0 red, 1 green, 2 blue.
  let colors: [Int]
  /// Where the entries of the filter's size and of the filter begin.
  let sizeEntry: Int
  let entry: Int
  let isBigEndian: Bool

  /// Puts Bayer's filter in its place.
  func hide(in bytes: inout [UInt8]) {
    let two: [UInt8] = isBigEndian ? [0, 2] : [2, 0]
    let four: [UInt8] = isBigEndian ? [0, 0, 0, 4] : [4, 0, 0, 0]
    bytes.replaceSubrange(sizeEntry + 8..<sizeEntry + 12, with: two + two)
    bytes.replaceSubrange(entry + 4..<entry + 12, with: four + [0, 1, 1, 2])
  }
}
