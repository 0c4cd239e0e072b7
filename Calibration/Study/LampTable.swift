import ColorScience
import SimulatedScenes

/// A sensor's responses to white, to the colored papers and to a chart under every lamp, for the
/// camera lab.
///
/// A line for each lamp: its name, then linear red, green and blue of white, of each paper, of each
/// patch of the ColorChecker Classic and of its board, divided by the green of white, all after a
/// tab.
func lampTable(of sensor: MeasuredSensor) -> String {
  MeasuredLamp.all.map { lamp in
    let green = sensor.response(to: lamp.spectrum).green
    let surfaces = ([{ _ in 1 }] + coloredPapers).map {
      sensor.response(to: lamp.spectrum, reflectance: $0)
    }
    let patches = sensor.responses(to: .classicFrom2014, under: lamp.spectrum)
    let board = sensor.response(to: lamp.spectrum) { _ in 0.04 }
    let numbers = (surfaces + patches + [board]).flatMap { response in
      [response.red, response.green, response.blue].map { String($0 / green) }
    }
    return ([lamp.name] + numbers).joined(separator: "\t") + "\n"
  }.joined()
}
