extension [Double] {
  /// The nearest numbers that only rise or, if the last is not above the first, only fall.
  /// Neighbors that go the other way are averaged.
  ///
  /// Source: M. Ayer and others, An empirical distribution function for sampling with incomplete
  /// information, Annals of Mathematical Statistics 26 (1955).
  ///
  /// Complexity: O(*n*).
  ///
  /// - Parameter note: A function that is called with each pair of numbers that are averaged.
  func pooled(noting note: (_ before: Double, _ next: Double) -> Void = { _, _ in }) -> [Double] {
    guard let first, let last else { return [] }
    let sign = first < last ? 1.0 : -1
    var blocks: [(mean: Double, count: Int)] = []
    for number in self {
      var block = (mean: number, count: 1)
      while let before = blocks.last, sign * before.mean > sign * block.mean {
        note(before.mean, block.mean)
        let count = before.count + block.count
        block.mean =
          (before.mean * Double(before.count) + block.mean * Double(block.count)) / Double(count)
        block.count = count
        blocks.removeLast()
      }
      blocks.append(block)
    }
    return blocks.flatMap { repeatElement($0.mean, count: $0.count) }
  }
}
