import ColorScience
import SimulatedCamera

/// A sensor's responses to white and to the colored papers under every lamp, for the camera lab.
///
/// A line for each lamp: its name, then linear red, green and blue of white and of each paper,
/// divided by the green of white, all after a tab.
func lampTable(of sensor: MeasuredSensor) -> String {
  MeasuredLamp.all.map { lamp in
    let green = sensor.response(to: lamp.spectrum).green
    let numbers = ([{ _ in 1 }] + coloredPapers).flatMap { reflectance in
      let response = sensor.response(to: lamp.spectrum, reflectance: reflectance)
      return [response.red, response.green, response.blue].map { String($0 / green) }
    }
    return ([lamp.name] + numbers).joined(separator: "\t") + "\n"
  }.joined()
}
