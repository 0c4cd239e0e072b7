// Fuzzes frames of Motion JPEG, decoded one after another like those of a camera.

import CameraControl
import WbcalImageFiles
import WhiteBalance

let decoder = MotionJPEGDecoder()
let seeds: [[UInt8]] = fixtures(endingIn: ".jpg") + fixtures(endingIn: ".jpg").map(withoutTables)

/// Decodes a picture into exactly as many bytes as its layout needs, and reads them.
func test(_ bytes: [UInt8]) {
  guard let layout = try? decoder.layout(of: bytes.span) else { return }
  guard layout.width * layout.height <= 1 << 20 else { return }
  var frame = [UInt8](repeating: 0, count: layout.byteCount)
  do {
    var span = frame.mutableSpan
    try decoder.decode(bytes.span, layout: layout, into: &span)
  } catch { return }
  _ = try? GrayCardEstimator(region: .center(1)).estimate(frame.span, layout: layout)
}

/// Returns a picture without its Huffman tables.
func withoutTables(_ picture: [UInt8]) -> [UInt8] {
  var result = Array(picture[..<2])
  var start = 2
  while start + 4 <= picture.count {
    let end = start + 2 + Int(picture[start + 2]) << 8 + Int(picture[start + 3])
    if picture[start + 1] != 0xC4 { result += picture[start..<end] }
    if picture[start + 1] == 0xDA { return result + picture[end...] }
    start = end
  }
  return result
}
