public import CameraProfiles
internal import ColorScience

/// The exposure controls of a simulated camera, and the effect of their values.
public struct SimulatedExposure: Hashable, Sendable {
  /// The meaning of the values of the exposure time.
  public enum Time: Hashable, Sendable {
    /// Units of 100 µs.
    case absolute
    /// Lines of the given duration in seconds, of which the first `less` are never exposed.
    case lines(Double, less: Int)
    /// Logarithmic steps from 100 µs on, with a number of steps per doubling.
    case logarithmic(stepsPerStop: Int)
  }

  /// The meaning of the values of the sensor gain.
  public enum Amplification: Hashable, Sendable {
    /// There is no control of the sensor gain.
    case none
    /// A gain of v/16.
    case proportional
    /// A gain of 1 + v/32.
    case additive
    /// Steps of 0.3 dB.
    case decibels
    /// Doublings, each in 64 equal steps.
    case doublings
  }

  /// The meaning of the values of the exposure time.
  public var time: Time
  /// The meaning of the values of the sensor gain.
  public var amplification: Amplification
  /// The fraction of the remaining distance to its target, in stops, by which the automatic moves
  /// in each frame.
  public var automaticPace = 1.0
  /// `true` if the driver declares the values to be in V4L2's units of 100 µs.
  public var isMislabeled = false
  /// `true` if the automatic's target can be shifted, from −2 to +2 stops in thirds.
  public var hasBias = false
  /// The power of the exposure time to which the exposure is proportional; 1 in a camera without
  /// faults.
  package var exponent = 1.0

  /// Creates the exposure of a camera.
  public init(_ time: Time = .absolute, _ amplification: Amplification = .none) {
    self.time = time
    self.amplification = amplification
  }

  var timeControl: ControlID {
    if case .absolute = time {
      .exposureTime
    } else {
      isMislabeled ? .exposureTime : .exposureLines
    }
  }

  var controls: [ControlDescription] {
    let limits =
      switch time {
      case .absolute: (1, 5000, 160)
      case .lines: (4, 4000, 400)
      case .logarithmic: (0, 255, 160)
      }
    var controls = [
      ControlDescription(
        id: .exposureMode, minimum: 0, maximum: 3, defaultValue: 3,
        kind: .menu([
          ControlKind.Item(value: 1, name: "Manual Mode"),
          ControlKind.Item(value: 3, name: "Aperture Priority Mode"),
        ]), automatic: .init(off: 1, on: 3)),
      ControlDescription(
        id: timeControl, minimum: limits.0, maximum: limits.1, defaultValue: limits.2),
    ]
    switch amplification {
    case .none: break
    case .proportional:
      controls.append(ControlDescription(id: .gain, minimum: 16, maximum: 255, defaultValue: 16))
    case .additive:
      controls.append(ControlDescription(id: .gain, minimum: 0, maximum: 255, defaultValue: 0))
    case .decibels:
      controls.append(ControlDescription(id: .gain, minimum: 0, maximum: 80, defaultValue: 0))
    case .doublings:
      controls.append(ControlDescription(id: .gain, minimum: 0, maximum: 255, defaultValue: 0))
    }
    if hasBias {
      controls.append(
        ControlDescription(
          id: .exposureBias, minimum: 0, maximum: 12, defaultValue: 6,
          kind: .menu((0...12).map { ControlKind.Item(value: $0, name: "\(($0 - 6) * 333)") })))
    }
    return controls
  }

  /// Returns the exposure time in seconds.
  public func seconds(_ values: [ControlID: Int]) -> Double {
    let value = Double(values[timeControl] ?? 0)
    return switch time {
    case .absolute: value * 1e-4
    case .lines(let line, let less): max(value - Double(less), 0) * line
    case .logarithmic(let steps): 1e-4 * power(2, value / Double(steps))
    }
  }

  /// Returns the exposure relative to that of 10 ms.
  func light(_ values: [ControlID: Int]) -> Double {
    let light = seconds(values) / 0.01
    return exponent == 1 ? light : power(light, exponent)
  }

  /// Returns the gain of all channels.
  public func amplification(_ values: [ControlID: Int]) -> Double {
    guard let value = values[.gain].map(Double.init) else { return 1 }
    return switch amplification {
    case .none: 1
    case .proportional: value / 16
    case .additive: 1 + value / 32
    case .decibels: power(10, 0.3 * value / 20)
    case .doublings:
      power(2, (value / 64).rounded(.down))
        * (1 + (value / 64).truncatingRemainder(dividingBy: 1))
    }
  }

  /// Returns the shift of the automatic's target, in stops above the correct exposure.
  func bias(_ values: [ControlID: Int]) -> Double {
    values[.exposureBias].map { 0.333 * Double($0 - 6) } ?? 0
  }
}
