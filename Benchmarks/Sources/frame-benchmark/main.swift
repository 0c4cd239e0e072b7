import ColorScience
import Foundation
import Pairs
import WhiteBalance

let (width, height) = (3840, 2160)

/// Returns work that runs once before it is measured, as the peer's does.
func warmed(_ name: String, _ body: @escaping () -> Void) -> Work {
  Work(name: name) {
    body()
    return Work(name: name, count: 1, body: body).time()
  }
}

/// Returns random codes that are independent of their neighbors.
func randomBytes(_ count: Int, _ codes: Range<UInt64>) -> [UInt8] {
  var random = Generator(state: 5)
  return (0..<count).map { _ in
    UInt8(codes.lowerBound + random.next() % UInt64(codes.count))
  }
}

func layout(_ format: PixelFormat, _ transfer: TransferFunction) throws -> FrameLayout {
  try FrameLayout(width: width, height: height, format: format, transfer: transfer)
}

/// Bytes in huge pages, which NumPy requests for its arrays too.
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
  let noise = 2.0
  let scene = CameraScene(width: width, height: height, noise: noise)
  let bgra = try layout(.bgra8, .linear)
  let pixels = scene.bytes(bgra)
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
  let unrelated = randomBytes(pixels.count, 0..<255)
  let noisyLinear = statistics("statistics, BGRA of random codes", bgra, unrelated)
  let noisyCoded = statistics("the same, sRGB linearized", try layout(.bgra8, .sRGB), unrelated)
  let bgr = try layout(.bgr8, .linear)
  let original = scene.bytes(bgr)
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
    random order, 31 pairs, each work once untimed before.

    \(CameraScene.description(noise: noise))

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
  print(
    """

    Milliseconds for that scene, and for random codes of 100…139, which have nothing to do with their neighbors. \
    Bayer formats hold the scene's linear codes, all others sRGB; each is then read as linear and as sRGB.

    | statistics of | transfer function | scene, ms | GB/s | random, ms | GB/s |
    |---|---|---|---|---|---|
    """)
  for (name, format) in [
    ("BGRA", PixelFormat.bgra8), ("BGR", .bgr8), ("NV12", .subsampled(.nv12)),
    ("YUYV", .subsampled(.yuyv)), ("Bayer, 12 bits packed", .packedBayer(.rggb, bits: 12)),
    ("Bayer, 16 bits", .bayer(.rggb, bits: 16)),
  ] {
    let count = try layout(format, .linear).byteCount
    let frames = [scene.bytes(try layout(format, .linear)), randomBytes(count, 100..<140)]
    for (title, transfer) in [("linear", TransferFunction.linear), ("sRGB", .sRGB)] {
      let layout = try layout(format, transfer)
      let works = frames.map { statistics(name, layout, $0) }
      let result = Comparison(works[0], works[1], pairs: transfer == .linear ? 31 : 5)
      let cells = [result.first, result.second].map {
        String(format: "%.2f | %.2f", $0 / 1e6, Double(count) / $0)
      }
      print("| \(name) | \(title) | \(cells[0]) | \(cells[1]) |")
    }
  }
  precondition(used != 1)
}

try run()
