internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// A lens that a motor moves, in front of a simulated camera.
///
/// The picture is blurred by a Gaussian whose variance grows with the square of the distance
/// between the lens and the place at which it is sharp. Numbers of the control grow towards near
/// objects, as V4L2 defines them, or towards far ones: nothing in the picture tells.
public struct SimulatedLens: Sendable {
  /// The control's limits.
  public var range: ClosedRange<Int>
  /// The distance between the control's values.
  public var step = 1
  /// The place at which the scene is sharp, in numbers of the control; it may lie outside its
  /// range.
  public var best: Double
  /// The standard deviation of the blur in pixels, the whole range from the best place.
  public var blur = 20.0
  /// That at the best place.
  public var leastBlur = 0.5
  /// How far the lens stays behind where its motor goes up, in numbers of the control.
  public var backlash = 0.0
  /// Frames after which the motor starts, beyond those after which any setting shows.
  public var latency = 0
  /// How far the motor goes in a frame, in numbers of the control.
  public var speed = Double.infinity
  /// The modes that it has beside setting it by hand.
  public var automatic = Automatic.none
  /// Frames until the camera's own focusing starts.
  public var automaticLatency = 5
  /// So many frames after the automatic was turned off it works again, while its control reads as
  /// off; 0 is never.
  public var returnsAfter = 0
  /// Whether the lens goes back to where it was set by hand when the automatic is turned off.
  public var fallsBack = false
  /// Whether the lens stays where it is, whatever its control reads as.
  public var isStuck = false
  /// Whether the automatic does nothing, whatever its control reads as.
  public var ignoresAutomatic = false

  /// What a camera focuses by itself.
  public enum Automatic: Hashable, Sendable {
    /// Nothing.
    case none
    /// It focuses all the time while a control is on.
    case continuous
    /// The same, and once where a button is pressed, with a control of how far it has come.
    case continuousAndOnce
  }

  /// A lens at the middle of its range.
  ///
  /// - Parameters:
  ///   - range: the control's limits.
  ///   - best: the place at which the scene is sharp.
  public init(range: ClosedRange<Int> = 0...250, best: Double) {
    self.range = range
    self.best = best
  }

  /// The controls that it adds to a camera.
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

  /// Where a lens is, and on its way to.
  struct Motion {
    /// Where the glass is: behind the motor by the backlash.
    private(set) var place: Double
    private var motor: Double
    private var targets: [(frames: Int, value: Double)] = []
    private var last: Int
    /// Frames since the automatic was last off, or on.
    private var framesInMode = 0
    private var wasOn = false
    /// Frames until focusing once starts; `nil` where nobody asked for it.
    private var once: Int?
    /// V4L2's: idle 0, busy 1, reached 2, failed 4.
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

    /// The time of a frame passes.
    ///
    /// - Parameters:
    ///   - value: what the control is set to, as far as the camera has it.
    ///   - isOn: the same of the automatic.
    ///   - canSee: whether there is anything to focus on.
    /// - Returns: what the control reads as, where the camera has moved the lens by itself.
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
        // One that came back does not tell.
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
