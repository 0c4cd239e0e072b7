import ColorScience
import WhiteBalance

/// The camera's spectral sensitivities, each with the band that contains 95 % of the cameras that
/// are consistent with the shots.
struct SensitivityChart {
  let camera: SensitivityEstimate

  private static let box = Box(left: 46, top: 10, width: 500, height: 260)

  func drawn() -> SVG {
    var svg = SVG(
      width: ChromaticityDiagram.width, height: 318,
      description: "Spectral sensitivities of red, green and blue")
    let (found, band) = (camera.sensitivities, camera.sensitivityBand)
    let channels: [(name: String, SpectralDistribution, SpectralDistribution, SpectralDistribution)]
    channels = [
      ("red", found.red, band.lower.red, band.upper.red),
      ("green", found.green, band.lower.green, band.upper.green),
      ("blue", found.blue, band.lower.blue, band.upper.blue),
    ]
    let highest = channels.flatMap(\.3.values).max() ?? 1
    let frame = PlotFrame(
      box: Self.box, horizontal: .init(start: 380, end: 780),
      vertical: .init(start: 0, end: 1.15 * highest))
    svg.defineClip("sensitivity-frame", frame.box.corners)
    svg.axes(
      frame, xTicks: frame.horizontal.ticks(every: 50), yTicks: frame.vertical.roundTicks)
    func points(_ channel: SpectralDistribution) -> [Point] {
      channel.values.indices.map { index in
        frame.point(channel.firstWavelength + Double(index) * channel.step, channel.values[index])
      }
    }
    svg.group(class: "plot", clip: "sensitivity-frame") { svg in
      for (name, _, lower, upper) in channels {
        svg.path(points(lower) + points(upper).reversed(), closed: true, class: "band \(name)")
      }
      for (name, most, _, _) in channels { svg.path(points(most), class: "curve \(name)") }
    }
    svg.axisTitles(frame, x: "wavelength, nm", y: "sensitivity, maximum of green = 1")
    return svg
  }
}
