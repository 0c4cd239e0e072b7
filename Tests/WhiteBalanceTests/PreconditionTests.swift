import Testing
import WhiteBalance

/// Preconditions that stop a program instead of letting it compute a wrong number.
struct PreconditionTests {
  @Test func zones() async {
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(width: 1, height: 1, format: .rgb8)
      _ = try FrameStatistics.zones([1, 2, 3].span, layout: layout, columns: 0, rows: 1)
    }
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(width: 1, height: 1, format: .rgb8)
      _ = try FrameStatistics.zones([1, 2, 3].span, layout: layout, columns: 1, rows: 0)
    }
  }

  @Test func settling() async {
    await #expect(processExitsWith: .failure) { _ = SettleDetector(tolerance: 0) }
    await #expect(processExitsWith: .failure) { _ = SettleDetector(tolerance: .infinity) }
    await #expect(processExitsWith: .failure) { _ = SettleDetector(slowest: 0) }
    await #expect(processExitsWith: .failure) { _ = SettleDetector(slowest: .nan) }
  }

  @Test func cards() async {
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(width: 8, height: 8, format: .rgb8)
      _ = GrayCardEstimator(region: .center(0)).rectangle(in: layout)
    }
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(width: 8, height: 8, format: .rgb8)
      _ = GrayCardEstimator(region: .center(1.001)).rectangle(in: layout)
    }
    await #expect(processExitsWith: .failure) { _ = GrayCardEstimate(averaging: []) }
  }

  @Test func applyingWhatAreNoGains() async {
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(width: 1, height: 1, format: .rgb8)
      var frame = try Frame(layout: layout, bytes: [1, 2, 3])
      try frame.apply(Gains(red: 0, blue: 1))
    }
  }
}
