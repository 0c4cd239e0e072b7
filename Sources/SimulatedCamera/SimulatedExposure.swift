public import CameraProfiles
internal import ColorScience

/// How the simulated camera is exposed: its controls, and what their numbers do to the light.
public struct SimulatedExposure: Hashable, Sendable {
  /// What the numbers of the exposure time mean.
  public enum Time: Hashable, Sendable {
    /// Units of 100 µs.
    case absolute
    /// Lines of so many seconds each, after some that are never exposed.
    case lines(Double, less: Int)
    /// So many steps for a doubling, from 100 µs on.
    case logarithmic(stepsPerStop: Int)
  }

  /// What the numbers of the amplification mean.
  public enum Amplification: Hashable, Sendable {
    /// There is no such control.
    case none
    /// Sixteenths.
    case proportional
    /// 1 + v/32.
    case additive
    /// Steps of 0.3 dB.
    case decibels
    /// Doublings, each in 64 even steps.
    case doublings
  }

  /// What the numbers of the exposure time mean.
  public var time: Time
  /// What the numbers of the amplification mean.
  public var amplification: Amplification
  /// The share of the way to its target, in stops, that the automatic goes in a frame.
  public var automaticPace = 1.0
  /// Whether the driver passes the numbers off as the units of 100 µs that V4L2 defines.
  public var isMislabeled = false
  /// Whether the automatic's target can be moved, from −2 to +2 stops in thirds.
  public var hasBias = false
  /// The power of the time that the light is proportional to; 1 as long as nothing is wrong.
  package var exponent = 1.0

  /// The exposure of a camera.
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

  /// The seconds for which light is collected.
  public func seconds(_ values: [ControlID: Int]) -> Double {
    let value = Double(values[timeControl] ?? 0)
    return switch time {
    case .absolute: value * 1e-4
    case .lines(let line, let less): max(value - Double(less), 0) * line
    case .logarithmic(let steps): 1e-4 * power(2, value / Double(steps))
    }
  }

  /// The light that is collected, beside that of 10 ms.
  func light(_ values: [ControlID: Int]) -> Double {
    let light = seconds(values) / 0.01
    return exponent == 1 ? light : power(light, exponent)
  }

  /// By how much all channels are amplified.
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

  /// The automatic's target, in stops above what is right.
  func bias(_ values: [ControlID: Int]) -> Double {
    values[.exposureBias].map { 0.333 * Double($0 - 6) } ?? 0
  }
}
