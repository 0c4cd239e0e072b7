import CameraControl
import Testing
import WhiteBalance

@testable import wbcal

struct FrameDropCounterTests {
  private func frame(_ sequence: Int, at milliseconds: Int) throws -> FrameInfo {
    FrameInfo(
      sequence: sequence, timestamp: .milliseconds(milliseconds),
      layout: try FrameLayout(width: 2, height: 1, format: .rgb8))
  }

  @Test func gapsAreLostFrames() throws {
    let counter = FrameDropCounter()
    for sequence in [4, 5, 8, 9, 11] {
      #expect(counter.take(try frame(sequence, at: 0), patience: nil))
      counter.finish(sent: sequence != 9)
    }
    // One of the gaps was a damaged frame, and the sequence numbers start again when a camera is
    // back.
    counter.end(damaged: 1)
    #expect(counter.take(try frame(500, at: 0), patience: nil))
    counter.finish(sent: true)
    #expect(counter.counts == FrameCounts(frames: 5, lost: 2, damaged: 1, dropped: 1))
  }

  /// A frame whose timestamp is half a minute before that of another one that arrived at the same
  /// time has waited.
  @Test func whatHasWaitedIsDropped() throws {
    let counter = FrameDropCounter()
    let patience = Duration.seconds(10)
    #expect(counter.take(try frame(0, at: 60_000), patience: patience))
    #expect(counter.take(try frame(1, at: 55_000), patience: patience))
    #expect(!counter.take(try frame(2, at: 30_000), patience: patience))
    // For a camera whose frames do not wait, timestamps are not compared.
    #expect(counter.take(try frame(3, at: 30_000), patience: nil))
    #expect(counter.counts == FrameCounts(dropped: 1))
  }
}
