import ColorScience

@testable import CameraProfiles

/// A calibration of a random camera under lamps, with the observations that a planner requests.
struct CalibrationRun {
  var camera: RandomCamera
  private(set) var plan: LearnCamera
  var fit: ModelFit { plan.fit }

  /// - Parameter lasts: For each lamp, `true` if no further lamp is expected.
  init(_ camera: RandomCamera, lasts: [Bool] = [false, true]) {
    self.camera = camera
    plan = LearnCamera(camera.controls)
    for (lamp, isLast) in lasts.enumerated() {
      let start = plan.fit.neutralSettings(lamp: 0) ?? camera.controls.reference
      plan.begin(
        lamp: lamp, at: start, endingAt: start, exposures: [0.3, 0.55, 1, 1.3], isLast: isLast)
      while let looks = plan.next() {
        plan.add(
          looks.map { self.camera.look($0.settings, lamp: lamp, exposure: $0.exposure) })
      }
    }
  }

  /// Returns the errors of ln gains, and the stated errors, relative to the first neutral of the
  /// fit. The settings are those between the lamps' neutrals and 0.25 beyond, within the range of
  /// the observations.
  func judged() -> (rms: Double, stated: Double, coverage: Double) {
    guard let home = fit.neutralSettings(lamp: 0) else { return (.infinity, .infinity, 0) }
    var settings: [[ControlID: Int]] = []
    var channels: [Int] = []
    for (index, control) in camera.controls.descriptions.enumerated() {
      let wanted = (0..<2).map { index == 0 ? camera.neutral($0).red : camera.neutral($0).blue }
      let values = fit.observations.compactMap { $0.settings[control.id] }
      let looked = (values.min() ?? 0)...(values.max() ?? 0)
      let inside = (0...256).map { control.value(atShare: Double($0) / 256) }.filter {
        let gain = logarithm(max(camera.gain($0), 1e-6))
        return looked.contains($0) && gain > wanted.min()! - 0.25 && gain < wanted.max()! + 0.25
      }
      for step in 0..<9 where !inside.isEmpty {
        var setting = home
        setting[control.id] = inside[step * (inside.count - 1) / 8]
        settings.append(setting)
        channels.append(index)
      }
    }
    let estimate = fit.logGains(at: settings, relativeTo: home)
    let origin = camera.logGains(home)
    var (errors, stated, inside) = (0.0, 0.0, 0.0)
    for (index, setting) in settings.enumerated() {
      let gains = camera.logGains(setting)
      let truth = channels[index] == 0 ? gains.red - origin.red : gains.blue - origin.blue
      let place = 3 * index + 2 * channels[index]
      let error = estimate.values[place] - truth
      errors += error * error
      stated += estimate.errors[place] * estimate.errors[place]
      if abs(error) < 1.96 * estimate.errors[place] + 1e-4 { inside += 1 }
    }
    let count = Double(settings.count)
    return ((errors / count).squareRoot(), (stated / count).squareRoot(), inside / count)
  }
}
