import CameraControl
import CameraProfiles
import ColorScience
import WhiteBalance

/// The properties of an open camera that pages show.
struct StudioFacts: Sendable {
  var identity: CameraIdentity?
  var size: [Int]?
  var modes: [String] = []
  var controls: [StudioCameraRecord.Control] = []
  var exposure = StudioCameraRecord.Exposure(modes: [])
  var focus: StudioCameraRecord.Focus?

  init() {}

  init(of session: CameraSession, size: [Int]) async throws {
    let camera = session.camera
    identity = session.identity
    self.size = size
    modes = await camera.supportedWhiteBalanceModes.map(\.rawValue)
    let exposureModes = await camera.supportedExposureModes
    let ranges = await camera.exposureRanges
    // A custom exposure is chosen by its time and gain, not as a mode.
    exposure.modes = exposureModes.filter { $0 != .custom }.map(\.rawValue)
    exposure.duration = ranges.durations.map { [$0.lowerBound, $0.upperBound] }
    exposure.gain = ranges.gains.map { [$0.lowerBound, $0.upperBound] }
    if let bias = await camera.exposureBiasRange {
      exposure.compensation = [bias.lowerBound, bias.upperBound]
    } else if exposureModes.contains(.custom) {
      // Values outside the camera's range are refused later.
      exposure.compensation = [-4, 4]
    }
    controls = try await CameraSession.directControls(of: camera).map {
      .init(name: $0.id.rawValue, minimum: $0.minimum, maximum: $0.maximum, step: $0.step)
    }
    let focusModes = await camera.supportedFocusModes
    if !focusModes.isEmpty {
      focus = StudioCameraRecord.Focus(
        position: await camera.canSetLensPosition ? [0, 1] : nil, modes: focusModes.map(\.rawValue))
    }
  }
}

/// A camera, and all that a page can do with it.
struct StudioCameraRecord: JSONRecord {
  struct Picture: JSONRecord { var width, height: Int }
  struct Steps: JSONRecord { var temperature: [Double]? }
  struct Exposure: JSONRecord, Sendable {
    var duration, gain, compensation: [Double]?
    var modes: [String]
  }
  struct Focus: JSONRecord, Sendable {
    var position: [Double]?
    var modes: [String]
  }
  struct Profile: JSONRecord {
    var name, model: String
    var calibrated: Bool
    /// The camera that it was made for, if it is another one.
    var otherCamera: String?
  }
  /// A control of the white balance that can be set without a profile.
  struct Control: JSONRecord, Sendable {
    var name: String
    var minimum, maximum, step: Int
  }
  struct Light: JSONRecord {
    var name: String
    var kind: String?
  }
  struct Preset: JSONRecord {
    var name: String
    var temperature, tint: Double
    var `class`: String
  }

  var device: String
  var identity: CameraIdentity?
  var state: String
  var reason: String?
  var picture: Picture?
  var modes: [String]
  var controls: [Control]
  var reach: StudioReach?
  var steps: Steps?
  var exposure: Exposure
  var focus: Focus?
  var profile: Profile?
  var lights: [Light]
  var presets: [Preset]
  var shots: [StudioCalibration.Shot]
  var advice: [String]
  var accuracy: [StudioAdvice.Accuracy]
  var nextShot, unchecked: String?
  var region: [Int]?
  /// The name of the action that runs.
  var running: String?
  /// `true` if the settings stay when the studio ends.
  var keep: Bool
  /// `true` if there is an action to undo.
  var undo: Bool
  /// `true` if the page can show the picture as it was before the first change.
  var before: Bool
  /// The action that would be undone.
  var undoes: String?
  var neutral: StudioNeutral?
}

extension StudioCameraRecord {
  static let presets: [Preset] = LightingPreset.allCases.compactMap { preset in
    TemperatureAndTint(preset.chromaticity).map {
      Preset(
        name: preset.rawValue, temperature: $0.temperature, tint: $0.tint,
        class: preset.lightClass.rawValue)
    }
  }

  /// Returns the lights of the profile's shots, and the standard illuminants.
  static func lights(_ profile: CameraProfile?) -> [Light] {
    let shot = profile?.calibration?.shots.map(\.shot) ?? []
    var lights: [Light] = []
    for item in shot where !lights.contains(where: { $0.name == item.light.name }) {
      lights.append(Light(name: item.light.name, kind: item.knownClass?.rawValue))
    }
    for illuminant in StandardIlluminant.all
    where !lights.contains(where: { $0.name == illuminant.name }) {
      let kind = WhiteBalance.Light(illuminant).impliedClass
      lights.append(Light(name: illuminant.name, kind: kind?.rawValue))
    }
    return lights
  }
}

extension StudioCamera {
  var record: StudioCameraRecord {
    let known = session?.knownLaws
    let model = profile?.profile.model
    let (reach, steps) = reachCache.reach(known, profile)
    let advice = calibration.isEmpty ? profile?.advice ?? StudioAdvice() : calibration.advice
    let last = beforeSlide == nil ? undoes.last?.action : "set"
    return StudioCameraRecord(
      device: device.text, identity: facts.identity, state: state.rawValue, reason: reason,
      picture: facts.size.map { .init(width: $0[0], height: $0[1]) }, modes: facts.modes,
      controls: facts.controls, reach: reach, steps: steps.map { .init(temperature: $0) },
      exposure: facts.exposure,
      focus: facts.focus,
      profile: profile.map {
        .init(
          name: $0.name, model: model?.summary ?? "", calibrated: $0.profile.calibration != nil,
          otherCamera: session?.otherCamera)
      },
      lights: StudioCameraRecord.lights(profile?.profile), presets: StudioCameraRecord.presets,
      shots: calibration.shots,
      advice: advice.sentences, accuracy: advice.accuracy, nextShot: advice.next,
      unchecked: advice.unchecked,
      region: region.map { [$0.x, $0.y, $0.width, $0.height] }, running: busyWith, keep: keeps,
      undo: last != nil, before: before != nil, undoes: last, neutral: neutral)
  }
}

/// A cache of the lights that are within reach of the last laws and profile.
final class ReachCache {
  private var key: (laws: ControlLaws, profile: CameraProfile)?
  private var value: (StudioReach?, [Double]?) = (nil, nil)

  func reach(_ laws: ControlLaws?, _ profile: StudioProfile?) -> (StudioReach?, [Double]?) {
    guard let laws, let profile else { return (nil, nil) }
    if let key, key.laws == laws, key.profile == profile.profile { return value }
    key = (laws, profile.profile)
    value = (
      StudioReach(laws, profile.profile.model), StudioReach.steps(laws, profile.profile.model)
    )
    return value
  }
}
