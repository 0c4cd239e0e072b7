/// When the rows of a simulated frame collect light, and what a flickering lamp gives each of them.
public struct SimulatedShutter: Hashable, Sendable {
  /// The lamp's flicker.
  public var flicker: SimulatedFlicker
  /// The time from the first row's end of exposure to the end of the last, in seconds; 0 is a
  /// global shutter.
  public var readout: Double
  /// The time for which each row collects light, in seconds, unless a control says it.
  public var exposure: Double

  /// A shutter.
  ///
  /// - Parameters:
  ///   - flicker: the lamp's.
  ///   - readout: from the first row to the last, in seconds, at least 0.
  ///   - exposure: of each row, in seconds, more than 0.
  public init(_ flicker: SimulatedFlicker, readout: Double, exposure: Double) {
    precondition(readout >= 0 && exposure > 0, "rows are read in turn, and are exposed")
    self.flicker = flicker
    self.readout = readout
    self.exposure = exposure
  }

  /// The light of each row, relative to that of a lamp that does not flicker.
  ///
  /// - Parameters:
  ///   - rows: their number.
  ///   - time: when the exposure of the first row ends, in seconds.
  ///   - exposure: of each row, in seconds; `nil` is the shutter's own.
  public func rowFactors(rows: Int, at time: Double, exposure: Double? = nil) -> [Double] {
    let duration = exposure ?? self.exposure
    let step = rows > 1 ? readout / Double(rows - 1) : 0
    return (0..<rows).map { row in
      flicker.meanLight(from: time + step * Double(row) - duration, for: duration)
    }
  }
}
