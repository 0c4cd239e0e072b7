#if GenICam
import CameraControl
import ColorScience
import Foundation
import GenICam
import Testing
import WhiteBalance

extension LoopbackTests {
  struct BracketTests {
    private static let offsets = [-2.0, -1, 0, 0.5, 1]

    /// The picture's green, and its time.
    private struct Seen: Sendable {
      var time: Int64
      var green: Double
    }

    /// The green of each frame that the peer has drawn, by its time.
    private func truths() throws -> [Int64: Double] {
      let text = try String(contentsOf: Peer.truthLog, encoding: .utf8)
      return Dictionary(
        text.split(separator: "\n").compactMap { line in
          let words = line.split(separator: " ")
          guard words.count == 4, let time = Int64(words[0]), let green = Double(words[2]) else {
            return nil
          }
          return (time, green)
        }, uniquingKeysWith: { $1 })
    }

    @Test func fiveExposuresAreThoseOfTheirFrames() async throws {
      defer { try? FileManager.default.removeItem(at: Peer.truthLog) }
      let peer = try Peer("--noise", "0.002", "--truth-log", Peer.truthLog.path)
      var camera = Camera(try await peer.camera())
      camera.exposureLaws = try await camera.probeExposure()
      try await camera.setExposureMode(.locked)
      try await camera.prepareBracket(of: Self.offsets.count)
      let seen = Guarded<[Seen]>([])
      try await camera.capture(.exposureOffsets(Self.offsets)) { picture in
        let info = picture.info
        let (width, height) = (info.layout.width, info.layout.height)
        let region = PixelRectangle(
          x: width / 4, y: height / 4, width: width / 2, height: height / 2)
        let bytes = picture.buffer.bytes
        guard
          let green = try? FrameStatistics(bytes.span, layout: info.layout, region: region).mean
            .green
        else { return }
        let time = info.timestamp.components
        seen.withLock {
          $0.append(
            Seen(
              time: time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000, green: green))
        }
      }
      let pictures = seen.withLock { $0 }
      try #require(pictures.count == Self.offsets.count)
      let truths = try truths()
      let middle = try #require(truths[pictures[2].time])
      for (picture, offset) in zip(pictures, Self.offsets) {
        // The frame that was passed on is the one that the camera exposed like this.
        let truth = try #require(truths[picture.time])
        #expect(abs(picture.green / truth - 1) < 0.02, "\(offset)")
        #expect(abs(truth / middle / exp2(offset) - 1) < 0.02, "\(offset): \(truth / middle)")
      }
    }
  }
}

/// A value for one thread at a time.
private final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
#endif
