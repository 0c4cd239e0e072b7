import CameraControl
import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

extension Convert {
  /// Converts the lights of `--light`: those that were shot to the gains of their own shots, others
  /// by their spectrum, or by their chromaticity and class.
  func convertLights(with converter: Converter) throws {
    let lights = try light.map {
      try converter.profile?.light(argument: $0) ?? Light(argument: $0, folder: nil)
    }
    var failed = false
    let columns = to.columns(withErrors: uncertainty)
    try StandardOutput.line(columns.joined(separator: ","))
    for light in lights {
      var converter = converter
      converter.lightClass = lightClass ?? light.impliedClass
      var row: [Double]
      let lamp = converter.profile?.model.lampGains(for: light, lightClass: converter.lightClass)
      if to == .gains, let lamp {
        func numbers(_ off: SIMD2<Double>) -> [Double] {
          let moved = Gains(lamp.gains.vector * SIMD3(exp(off.x), 1, exp(off.y))).normalized()
          return [moved.red, moved.green, moved.blue]
        }
        row = numbers(.zero)
        if uncertainty { row += lamp.covariance.standardErrors(of: numbers) ?? [] }
      } else {
        let xy = [light.chromaticity.x, light.chromaticity.y]
        do throws(Converter.RowError) {
          row = try converter.convert(xy.map { Substring("\($0)") }, withErrors: uncertainty).row
        } catch {
          failed = true
          try StandardOutput.line(String(repeating: ",", count: columns.count - 1))
          complain("\(light.name): \(error)")
          continue
        }
      }
      try StandardOutput.line(row.map(\.description).joined(separator: ","))
    }
    if failed { throw ExitCode.badData }
  }
}
