import Foundation
import Synchronization
import Testing

@testable import wbcal

struct OrderedWorkTests {
  @Test func resultsComeInOrder() throws {
    var inputs = (0..<500).makeIterator()
    let work = OrderedWork(nextInput: { inputs.next() }) {
      { number in
        if number % 7 == 0 { usleep(500) }
        return number * number
      }
    }
    var results: [Int] = []
    try work.forEach { input, output in
      #expect(output == input * input)
      results.append(input)
    }
    #expect(results == Array(0..<500))
  }

  /// A slow receiver, or one slow input, stops the other work before its results fill the memory.
  @Test func fewResultsWait() throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let taken = Mutex(0)
    let work = OrderedWork(
      nextInput: {
        taken.withLock { count in
          count += 1
          return count <= 400 ? count : nil
        }
      },
      worker: {
        { number in
          if number == 1 { usleep(200_000) }
          return number
        }
      })
    var received = 0
    var most = 0
    try work.forEach { _, _ in
      if received % 40 == 0 { usleep(50_000) }
      received += 1
      most = max(most, taken.withLock { $0 } - received)
    }
    #expect(received == 400)
    #expect(most > processors && most <= 4 * processors, "\(most)")
  }

  @Test func anErrorComesInItsPlaceAndEndsIt() {
    struct Broken: Error {}
    var count = 0
    let work = OrderedWork(
      nextInput: { () throws -> Int? in
        count += 1
        if count > 30 { throw Broken() }
        return count
      }, worker: { { $0 } })
    var received = 0
    #expect(throws: Broken.self) { try work.forEach { _, _ in received += 1 } }
    #expect(received == 30)
  }
}
