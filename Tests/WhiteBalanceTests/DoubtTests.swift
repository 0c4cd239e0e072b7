import ColorScience
import Testing

@testable import WhiteBalance

struct DoubtTests {
  /// A shot is doubtful if it is more than 6 standard deviations away from the prediction of the
  /// others.
  @Test(arguments: [(5.95, false), (6.05, true), (nil, false)])
  func sixStandardDeviations(surprise: Double?, isDoubtful: Bool) throws {
    let shot = try CalibrationShot(
      light: Light(named: "A"), response: LinearRGB(red: 1, green: 1, blue: 1))
    let none = Calibration.Residual(red: 0, blue: 0)
    let fitted = Calibration.FittedShot(
      shot: shot, residual: none, leaveOneOut: none, surprise: surprise)
    #expect(fitted.isDoubtful == isDoubtful)
  }
}
