import WbcalFoundation
import WbcalSystem

/// What signals did before something else was made of them.
///
/// The addresses are numbers: in a list, Swift takes the pointer that `SIG_IGN` is for its end.
struct SignalActions {
  private let before: [(signal: Int32, address: Int)]

  private static let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)

  /// What signals do now, which stays.
  init(of signals: [Int32]) {
    before = Self.ours(signals).map { number in
      var action = sigaction()
      _ = unsafe sigaction(number, nil, &action)
      // The address is the first field on every system.
      return (number, unsafe withUnsafeBytes(of: &action) { unsafe $0.load(as: Int.self) })
    }
  }

  init(ignoring signals: [Int32]) {
    before = Self.ours(signals).map {
      ($0, unsafe unsafeBitCast(signal($0, SIG_IGN), to: Int.self))
    }
  }

  /// Those of signals that are the command's to decide on.
  private static func ours(_ signals: [Int32]) -> [Int32] {
    Surroundings.current.hasSignals ? signals : []
  }

  /// Those that were not ignored.
  var acting: [Int32] { before.filter { $0.address != Self.ignored }.map(\.signal) }

  /// Lets them do the same again.
  func restore() {
    for (number, address) in before {
      signal(number, unsafe unsafeBitCast(address, to: sighandler_t?.self))
    }
  }
}
