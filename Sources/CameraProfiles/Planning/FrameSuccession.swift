/// The frames that are read while settings are sent in quick succession, each before the previous
/// one shows.
///
/// The first setting determines the latency: no frame changes before it is due, and every later
/// frame differs from those before. The order of the pictures identifies the others, however late
/// each is; two successive settings that look alike cannot be distinguished.
package struct FrameSuccession<Reading> {
  private typealias Frame = (number: Int, reading: Reading)

  private let start: Frame
  private var frames: [Frame] = []
  /// The number of the last frame before each setting.
  private var sent: [Int] = []

  /// Begins with the frame before the first setting.
  package init(after number: Int, _ reading: Reading) { start = (number, reading) }

  /// Notes that the next setting was sent after the last frame.
  package mutating func noteSetting() { sent.append((frames.last ?? start).number) }

  /// Adds the next frame.
  package mutating func add(_ number: Int, _ reading: Reading) { frames.append((number, reading)) }

  /// The number of frames after the first setting that are still like the one at the start; `nil`
  /// if all are.
  package func latency(isSame: (Reading, Reading) -> Bool) -> Int? {
    frames.first { !isSame($0.reading, start.reading) }.map { $0.number - sent[0] - 1 }
  }

  /// Returns the frames of each setting, or `nil` for a setting with fewer than `count`.
  ///
  /// - Parameters:
  ///   - latency: The latency of a setting, in frames.
  ///   - count: The number of frames of each setting.
  ///   - isSame: A closure that indicates whether two frames may show the same setting.
  /// - Returns: `nil` if the frames contradict the latency, one of them is missing, or the pictures
  ///   are not as many as the settings.
  package func readings(
    latency: Int, count: Int, isSame: (Reading, Reading) -> Bool
  ) -> [[Reading]?]? {
    func readings(_ numbers: Range<Int>) -> [Reading] {
      frames.filter { numbers.contains($0.number) }.map(\.reading)
    }
    // No setting may show before the first is due.
    let change = sent[0] + latency + 1
    let early = readings(sent[0] + 1..<change)
    guard early.count == latency, early.allSatisfy({ isSame($0, start.reading) }),
      readings(change + 1..<change + 1 + count).allSatisfy({ !isSame($0, start.reading) })
    else { return nil }
    var runs: [[Reading]] = [[start.reading]]
    for (_, reading) in frames {
      if let last = runs[runs.count - 1].last, isSame(reading, last) {
        runs[runs.count - 1].append(reading)
      } else {
        runs.append([reading])
      }
    }
    guard runs.count == sent.count + 1 else { return nil }
    return runs.dropFirst().map { $0.count >= count ? Array($0.suffix(count)) : nil }
  }
}

extension Array {
  /// The elements of the first half alternating with those of the second, so that values that are
  /// clipped or black at one end come between measurable ones.
  package var alternating: [Element] {
    let half = (count + 1) / 2
    return indices.map { self[$0 % 2 == 0 ? $0 / 2 : half + $0 / 2] }
  }
}
