extension String {
  /// Returns the candidate that a misspelled word most probably means; `nil` if none is near.
  func nearest(of candidates: [String]) -> String? {
    candidates
      .map { (candidate: $0, distance: editDistance(to: $0)) }
      .filter { $0.distance <= Swift.max(1, $0.candidate.count / 3) }
      .min { $0.distance < $1.distance }?.candidate
  }

  /// Returns the number of insertions, deletions, replacements, and swaps of neighbors between two
  /// words.
  func editDistance(to other: String) -> Int {
    let source = Array(self)
    let target = Array(other)
    var beforePrevious: [Int] = []
    var previous = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      for column in target.indices {
        let isSame = source[row] == target[column]
        var best = Swift.min(
          previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column]
        {
          best = Swift.min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[target.count]
  }
}
