public import CameraControl
public import CameraProfiles
public import ColorScience
public import SimulatedScenes
public import WhiteBalance

extension SimulatedCamera {
  /// The properties of a simulated camera and of its scene.
  public struct Configuration: Sendable {
    /// The sensor.
    public var sensor: MeasuredSensor
    /// The lamp that lights the scene.
    public var lamp: MeasuredLamp
    /// The seed of the unit's deviation from its model, its hot pixels and its noise.
    public var seed: UInt64
    /// The numbers of pixels in a row and of rows, at least 16 each.
    public var size: (width: Int, height: Int)
    /// The latency of settings, in frames.
    public var latency = 2
    /// The number of frames that are computed and then repeated regardless of settings, at no cost;
    /// 0 computes every frame.
    public var replayedFrames = 0
    /// The frame rate according to the timestamps, in frames per second, more than 0.
    public var frameRate = 30.0
    /// The sensitivity as an ISO number, more than 0: a white pixel has 20 000 electrons at 100.
    public var iso = 100.0
    /// A flickering lamp and the shutter by which the rows see it; `nil` is steady light. If the
    /// exposure time is a control, it replaces the shutter's exposure.
    public var shutter: SimulatedShutter?
    /// The time that a frame takes; by default frames are delivered as fast as they are computed.
    public var frameInterval = Duration.zero
    /// The white-balance controls, and the effect of their values.
    public var balance = SimulatedBalance.balances
    /// The exposure controls; without them the exposure is always correct.
    public var exposure: SimulatedExposure?
    /// The pixels of the frames: `bgra8`, or a color filter array of 8…16 bits that are not packed.
    /// Its codes are linear, its black level is a 16th of their range, and it has neither a
    /// pipeline nor hot pixels.
    public var format = PixelFormat.bgra8
    /// The picture's transfer function. The frames always state sRGB, as drivers do.
    public var transfer = TransferFunction.sRGB
    /// The processing between the gains and the picture.
    public var pipeline = SimulatedPipeline.ideal
    /// The target in the scene.
    public var target = SimulatedTarget.card
    /// The texture of the card and the papers.
    public var texture = SimulatedTexture.none
    /// The lens with its motor; without one the picture is sharp.
    public var lens: SimulatedLens?
    /// Additional controls, which do not affect the picture.
    public var otherControls: [ControlDescription] = []
    /// The settings that the picture shows from the first frame on; all other controls have their
    /// defaults.
    public var settings: [ControlValue] = []
    /// The faults of the camera.
    public var faults = Faults()

    /// The camera's identity: driver `simulated`, the name of the sensor, and an identifier that
    /// contains the seed and the names of a balance and a pipeline that are not the default ones.
    public var identity: CameraIdentity {
      var parts = ["simulated", sensor.name, String(seed)]
      if balance.name != SimulatedBalance.balances.name { parts.append(balance.name) }
      if pipeline.name != SimulatedPipeline.ideal.name { parts.append(pipeline.name) }
      return CameraIdentity(
        driver: "simulated", name: "simulated \(sensor.name)", id: parts.joined(separator: "-"))
    }

    /// Creates a configuration, with 320×240 pixels by default.
    public init(
      sensor: MeasuredSensor, lamp: MeasuredLamp, seed: UInt64 = 1,
      size: (width: Int, height: Int) = (320, 240)
    ) {
      self.sensor = sensor
      self.lamp = lamp
      self.seed = seed
      self.size = size
    }

    /// The layout of the frames.
    var layout: FrameLayout {
      get throws(FrameError) {
        let (width, height) = size
        guard case .bayer = format.arrangement, case .unsigned(let bits) = format.sample else {
          precondition(format == .bgra8, "the format must be `bgra8` or a color filter array")
          return try FrameLayout(width: width, height: height, format: format, transfer: .sRGB)
        }
        return try FrameLayout(
          width: width, height: height, format: format,
          blackLevel: Double(SimulatedScene.blackLevel(bits: bits)))
      }
    }

    /// The setup of the scene in the picture.
    var scene: SimulatedScene.Setup {
      var scene = SimulatedScene.Setup(sensor: sensor, lamp: lamp, seed: seed, size: size)
      (scene.iso, scene.exposure, scene.hasLens) = (iso, faults.exposure, lens != nil)
      (scene.format, scene.transfer, scene.pipeline) = (format, transfer, pipeline)
      (scene.target, scene.texture) = (target, texture)
      return scene
    }
  }

  /// The faults of a simulated camera, for tests of their consequences.
  public struct Faults: Sendable {
    /// The frame at which the camera vanishes.
    public var vanishesAtFrame: Int?
    /// Settings are reported as made, but never reach the picture.
    public var ignoresSettings = false
    /// The reported values of the balances are too large by one.
    public var misreports = false
    /// Balances are refused while an automatic mode is on, as by one widespread driver.
    public var refusesWhileAutomatic = false
    /// The largest error of timestamps, as a fraction of the frame interval, uniformly distributed.
    public var timestampJitter = 0.0
    /// The refusals with which the next settings of a control are answered, in order.
    public var refusals: [ControlID: [ControlRefusal]] = [:]
    /// Balances are silently rounded down to multiples of this number.
    public var roundsTo = 1
    /// The first frame that is not delivered; none follows.
    public var stallsAtFrame: Int?
    /// The largest random delay of a setting beyond the latency, in frames.
    public var latencyJitter = 0
    /// The frames that repeat the one before them.
    public var frozenFrames: Range<Int> = 0..<0
    /// The frames that are lost; their numbers are missing.
    public var lostFrames: Set<Int> = []
    /// A value that equals the control's current one is not sent to the camera, as in many drivers.
    public var dropsUnchanged = false
    /// The frame before which the camera reverts to its defaults without its driver's notice.
    public var forgetsAtFrame: Int?
    /// The program that holds the camera's configuration.
    public var heldBy: String?
    /// The settings that another program makes, by the frame before which it makes them.
    public var intrusions: [Int: ControlValue] = [:]
    /// The factor of the exposure, 0…10⁶: above 4 the card clips.
    public var exposure = 1.0
    /// The number of frames after which the automatic works again, counted from the first picture
    /// with it off, while its control still reads as off; 0 is never.
    public var returnsAfter = 0
    /// The automatic works again from each start of the stream on, while its control still reads as
    /// off.
    public var returnsAtStart = false
    /// Manual gains multiply those at which the automatic stopped.
    public var isRelative = false
    /// The exposure continues to follow the card, regardless of its controls.
    public var exposureStays = false
    /// The fraction of the remaining distance to new gains by which the picture moves in each
    /// frame.
    public var settlingRate = 1.0
    /// The number of frames for which balances still read as before after they were set.
    public var readsLate = 0
    /// The readings of balances are rounded down to multiples of this number.
    public var readsInSteps = 1
    /// Of balances that are set together only the last is set.
    public var takesLastOnly = false
    /// The hysteresis of the balances' hardware: the largest distance, in values, by which it stays
    /// behind a setting, from either direction.
    public var hysteresis = 0
    /// The relative amplitude of the variation of the lamp in brightness, and in red against blue.
    public var flicker = (level: 0.0, color: 0.0)
    /// The period of this variation, in frames.
    public var flickerPeriod = 7.3
    /// The relative growth of the lamp's red, and the decrease of its blue, in each frame.
    public var drift = 0.0
    /// The frame before which the lamp is changed, and the new lamp.
    public var lampChange: (frame: Int, lamp: MeasuredLamp)?

    /// Creates a camera without faults.
    public init() {}

    /// Removes all events that happen once, before a certain frame.
    package mutating func endEvents() {
      (lampChange, forgetsAtFrame, vanishesAtFrame, stallsAtFrame) = (nil, nil, nil, nil)
      intrusions = [:]
    }
  }
}
