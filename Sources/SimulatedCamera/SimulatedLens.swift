internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// A motorized lens in front of a simulated camera.
///
/// The picture is blurred by a Gaussian whose variance grows with the square of the distance
/// between the lens and the position of sharp focus. Values of the control rise towards near
/// objects, as V4L2 defines them, or towards far ones; the picture does not show which.
public struct SimulatedLens: Sendable {
  /// The limits of the control.
  public var range: ClosedRange<Int>
  /// The step between the control's values.
  public var step = 1
  /// The position at which the scene is sharp, in values of the control; it may be outside the
  /// range.
  public var best: Double
  /// The standard deviation of the blur in pixels at a distance of the whole range from the best
  /// position.
  public var blur = 20.0
  /// The standard deviation of the blur in pixels at the best position.
  public var leastBlur = 0.5
  /// The distance by which the lens stays behind its motor when this moves upward, in values of the
  /// control.
  public var backlash = 0.0
  /// The latency of the motor, in frames, in addition to that of all settings.
  public var latency = 0
  /// The speed of the motor per frame, in values of the control.
  public var speed = Double.infinity
  /// The automatic modes of the lens.
  public var automatic = Automatic.none
  /// The number of frames until automatic focusing starts.
  public var automaticLatency = 5
  /// The number of frames after which the automatic works again, counted from when it was turned
  /// off, while its control still reads as off; 0 is never.
  public var returnsAfter = 0
  /// `true` if the lens returns to its manual position when the automatic is turned off.
  public var fallsBack = false
  /// `true` if the lens does not move, regardless of its control.
  public var isStuck = false
  /// `true` if the automatic has no effect, regardless of its control.
  public var ignoresAutomatic = false

  /// The automatic focusing of a camera.
  public enum Automatic: Hashable, Sendable {
    /// No automatic focusing.
    case none
    /// Continuous focusing while a control is on.
    case continuous
    /// Continuous focusing, and focusing once when a button is pressed, with a control that shows
    /// its status.
    case continuousAndOnce
  }

  /// Creates a lens at the middle of its range.
  ///
  /// - Parameters:
  ///   - range: the limits of the control.
  ///   - best: the position at which the scene is sharp, in values of the control.
  public init(range: ClosedRange<Int> = 0...250, best: Double) {
    self.range = range
    self.best = best
  }

  /// The controls that the lens adds to a camera.
  var controls: [ControlDescription] {
    let middle = (range.upperBound - range.lowerBound) / 2 / step * step + range.lowerBound
    var controls = [
      ControlDescription(
        id: .focusPosition, minimum: range.lowerBound, maximum: range.upperBound, step: step,
        defaultValue: middle)
    ]
    if automatic != .none {
      controls.append(
        ControlDescription(
          id: .autoFocus, minimum: 0, maximum: 1, defaultValue: 0, kind: .boolean,
          automatic: .init(off: 0, on: 1)))
    }
    if automatic == .continuousAndOnce {
      controls += [
        ControlDescription(
          id: .autoFocusOnce, minimum: 0, maximum: 1, defaultValue: 0, kind: .button),
        ControlDescription(id: .autoFocusStatus, minimum: 0, maximum: 7, defaultValue: 0),
      ]
    }
    return controls
  }

  /// The position and movement of a lens.
  struct Motion {
    /// The position of the lens, which is behind the motor by up to the backlash.
    private(set) var place: Double
    private var motor: Double
    private var targets: [(frames: Int, value: Double)] = []
    private var last: Int
    /// The number of frames since the automatic was last turned on or off.
    private var framesInMode = 0
    private var wasOn = false
    /// The number of frames until focusing once starts; `nil` if it was not requested.
    private var once: Int?
    /// The status by V4L2's numbers: idle 0, busy 1, reached 2, failed 4.
    private(set) var status = 0

    init(at value: Int) {
      place = Double(value)
      motor = Double(value)
      last = value
    }

    /// Starts focusing once.
    mutating func focusOnce(_ lens: SimulatedLens) {
      once = lens.automaticLatency
      status = 1
    }

    /// Advances the time by one frame.
    ///
    /// - Parameters:
    ///   - value: the value of the control, as far as the camera has received it.
    ///   - isOn: `true` if the automatic is on, as far as the camera has received it.
    ///   - canSee: `true` if there is detail to focus on.
    /// - Returns: the new reading of the control if the camera has moved the lens automatically.
    mutating func advance(_ lens: SimulatedLens, value: Int, isOn: Bool, canSee: Bool) -> Int? {
      if isOn != wasOn { (framesInMode, wasOn) = (0, isOn) }
      framesInMode += 1
      if value != last {
        targets.append((lens.latency, Double(value)))
        last = value
      }
      let hasReturned = !isOn && lens.returnsAfter > 0 && framesInMode > lens.returnsAfter
      let isChoosing =
        (isOn ? framesInMode > lens.automaticLatency : hasReturned) && !lens.ignoresAutomatic
      var found: Int?
      let goal = min(
        max(canSee ? lens.best : Double(lens.range.upperBound), Double(lens.range.lowerBound)),
        Double(lens.range.upperBound))
      if isChoosing || once == 0 && !lens.ignoresAutomatic {
        targets = []
        move(lens, to: min(goal + lens.backlash, Double(lens.range.upperBound)))
        if once == 0, abs(place - goal) <= Double(lens.step) || motor >= goal + lens.backlash {
          (once, status) = (nil, canSee ? 2 : 4)
        }
        // An automatic that works although it is off does not report its position.
        if !hasReturned { found = Int(motor.rounded()) }
        if let found { last = found }
      } else {
        once = once.map { max(0, $0 - 1) }
        while targets.dropFirst().first?.frames == 0 { targets.removeFirst() }
        if let target = targets.first, target.frames == 0 { move(lens, to: target.value) }
        for index in targets.indices { targets[index].frames = max(0, targets[index].frames - 1) }
      }
      return found
    }

    private mutating func move(_ lens: SimulatedLens, to target: Double) {
      guard !lens.isStuck else { return }
      motor += min(max(target - motor, -lens.speed), lens.speed)
      place = min(max(place, motor - lens.backlash), motor)
    }
  }
}
