import CameraProfiles
import ColorScience
import WhiteBalance

/// The expected errors of a calibration, and the shot that would help most.
struct StudioAdvice: Sendable {
  /// The standard error of gains under a kind of light; 0.01 is 1 %.
  struct Accuracy: JSONRecord, Sendable {
    var `class`: String
    var error: Double
  }

  var sentences: [String] = []
  var accuracy: [Accuracy] = []
  /// The kind of light of the shot that would help most.
  var next: String?
  /// The only lamp of all shots, whose name nothing verifies.
  var unchecked: String?

  init() {}

  init(_ calibration: Calibration, through laws: ControlLaws?) {
    sentences = Calibrate.expectations(of: calibration, through: laws)
    accuracy = Calibrate.errors(of: calibration, through: laws).map {
      Accuracy(class: $0.lightClass.rawValue, error: $0.error)
    }
    next = Calibrate.bestNextShot(of: calibration).flatMap { StandardIlluminant(named: $0.light) }
      .flatMap { Light($0).impliedClass?.rawValue }
    unchecked = calibration.uncheckedLight?.name
  }
}
