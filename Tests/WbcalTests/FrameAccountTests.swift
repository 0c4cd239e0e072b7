import CameraControl
import Testing
import WhiteBalance

@testable import wbcal

struct FrameAccountTests {
  private func frame(_ sequence: Int, at milliseconds: Int) throws -> FrameInfo {
    FrameInfo(
      sequence: sequence, timestamp: .milliseconds(milliseconds),
      layout: try FrameLayout(width: 2, height: 1, format: .rgb8))
  }

  @Test func gapsAreLostFrames() throws {
    let account = FrameDropCounter()
    for sequence in [4, 5, 8, 9, 11] {
      #expect(account.take(try frame(sequence, at: 0), patience: nil))
      account.finish(sent: sequence != 9)
    }
    // One of the gaps was a damaged frame, and the sequence numbers start again when a camera is
    // back.
    account.end(damaged: 1)
    #expect(account.take(try frame(500, at: 0), patience: nil))
    account.finish(sent: true)
    #expect(account.counts == FrameCounts(frames: 5, lost: 2, damaged: 1, dropped: 1))
  }

  /// A frame whose timestamp is half a minute before that of another one that arrived at the same
  /// time has waited.
  @Test func whatHasWaitedIsDropped() throws {
    let account = FrameDropCounter()
    let patience = Duration.seconds(10)
    #expect(account.take(try frame(0, at: 60_000), patience: patience))
    #expect(account.take(try frame(1, at: 55_000), patience: patience))
    #expect(!account.take(try frame(2, at: 30_000), patience: patience))
    // For a camera whose frames do not wait, timestamps are not compared.
    #expect(account.take(try frame(3, at: 30_000), patience: nil))
    #expect(account.counts == FrameCounts(dropped: 1))
  }
}
