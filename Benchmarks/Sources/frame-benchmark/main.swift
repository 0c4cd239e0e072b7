import ColorScience
import Foundation
import Pairs
import WhiteBalance

let (width, height) = (3840, 2160)

/// Work that has been done once before it is measured, as the peer's is.
func warmed(_ name: String, _ body: @escaping () -> Void) -> Work {
  Work(name: name) {
    body()
    return Work(name: name, count: 1, body: body).time()
  }
}

/// A scene with the noise of a camera, of which a tenth is clipped.
func scene(_ layout: FrameLayout, channels: Int) -> [UInt8] {
  var random = Generator(state: 7)
  return (0..<layout.byteCount).map { index in
    let (x, y) = (index / channels % width, index / channels / width)
    if x > width * 2 / 3, y > height * 7 / 10 { return 255 }
    // Four dice are nearly normal, here with a deviation of 2.2 codes.
    let bits = random.next()
    return UInt8(60 + (x + y) / 60 + (0..<4).reduce(0) { $0 + Int(bits >> (8 * $1) & 3) })
  }
}

func layout(_ format: PixelFormat, _ transfer: TransferFunction) throws -> FrameLayout {
  try FrameLayout(width: width, height: height, format: format, transfer: transfer)
}

/// Bytes in huge pages, for which NumPy asks for its arrays too.
final class Bytes {
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    let size = ((bytes.count >> 21) + 1) << 21
    let memory = aligned_alloc(1 << 21, size)!
    madvise(memory, size, 14)
    buffer = UnsafeMutableBufferPointer(
      start: memory.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    _ = buffer.initialize(from: bytes)
  }

  deinit { free(buffer.baseAddress) }

  var count: Int { buffer.count }
  func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try body(buffer.span)
  }
  func withMutableSpan(_ body: (inout MutableSpan<UInt8>) -> Void) {
    var span = buffer.mutableSpan
    body(&span)
  }
}

func run() throws {
  let arguments = CommandLine.arguments
  let bgra = try layout(.bgra8, .linear)
  let pixels = scene(bgra, channels: 4)
  let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try Data(pixels).write(to: file)
  let peer = try Peer(
    python: arguments[1], script: arguments[2], frame: file.path, width: width, height: height)
  defer { try? FileManager.default.removeItem(at: file) }

  var used = 0
  func statistics(_ name: String, _ layout: FrameLayout, _ bytes: [UInt8]) -> Work {
    let bytes = Bytes(bytes)
    return warmed(name) {
      guard let found = try? bytes.withSpan({ try FrameStatistics($0, layout: layout) }) else {
        preconditionFailure("a frame of its own layout")
      }
      used &+= found.pixels.used
    }
  }
  let linear = statistics("statistics, BGRA, clipped pixels rejected", bgra, pixels)
  let coded = statistics("the same, sRGB linearized", try layout(.bgra8, .sRGB), pixels)
  var random = Generator(state: 5)
  let noise = (0..<pixels.count).map { _ in UInt8(truncatingIfNeeded: random.next() % 255) }
  let noisyLinear = statistics("statistics, BGRA of random codes", bgra, noise)
  let noisyCoded = statistics("the same, sRGB linearized", try layout(.bgra8, .sRGB), noise)
  let bgr = try layout(.bgr8, .linear)
  let original = scene(bgr, channels: 3)
  let frame = Bytes(original)
  let application = try GainApplication(of: Gains(red: 1.12, green: 1, blue: 1.3), layout: bgr)
  func applyGains() {
    frame.withSpan { pixels in
      guard let found = try? FrameStatistics(pixels, layout: bgr) else {
        preconditionFailure("a frame of its own layout")
      }
      used &+= found.pixels.used
    }
    frame.withMutableSpan { _ = try? application.apply(to: &$0) }
  }
  let balance = Work(name: "statistics, then gains applied in place, BGR") {
    frame.withMutableSpan { span in
      for index in original.indices { span[index] = original[index] }
    }
    return Work(name: "", count: 1, body: applyGains).time()
  }
  let mean = peer.work("mean", "OpenCV `mean`, BGRA, nothing rejected")
  let masked = peer.work("masked", "OpenCV `inRange` and masked `mean`, BGRA")
  let grayWorld = peer.work("grayworld", "OpenCV `GrayworldWB`, BGR")

  print(
    """

    ## Frames of \(width)×\(height) pixels

    Beside OpenCV \(peer.version) in a process of its own on one core, which measures itself, in turn and in \
    random order, 31 pairs, each work once untimed before. A tenth of the frame is clipped; what is not has a \
    gradient and a noise of 2.2 codes.

    | work | ms | beside | ms | times as fast |
    |---|---|---|---|---|
    """)
  for (a, b) in [
    (linear, linear), (linear, mean), (linear, masked), (linear, coded), (noisyLinear, noisyCoded),
    (balance, grayWorld),
  ] {
    let result = Comparison(a, b, pairs: 31)
    let interval = String(format: "%.2f (%.2f…%.2f)", result.ratio, result.low, result.high)
    let times = [result.first, result.second].map { String(format: "%.2f", $0 / 1e6) }
    print("| \(a.name) | \(times[0]) | \(b.name) | \(times[1]) | \(interval) |")
  }
  print("\n| statistics of | transfer function | ms | GB/s of input |\n|---|---|---|---|")
  for (name, format) in [
    ("BGRA", PixelFormat.bgra8), ("BGR", .bgr8), ("NV12", .subsampled(.nv12)),
    ("YUYV", .subsampled(.yuyv)), ("Bayer, 12 bits packed", .packedBayer(.rggb, bits: 12)),
    ("Bayer, 16 bits", .bayer(.rggb, bits: 16)),
  ] {
    for (title, transfer) in [("linear", TransferFunction.linear), ("sRGB", .sRGB)] {
      let layout = try layout(format, transfer)
      // Codes around the middle, for chroma too.
      var random = Generator(state: 3)
      let bytes = (0..<layout.byteCount).map { _ in UInt8(100 + random.next() % 40) }
      let work = statistics(name, layout, bytes)
      let pairs = transfer == .linear ? 31 : 5
      let time = Comparison(work, work, pairs: pairs).first
      print(
        "| \(name) | \(title) | \(String(format: "%.2f", time / 1e6)) | "
          + "\(String(format: "%.2f", Double(bytes.count) / time)) |")
    }
  }
  precondition(used != 1)
}

try run()
