import WbcalFoundation
import WbcalSystem

/// The former actions of signals.
///
/// The addresses are stored as numbers: in an array of pointers, Swift would take the pointer of
/// `SIG_IGN` for the end of the array.
struct SignalActions {
  private let before: [(signal: Int32, address: Int)]

  private static let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)

  /// Stores the current actions of signals, and leaves them as they are.
  init(of signals: [Int32]) {
    before = Self.handled(signals).map { number in
      var action = sigaction()
      _ = unsafe sigaction(number, nil, &action)
      // The address is the first field on every system.
      return (number, unsafe withUnsafeBytes(of: &action) { unsafe $0.load(as: Int.self) })
    }
  }

  init(ignoring signals: [Int32]) {
    before = Self.handled(signals).map {
      ($0, unsafe unsafeBitCast(signal($0, SIG_IGN), to: Int.self))
    }
  }

  /// Returns those signals that the command may handle.
  private static func handled(_ signals: [Int32]) -> [Int32] {
    Surroundings.current.hasSignals ? signals : []
  }

  /// The signals that were not ignored.
  var notIgnored: [Int32] { before.filter { $0.address != Self.ignored }.map(\.signal) }

  /// Restores the former actions.
  func restore() {
    for (number, address) in before {
      signal(number, unsafe unsafeBitCast(address, to: sighandler_t?.self))
    }
  }
}
