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

  /// Moves the value that the sorted array has at an index to that index, and returns it; no larger
  /// value is before it then.
  @inlinable package mutating func moveIntoPlace(_ index: Int) -> Element {
    // A span avoids repeated checks for unique ownership of the array.
    var values = mutableSpan
    var (low, high) = (0, values.count - 1)
    while low < high {
      // Without a branch for each value, which would often be predicted wrong (N. Lomuto's
      // partition).
      values.swapAt(low, index)
      let pivot = values[low]
      var last = low
      for place in low + 1...high {
        let value = values[place]
        let isLess = value < pivot
        values[place] = values[last + 1]
        values[last + 1] = value
        last += isLess ? 1 : 0
      }
      values.swapAt(low, last)
      if index < last {
        high = last - 1
        continue
      }
      low = last + 1
      // Values that are equal to the pivot are in place too.
      for place in stride(from: low, through: high, by: 1) {
        let value = values[place]
        let isEqual = value == pivot
        values[place] = values[low]
        values[low] = value
        low += isEqual ? 1 : 0
      }
      if index < low { break }
    }
    return values[index]
  }
}
