extension Array where Element: BinaryFloatingPoint {
  /// Returns the value at an index of the sorted array. Complexity: O(n) on average.
  @inlinable package func orderStatistic(_ index: Int) -> Element {
    var values = self
    return values.moveIntoPlace(index)
  }

  /// The middle value, or the mean of the two in the middle; the array must not be empty.
  var median: Element {
    var values = self
    let upper = values.moveIntoPlace(count / 2)
    guard count % 2 == 0 else { return upper }
    return (values[..<(count / 2)].max()! + upper) / 2
  }

  /// The range from the 5th to the 95th percentile; 0 for fewer than two values.
  var percentileRange: Element {
    guard count > 1 else { return 0 }
    let margin = count / 20
    return orderStatistic(count - 1 - margin) - orderStatistic(margin)
  }

  /// Moves the value that belongs at an index of the sorted array there and returns it; no larger
  /// value ends up before it (C. A. R. Hoare: Algorithm 65, 1961).
  @inlinable package mutating func moveIntoPlace(_ index: Int) -> Element {
    // A span avoids repeated checks for unique ownership of the array.
    var values = mutableSpan
    var (low, high) = (0, values.count - 1)
    while low < high {
      let pivot = values[index]
      var (left, right) = (low, high)
      while left <= right {
        while values[left] < pivot { left += 1 }
        while pivot < values[right] { right -= 1 }
        if left <= right {
          values.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if right < index { low = left }
      if index < left { high = right }
    }
    return values[index]
  }
}
