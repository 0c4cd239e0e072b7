package import CameraProfiles
import ColorScience
package import WhiteBalance

/// The differences between another camera's gains and those of a calibrated one, over common
/// lights.
package struct GainComparison: Sendable {
  struct Row: Sendable {
    let light: String
    /// The relative differences of the other camera's gains at equal green: 0.01 is 1 % larger.
    let gains: (red: Double, blue: Double)?
    /// The light that the calibrated camera reads from the other camera's gains, minus the light
    /// that it reads from its own.
    let lightError: CorrelatedColorTemperature?
  }

  let name: String
  let model: CameraProfile.Model
  let illuminants: [Row]
  let blackBodies: [Row]

  /// Creates a comparison with another camera; `nil` if there is no light at which both have gains.
  package init?(
    of calibration: Calibration, with model: CameraProfile.Model, named name: String
  ) {
    let own = CameraProfile.Model.calibrated(calibration)
    func row(_ light: CommonLight) -> Row {
      guard let own = own.gains(for: light.light, lightClass: light.lightClass),
        let other = model.gains(for: light.light, lightClass: light.lightClass)
      else { return Row(light: light.name, gains: nil, lightError: nil) }
      let seen = [other, own].map { gains in
        calibration.chromaticity(for: gains, lightClass: light.lightClass)
          .flatMap { CorrelatedColorTemperature($0) }
      }
      let (a, b) = (other.relativeToGreen, own.relativeToGreen)
      return Row(
        light: light.name, gains: (a.red / b.red - 1, a.blue / b.blue - 1),
        lightError: seen[0].flatMap { other in
          seen[1].map {
            CorrelatedColorTemperature(mired: other.mired - $0.mired, duv: other.duv - $0.duv)
          }
        })
    }
    illuminants = CommonLight.illuminants.map(row)
    blackBodies = CommonLight.blackBodies.map(row)
    guard (illuminants + blackBodies).contains(where: { $0.gains != nil }) else { return nil }
    self.name = name
    self.model = model
  }

  /// The largest absolute difference of a gain.
  var largest: Double {
    (illuminants + blackBodies).compactMap(\.gains).map { max(abs($0.red), abs($0.blue)) }.max()
      ?? .nan
  }
}
