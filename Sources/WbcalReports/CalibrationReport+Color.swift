import CameraProfiles
import ColorScience
import WhiteBalance

extension CalibrationReport {
  /// The section on the camera's color; empty if no light's spectrum is known.
  var colorSection: String {
    guard let camera else { return "" }
    let sensitivities = Self.figure(
      SensitivityChart(camera: camera).drawn(),
      "The camera’s spectral sensitivities, estimated from the shots, and the band that contains "
        + "95\u{A0}% of the cameras that would give the same shots. A chart narrows it most.")
    let charts = camera.charts.compactMap { shot -> String? in
      guard let comparison = camera.comparison(of: shot) else { return nil }
      let drawing = PatchDrawing(
        comparison, title: "Chart under \(shot.light.name)", columns: shot.chart.columns)
      let source = shot.source.map { ", \(escaped($0))" } ?? ""
      return Self.figure(
        drawing.drawn(),
        "The chart under \(escaped(shot.light.name))\(source): outside, each patch as this camera "
          + "is expected to see it; inside, as it was shot, both developed alike. CIEDE2000 is "
          + "\(Figure.plain(comparison.mean, 2)) on average, and at most "
          + "\(Figure.plain(comparison.worst.difference, 2)) (\(escaped(comparison.worst.name))), "
          + "because of noise, dirt and uneven light.")
    }
    let head = """
      <tr><th rowspan="2" scope="col" class="text">Light</th>\
      <th colspan="2" scope="colgroup">CIEDE2000 on surfaces</th>\
      <th colspan="3" scope="colgroup">From balanced</th></tr>
      <tr><th scope="col" class="gap">mean</th><th scope="col">95\u{A0}% below</th>\
      <th scope="col" class="gap">red</th><th scope="col">green</th><th scope="col">blue</th></tr>
      """
    return """
      \(([sensitivities] + charts).joined(separator: "\n"))
      \(Self.table("colors", head: head, colorRows(camera)))
      <p class="note">The matrix for each light converts balanced camera RGB, in which white is \
      1, 1, 1, to XYZ under that light, in which white has Y = 1; “wbcal profile matrix” prints it \
      for any other light, and for RGB spaces. The color differences are those expected on typical \
      surfaces that it was not fitted to: they come from colors that the sensor does not \
      distinguish, and from the uncertainty of its sensitivities.</p>
      """.section(titled: "Color")
  }

  /// Returns three rows for each light, as a body of the table.
  private func colorRows(_ camera: SensitivityEstimate) -> [[String]] {
    let shot = (camera.cards.map(\.light) + camera.charts.map(\.light)).map { ($0.name, $0) }
    var named: Set<String> = []
    let lights = (shot + CommonLight.illuminants.map { ($0.name, $0.light) })
      .filter { named.insert($0.0).inserted }
    return lights.compactMap { name, light in
      guard let matrix = model.colorMatrix(for: light) else { return nil }
      let expected = light.spectrum.flatMap {
        camera.expectedDifference(of: RootPolynomial(matrix: matrix), under: $0)
      }
      return zip(["X", "Y", "Z"], matrix.rows).enumerated().map { index, row in
        let cells = (0..<3).map { Self.cell(fixed(row.1[$0], decimals: 4), $0 == 0 ? "gap" : nil) }
        return Self.row(
          "\(escaped(name)), \(row.0)",
          Self.cell(index == 0 ? Figure.plain(expected?.mean, 2) : "", "gap")
            + Self.cell(index == 0 ? Figure.plain(expected?.p95, 2) : "") + cells.joined())
      }
    }
  }

  /// Returns the error of gains by spectrum, over the standard illuminants of a class, as a
  /// fraction.
  func spectralErrors(_ lightClass: LightClass) -> (red: Double, blue: Double)? {
    guard let camera else { return nil }
    let found = StandardIlluminant.all.compactMap { lamp in
      Light(lamp).impliedClass == lightClass
        ? camera.gains(under: lamp.spectrum)?.covariance : nil
    }
    guard !found.isEmpty else { return nil }
    func root(_ values: [Double]) -> Double {
      (values.reduce(0, +) / Double(values.count)).squareRoot()
    }
    return (root(found.map(\.red)), root(found.map(\.blue)))
  }
}
