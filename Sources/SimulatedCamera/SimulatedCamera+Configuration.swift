public import CameraControl
public import CameraProfiles
public import ColorScience
public import SimulatedScenes

extension SimulatedCamera {
  /// What the camera is and looks at.
  public struct Configuration: Sendable {
    /// The sensor.
    public var sensor: MeasuredSensor
    /// The light on the scene.
    public var lamp: MeasuredLamp
    /// Determines the unit's deviation from its kind, its hot pixels and its noise.
    public var seed: UInt64
    /// Pixels in a row and rows, at least 16 each.
    public var size: (width: Int, height: Int)
    /// Frames after which a setting shows.
    public var latency = 2
    /// Computes that many frames and shows them over and over, whatever is set, at no cost.
    public var replayedFrames = 0
    /// Frames a second that timestamps tell of, more than 0.
    public var frameRate = 30.0
    /// The sensitivity, as ISO numbers it, more than 0: a white pixel has 20 000 electrons at 100.
    public var iso = 100.0
    /// A lamp that flickers, and the rows that see it in turn; `nil` is an even light. Its exposure
    /// is the exposure time's where that is a control.
    public var shutter: SimulatedShutter?
    /// The time a frame takes; none by default: it comes as fast as it is computed.
    public var frameInterval = Duration.zero
    /// The controls of its white balance, and what their numbers do.
    public var balance = SimulatedBalance.balances
    /// What its exposure is set by; without, the light is always right.
    public var exposure: SimulatedExposure?
    /// The picture's transfer function; the frames always say sRGB, as drivers do.
    public var transfer = TransferFunction.sRGB
    /// What stands between the gains and the picture.
    public var pipeline = SimulatedPipeline.ideal
    /// What it looks at.
    public var target = SimulatedTarget.card
    /// What is printed on the card and the papers.
    public var texture = SimulatedTexture.none
    /// The lens, where a motor moves it; without one the picture is sharp.
    public var lens: SimulatedLens?
    /// Controls beside these, which the picture does not show.
    public var otherControls: [ControlDescription] = []
    /// What the controls are set to, and the picture shows, from the first frame on; those left out
    /// are at their defaults.
    public var settings: [ControlValue] = []
    /// What goes wrong.
    public var faults = Faults()

    /// Driver `simulated`, named for its sensor, told apart by its seed and by the controls and the
    /// pipeline it has instead of the usual ones.
    public var identity: CameraIdentity {
      var parts = ["simulated", sensor.name, String(seed)]
      if balance.name != SimulatedBalance.balances.name { parts.append(balance.name) }
      if pipeline.name != SimulatedPipeline.ideal.name { parts.append(pipeline.name) }
      return CameraIdentity(
        driver: "simulated", name: "simulated \(sensor.name)", id: parts.joined(separator: "-"))
    }

    /// A camera, of 320×240 pixels where nothing else is asked for.
    public init(
      sensor: MeasuredSensor, lamp: MeasuredLamp, seed: UInt64 = 1,
      size: (width: Int, height: Int) = (320, 240)
    ) {
      self.sensor = sensor
      self.lamp = lamp
      self.seed = seed
      self.size = size
    }

    /// What is in the picture.
    var scene: SimulatedScene.Setup {
      var scene = SimulatedScene.Setup(sensor: sensor, lamp: lamp, seed: seed, size: size)
      (scene.iso, scene.exposure, scene.hasLens) = (iso, faults.exposure, lens != nil)
      (scene.transfer, scene.pipeline) = (transfer, pipeline)
      (scene.target, scene.texture) = (target, texture)
      return scene
    }
  }

  /// What goes wrong, for tests of what comes of it.
  public struct Faults: Sendable {
    /// The frame instead of which the camera goes away.
    public var vanishesAtFrame: Int?
    /// Settings are reported back, but never reach the picture.
    public var ignoresSettings = false
    /// Reported values of the balances are one too large.
    public var misreports = false
    /// Balances are refused while an automatic mode is on, as one widespread driver does.
    public var refusesWhileAutomatic = false
    /// How far timestamps are off, as a share of the time from frame to frame, uniform.
    public var timestampJitter = 0.0
    /// What the next settings of a control get for an answer, in order.
    public var refusals: [ControlID: [ControlRefusal]] = [:]
    /// Balances are rounded down to multiples of this, without a word.
    public var roundsTo = 1
    /// The frame from which on none comes.
    public var stallsAtFrame: Int?
    /// By how many frames more than its latency the camera may be late with a setting, at random.
    public var latencyJitter = 0
    /// The frames that show the one before them.
    public var frozenFrames: Range<Int> = 0..<0
    /// The frames that are lost: their numbers are missing.
    public var lostFrames: Set<Int> = []
    /// What a control is set to already is not sent to the camera, as many drivers have it.
    public var dropsUnchanged = false
    /// The frame before which the camera falls back to its defaults unnoticed by its driver.
    public var forgetsAtFrame: Int?
    /// The program that has the camera's configuration.
    public var heldBy: String?
    /// What another program sets, before a frame.
    public var intrusions: [Int: ControlValue] = [:]
    /// The factor of the light, 0…10⁶: above 4 the card clips.
    public var exposure = 1.0
    /// So many frames after the picture first showed that it is off the automatic works again,
    /// while its control reads as off; 0 is never.
    public var returnsAfter = 0
    /// From each start of the stream on the automatic works again, while its control reads as off.
    public var returnsAtStart = false
    /// The gains set by hand multiply those at which the automatic stopped.
    public var isRelative = false
    /// Exposure goes on following the card, whatever its controls read as.
    public var exposureStays = false
    /// The share of the way to new gains that the picture goes in a frame.
    public var pace = 1.0
    /// Balances read as before for so many frames after they were set.
    public var readsLate = 0
    /// Balances read as the multiple of this below them.
    public var readsInSteps = 1
    /// Of balances that are set together only the last is taken.
    public var takesLastOnly = false
    /// The balances' hardware stays so many values behind, from whichever side it comes.
    public var hysteresis = 0
    /// How far the light swings from its mean in brightness, and in red against blue, relative.
    public var flicker = (level: 0.0, color: 0.0)
    /// The frames of one swing.
    public var flickerPeriod = 7.3
    /// By what the light's red grows against its blue in each frame, relative.
    public var drift = 0.0
    /// The frame from which on another light shines.
    public var lampChange: (frame: Int, lamp: MeasuredLamp)?

    /// Nothing goes wrong.
    public init() {}

    /// Puts what happens once, before a frame, into the past.
    package mutating func endEvents() {
      (lampChange, forgetsAtFrame, vanishesAtFrame, stallsAtFrame) = (nil, nil, nil, nil)
      intrusions = [:]
    }
  }
}
