import CameraProfiles
import Testing

/// The assignment of frames to settings that were sent before the previous one showed. Pictures are
/// whole numbers here: 0 before the first setting, and then the setting's own.
struct FrameSuccessionTests {
  /// Frames 10, 11, … of three settings, each sent three frames after the previous one.
  private func succession(_ pictures: [Int], firstNumber: Int = 10) -> FrameSuccession<Int> {
    var succession = FrameSuccession(after: firstNumber - 1, 0)
    for (index, picture) in pictures.enumerated() {
      if index % 3 == 0, index < 9 { succession.noteSetting() }
      succession.add(firstNumber + index, picture)
    }
    return succession
  }

  private static let onTime = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]

  @Test func theFirstChangeIsTheLatency() {
    #expect(succession(Self.onTime).latency(isSame: ==) == 2)
    #expect(succession([0, 0, 0, 0]).latency(isSame: ==) == nil)
  }

  @Test func eachSettingGetsItsLastFrames() {
    let seen = succession(Self.onTime).readings(latency: 2, count: 2, isSame: ==)
    #expect(seen == [[1, 1], [2, 2], [3, 3]])
  }

  /// The second setting is a frame late, so that one frame fewer shows it.
  @Test func aLateSettingHasFewerFrames() {
    let late = succession([0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3])
    #expect(late.readings(latency: 2, count: 2, isSame: ==) == [[1, 1], [2, 2], [3, 3]])
    #expect(late.readings(latency: 2, count: 3, isSame: ==) == [[1, 1, 1], nil, [3, 3, 3]])
  }

  @Test(arguments: [0, 1, 4, 5]) func anotherLatencyIsRefused(latency: Int) {
    // One frame longer than stated is within the frames that are skipped.
    let seen = succession(Self.onTime).readings(latency: latency, count: 2, isSame: ==)
    #expect((seen == nil) == (latency != 1))
  }

  /// Settings that look alike, one that never shows, and a picture that comes in between.
  @Test(arguments: [
    [0, 0, 1, 1, 1, 1, 1, 1, 3, 3, 3], [0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2],
    [0, 0, 1, 1, 1, 2, 5, 2, 3, 3, 3],
  ])
  func picturesThatAreNotAsManyAsSettingsAreRefused(pictures: [Int]) {
    #expect(succession(pictures).readings(latency: 2, count: 2, isSame: ==) == nil)
  }

  /// A frame lost before the first setting shows.
  @Test func aLostFrameIsRefused() {
    var lost = FrameSuccession(after: 9, 0)
    lost.noteSetting()
    for (number, picture) in [(10, 0), (12, 1), (13, 1), (14, 1)] { lost.add(number, picture) }
    #expect(lost.readings(latency: 2, count: 2, isSame: ==) == nil)
  }

  @Test func valuesAlternateBetweenTheHalves() {
    #expect([1, 2, 3, 4, 5].alternating == [1, 4, 2, 5, 3])
    #expect([Int]().alternating.isEmpty)
  }
}
