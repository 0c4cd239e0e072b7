internal import ColorScience

/// The effect of a balance's values on its channel.
struct ChannelResponse: Sendable {
  enum Form: Sendable {
    case linear, exponential
    /// A quadratic function: the fraction of the range of gains is ax + (1 − a)x².
    case bent(Double)
    /// A smooth curve: the logarithm rises linearly, with added waves whose amplitudes add up to
    /// less than 1.
    case smooth([(amplitude: Double, phase: Double)])
  }

  var form: Form
  var range: ClosedRange<Int>
  /// The smaller and the larger of the gains at the two ends.
  var low, high: Double
  var isFalling = false
  /// The dead ends, as fractions of the range at its beginning and its end.
  var deadEnds = (0.0, 0.0)
  /// The number of steps that the hardware implements, if they are fewer than the values.
  var steps: Int?

  func gain(at value: Int) -> Double {
    let length = Double(range.upperBound - range.lowerBound)
    var share = Double(value - range.lowerBound) / length
    if isFalling { share = 1 - share }
    share = min(max((share - deadEnds.0) / (1 - deadEnds.0 - deadEnds.1), 0), 1)
    if let steps { share = (share * Double(steps) + 1e-9).rounded(.down) / Double(steps) }
    switch form {
    case .linear: return low + (high - low) * share
    case .bent(let slope):
      return low + (high - low) * (slope * share + (1 - slope) * share * share)
    case .exponential: return low * power(high / low, share)
    case .smooth(let waves):
      var way = share
      for (index, wave) in waves.enumerated() {
        let turns = 2 * .pi * Double(index + 1)
        way += wave.amplitude * (sine(turns * share + wave.phase) - sine(wave.phase)) / turns
      }
      return low * power(high / low, way)
    }
  }

  /// Returns the value whose gain is nearest to a wanted one.
  func value(of gain: Double) -> Int {
    range.min { abs(self.gain(at: $0) - gain) < abs(self.gain(at: $1) - gain) }
      ?? range.lowerBound
  }
}
