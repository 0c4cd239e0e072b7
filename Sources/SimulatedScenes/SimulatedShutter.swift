/// The timing of the exposure of a frame's rows under a flickering lamp.
public struct SimulatedShutter: Hashable, Sendable {
  /// The lamp's flicker.
  public var flicker: SimulatedFlicker
  /// The time from the end of the first row's exposure to the end of the last row's, in seconds; 0
  /// is a global shutter.
  public var readout: Double
  /// The exposure time of each row, in seconds, unless a control determines it.
  public var exposure: Double

  /// Creates a shutter.
  ///
  /// - Parameters:
  ///   - flicker: the lamp's flicker.
  ///   - readout: the time from the first row to the last, in seconds, at least 0.
  ///   - exposure: the exposure time of each row, in seconds, more than 0.
  public init(_ flicker: SimulatedFlicker, readout: Double, exposure: Double) {
    precondition(
      readout >= 0 && exposure > 0,
      "`readout` must not be negative, and `exposure` must be positive")
    self.flicker = flicker
    self.readout = readout
    self.exposure = exposure
  }

  /// Returns the light of each row, relative to that of a lamp that does not flicker.
  ///
  /// - Parameters:
  ///   - rows: the number of rows.
  ///   - time: the end of the first row's exposure, in seconds.
  ///   - exposure: the exposure time of each row, in seconds; `nil` is the shutter's own.
  public func rowFactors(rows: Int, at time: Double, exposure: Double? = nil) -> [Double] {
    let duration = exposure ?? self.exposure
    let step = rows > 1 ? readout / Double(rows - 1) : 0
    return (0..<rows).map { row in
      flicker.meanLight(from: time + step * Double(row) - duration, for: duration)
    }
  }
}
