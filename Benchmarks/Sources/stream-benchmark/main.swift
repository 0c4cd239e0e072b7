import ColorScience
import Foundation
import WhiteBalance

// stream-benchmark FILE COUNT: corrects COUNT frames of 1920×1080 YUYV, repeating those of a file,
// as `wbcal stream` does, writes them to /dev/null, and prints the processor time in seconds.
let frames = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
let count = Int(CommandLine.arguments[2])!
let layout = try FrameLayout(width: 1920, height: 1080, format: .subsampled(.yuyv))
let bytes = [UInt8](frames)
let size = layout.byteCount
precondition(bytes.count >= size)
let tint = Matrix3x3(
  SIMD3(1.15, -0.04, 0.02), SIMD3(-0.03, 1.06, -0.02), SIMD3(0.01, -0.06, 1.22))
let correction = try FrameCorrection(tint, layout: layout)
var result = [UInt8](repeating: 0, count: size)
guard let sink = FileHandle(forWritingAtPath: "/dev/null") else { fatalError("no /dev/null") }

let start = clock()
for index in 0..<count {
  let offset = index % (bytes.count / size) * size
  var span = result.mutableSpan
  try correction.apply(
    to: bytes.span.extracting(offset..<offset + size), writingTo: &span)
  try sink.write(contentsOf: result)
}
print(Double(clock() - start) / Double(CLOCKS_PER_SEC))
