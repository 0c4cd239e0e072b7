import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

struct OrderStatisticsTests {
  /// All arrays of up to six elements of three values are compared with sorted ones.
  @Test func allSmallArrays() {
    for count in 1...6 {
      let arrays = (0..<count).reduce(1) { product, _ in 3 * product }
      for number in 0..<arrays {
        var rest = number
        let values = (0..<count).map { _ -> Double in
          defer { rest /= 3 }
          return Double(rest % 3)
        }
        let sorted = values.sorted()
        for index in values.indices {
          #expect(values.orderStatistic(index) == sorted[index])
          var moved = values
          #expect(moved.moveIntoPlace(index) == sorted[index])
          #expect(moved.sorted() == sorted)
          #expect(moved[..<index].allSatisfy { $0 <= moved[index] })
        }
        #expect(values.median == (sorted[count / 2] + sorted[(count - 1) / 2]) / 2)
      }
    }
  }

  /// A twentieth of the values is excluded at either end.
  @Test(arguments: [(1, 0), (2, 1), (19, 18), (20, 17), (39, 36), (40, 35), (100, 89)])
  func percentiles(count: Int, range: Double) {
    #expect((0..<count).map { Double($0 * 7 % count) }.percentileRange == range)
    #expect([Double]().percentileRange == 0)
  }

  @Test func manyValues() {
    var random = SeededRandom(seed: 6)
    let values = (0..<1000).map { _ in random.normal() }
    let sorted = values.sorted()
    for index in stride(from: 0, to: 1000, by: 37) {
      #expect(values.orderStatistic(index) == sorted[index])
    }
  }
}
