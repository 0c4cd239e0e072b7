#if RawPhotographs
import CWbcalLibRaw

/// What LibRaw finds in a DNG file.
struct LibRawReading {
  /// Width and height.
  var size: [Int]
  /// The orientation by LibRaw's number.
  var flip: Int
  /// The black levels and colors of the upper left 2×2 pixels: 0 red, 1 green, 2 blue.
  var blacks, colors: [Int]
  var white: Double
  var neutral, analogBalance: [Float]
  var illuminants: [Int]
  var colorMatrices: [[Float]]
  var forwardMatrix: [Float]
  var exposureTime, iso: Double

  /// Reads a file; `nil` if LibRaw cannot read it.
  init?(_ bytes: [UInt8]) {
    guard let raw = unsafe libraw_init(0) else { return nil }
    defer { unsafe libraw_close(raw) }
    let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
      let address = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)  // only read
      return unsafe libraw_open_buffer(raw, address, buffer.count) == 0 && libraw_unpack(raw) == 0
    }
    guard isRead else { return nil }
    func numbers<Values>(_ values: Values) -> [Float] {
      unsafe withUnsafeBytes(of: values) { unsafe Array($0.bindMemory(to: Float.self)) }
    }
    let (sizes, first, second) = unsafe (
      raw.pointee.sizes, raw.pointee.color.dng_color.0, raw.pointee.color.dng_color.1
    )
    size = [Int(sizes.width), Int(sizes.height)]
    flip = Int(sizes.flip)
    (blacks, colors) = ([], [])
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] as [(Int32, Int32)] {
      blacks.append(unsafe Int(clibraw_black(raw, row, column)))
      let color = unsafe Int(libraw_COLOR(raw, row, column))
      colors.append(color == 3 ? 1 : color)
    }
    white = unsafe Double(raw.pointee.color.maximum)
    neutral = unsafe Array(numbers(raw.pointee.color.dng_levels.asshotneutral).prefix(3))
    analogBalance = unsafe Array(numbers(raw.pointee.color.dng_levels.analogbalance).prefix(3))
    illuminants = [Int(first.illuminant), Int(second.illuminant)]
    colorMatrices = [first.colormatrix, second.colormatrix].map { Array(numbers($0).prefix(9)) }
    // Its rows have four columns.
    let forward = numbers(first.forwardmatrix)
    forwardMatrix = (0..<9).map { forward[$0 / 3 * 4 + $0 % 3] }
    exposureTime = unsafe Double(raw.pointee.other.shutter)
    iso = unsafe Double(raw.pointee.other.iso_speed)
  }
}
#endif
