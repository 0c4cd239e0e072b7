import CameraControl
import CameraProfiles
import WhiteBalance

/// The white balance that was applied to a camera, as JSON.
struct AppliedRecord: JSONRecord {
  /// The camera as the user named it, if there are several.
  var device: String?
  var gains, gainsGreenOne: Gains?
  /// The relative standard errors of the gains.
  var standardError: EstimateRecord.StandardError?
  var light: LightRecord?
  var controls: [String: Int]?
  var remainder: Gains?
  var brightness: Double?
  /// The CIEDE2000 effect of the residual gains on a gray card.
  var ciede2000: Double?
  /// The expected CIEDE2000 difference from neutral of a gray card under the light, with all
  /// uncertainties.
  var expectedCiede2000: Double?
  /// The lamp of the calibration's shots, whose name determines the result; nothing verifies it.
  var assumedLight: String?
  var firstFrame: Int?
  var timestamp: Double?
  var otherCamera: String?
  /// The persistence of the setting.
  var lostAtStart, relativeToAutomatic: Bool?
  /// The largest expected CIEDE2000 difference between any two cameras.
  var mutual: Double?

  init(
    _ applied: AppliedWhiteBalance, light: LightReading? = nil, residual: Neutrality?,
    expected: ExpectedCard? = nil, assumed: Light? = nil, otherCamera: String? = nil
  ) {
    (gains, gainsGreenOne) = (applied.gains, applied.gains?.greenOne)
    standardError = (applied.covariance?.standardErrors).map {
      EstimateRecord.StandardError(red: $0.red, blue: $0.blue)
    }
    self.light = LightRecord(light)
    controls = applied.values.byName
    (remainder, brightness) = (applied.residualGains, applied.brightness)
    (ciede2000, expectedCiede2000) = (residual?.ciede2000, expected?.differenceFromNeutral)
    assumedLight = assumed?.name
    firstFrame = applied.firstFrame?.sequence
    timestamp = applied.firstFrame.map { $0.timestamp / .seconds(1) }
    self.otherCamera = otherCamera
    (lostAtStart, relativeToAutomatic) = (
      applied.persistence?.isLostOnStreamStart, applied.persistence?.baseline.isRelative
    )
  }
}
