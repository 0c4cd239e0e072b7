@testable import CameraProfiles
import Foundation
import Synchronization
import WhiteBalance

/// The accuracy of a fit to a camera of the lab.
struct JudgedCamera {
  let name: String
  /// The errors of ln gains, and the stated errors.
  var errors: [Double] = []
  var stated: [Double] = []
  let fit: ModelFit
  /// The distance from gray at the settings of the fit minus that at the best settings, in
  /// CIEDE2000.
  var excess: [String: Double] = [:]
  let seconds: Double

  private static let known = Mutex<[String: JudgedCamera]>([:])

  /// The fit to a camera's first observations, which is made once for all tests.
  ///
  /// - Parameter lamps: The lamps, if the fit knows them.
  static func of(_ camera: LabCamera, looks: Int = 20, lamps: [Light] = []) -> JudgedCamera {
    let key = "\(camera.name) \(looks) \(lamps.map(\.name))"
    if let judged = known.withLock({ $0[key] }) { return judged }
    let judged = JudgedCamera(camera, looks: looks, lamps: lamps)
    known.withLock { $0[key] = judged }
    return judged
  }

  private init(_ camera: LabCamera, looks: Int, lamps: [Light]) {
    name = camera.name
    let start = ProcessInfo.processInfo.systemUptime
    var fit = ModelFit(camera.controls)
    for lamp in lamps { fit.addLamp(lamp) }
    fit.add(camera.looks(looks))
    seconds = ProcessInfo.processInfo.systemUptime - start
    self.fit = fit
    guard let home = fit.neutralSettings(lamp: 0) else { return }
    for (channel, settings) in zip([0, 1], camera.reachable()) {
      // Each channel is relative to the neutral setting of its own control alone.
      let controls = camera.controls.descriptions
      let control = controls[min(channel, controls.count - 1)].id
      var reference = settings[0]
      reference[control] = home[control]
      let base = camera.gains(camera.values(reference))
      let estimate = fit.logGains(at: settings, relativeTo: reference)
      for (index, setting) in settings.enumerated() {
        let truth = log(max(camera.gains(camera.values(setting))[channel], 1e-6) / base[channel])
        errors.append(estimate.values[3 * index + 2 * channel] - truth)
        stated.append(estimate.errors[3 * index + 2 * channel])
      }
    }
    judgeSettings(camera)
  }

  private mutating func judgeSettings(_ camera: LabCamera) {
    let light = LabCamera.lights
    for (lamp, name) in LabCamera.lamps.enumerated() {
      guard let settings = fit.neutralSettings(lamp: lamp) else { continue }
      excess[name] =
        camera.distance(name, camera.values(settings)) - camera.leastDistance(name)
    }
    let ratios = (0..<2).map { lamp in
      (lamp, SIMD3((0..<3).map { light["D50"]![$0] / light[LabCamera.lamps[lamp]]![$0] }))
    }
    let third = fit.neutralSettings(
      lightBesideLamps: Dictionary(ratios, uniquingKeysWith: { $1 }))
    guard let third else { return }
    excess["D50"] = camera.distance("D50", camera.values(third)) - camera.leastDistance("D50")
  }

  private static func meanSquareRoot(_ numbers: [Double]) -> Double {
    (numbers.reduce(0) { $0 + $1 * $1 } / Double(max(numbers.count, 1))).squareRoot()
  }
  var rms: Double { Self.meanSquareRoot(errors) }
  var statedRMS: Double { Self.meanSquareRoot(stated) }
  var coverage: Double {
    Double(zip(errors, stated).filter { abs($0) < 1.96 * $1 + 1e-4 }.count)
      / Double(max(errors.count, 1))
  }

  var row: String {
    let percent = { (x: Double) in String(format: "%.2f", 100 * x) }
    let traits = fit.family?.traits.map { "\($0)" }.sorted().joined(separator: "+") ?? ""
    let family = fit.family.map { "\($0.law)/\($0.mixing) \(traits)" } ?? "none"
    let off = ["A", "D65", "D50"].map { String(format: "%.2f", excess[$0] ?? -1) }
    return "\(name) \(family) floor \(String(format: "%.3f", fit.floor)) rms \(percent(rms)) stated"
      + " \(percent(statedRMS)) within \(percent(coverage)) excess \(off.joined(separator: " "))"
      + " in \(String(format: "%.3f", seconds)) s"
  }
}
