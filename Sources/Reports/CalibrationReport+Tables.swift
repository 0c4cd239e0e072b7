import ColorScience
import WhiteBalance

extension CalibrationReport {
  var residualSection: String {
    """
    <section>
    <h2>Residuals</h2>
    <div class="scroll">
    <table id="residuals">
    <thead>
    <tr><th rowspan="2" scope="col" class="text">Light</th><th colspan="4" scope="colgroup">Light as named</th>\
    <th colspan="3" scope="colgroup">Gain of red</th><th colspan="3" scope="colgroup">Gain of blue</th>\
    <th rowspan="2" scope="col" class="gap">Read back<br />Δ mired</th></tr>
    <tr><th scope="col" class="gap">x</th><th scope="col">y</th><th scope="col">K</th><th scope="col">tint</th>\
    <th scope="col" class="gap">meas.</th><th scope="col">pred.</th><th scope="col">resid. %</th>\
    <th scope="col" class="gap">meas.</th><th scope="col">pred.</th><th scope="col">resid. %</th></tr>
    </thead>
    <tbody>
    \(shots.map(residualRow).joined(separator: "\n"))
    </tbody>
    </table>
    </div>
    <p class="note">Gains are relative to green. A residual is 100 · ln(measured ÷ predicted). Δ mired: \
    by how much the camera reads the light too warm. Tint is 3000 · Duv, positive \
    for a greenish light; a picture corrected for it moves towards magenta.\(parenthesesNote)</p>
    </section>
    """
  }

  private var parenthesesNote: String {
    let isFar = shots.contains { abs($0.temperature?.duv ?? 0) > 0.05 }
    return isFar
      ? " Temperatures in parentheses belong to lights beyond |Duv| 0.05, where CIE does not call "
        + "them correlated." : ""
  }

  private func residualRow(_ shot: ReportedShot) -> String {
    let c = shot.shot.light.chromaticity
    let details = [shot.shot.lightClass?.rawValue, shot.shot.source].compactMap { $0 }
    let small =
      details.isEmpty ? "" : "<small>\(escaped(details.joined(separator: " · ")))</small>"
    let row =
      Self.cell(Figure.plain(c.x, 4), "gap") + Self.cell(Figure.plain(c.y, 4))
      + Self.cell(Figure.temperature(shot.temperature)) + Self.cell(Figure.tint(shot.temperature))
      + Self.cell(Figure.plain(shot.measured.red, 4), "gap")
      + Self.cell(shot.predicted.map { Figure.plain($0.red, 4) } ?? "–")
      + Self.cell(Figure.percent(shot.residual.red), "key")
      + Self.cell(Figure.plain(shot.measured.blue, 4), "gap")
      + Self.cell(shot.predicted.map { Figure.plain($0.blue, 4) } ?? "–")
      + Self.cell(Figure.percent(shot.residual.blue), "key")
      + Self.cell(shot.miredError.map { Figure.signed($0, 1) } ?? "–", "gap")
    return "<tr><th scope=\"row\" class=\"text\">\(escaped(shot.name))\(small)</th>\(row)</tr>"
  }

  var predictionSection: String {
    let illuminants = ["A", "D50", "D55", "D65", "D75", "LED-B1", "LED-B3", "FL2", "FL11"]
      .compactMap { name in
        (try? Light(named: name)).map {
          predictionRow(name, $0.chromaticity, $0.impliedClass ?? .other)
        }
      }
    let planckian = [2000.0, 2700, 3200, 4000, 5000, 5600, 6500, 7500, 10_000].map { kelvin in
      predictionRow(
        "\(Figure.plain(kelvin, 0)) K",
        Chromaticity(TemperatureAndTint(temperature: kelvin, tint: 0)), .thermal)
    }
    return """
      <section>
      <h2>Gains for common lights</h2>
      <div class="scroll">
      <table id="predictions" class="narrow">
      <thead>
      <tr><th scope="col" class="text">Light</th><th scope="col">K</th><th scope="col">tint</th>\
      <th scope="col" class="gap">red</th><th scope="col">green</th><th scope="col">blue</th>\
      <th scope="col" class="gap">± red</th><th scope="col">± blue</th></tr>
      </thead>
      <tbody>
      \(illuminants.joined(separator: "\n"))
      </tbody>
      <tbody>
      \(planckian.joined(separator: "\n"))
      </tbody>
      </table>
      </div>
      <p class="note">As the fitted camera predicts them, the smallest gain 1, each with its standard \
      error. The first rows are CIE standard illuminants (A is incandescent light, D daylight, FL tubes), \
      the others black bodies. Daylight \
      has a tint near +10: it is greener than a black body of its temperature.</p>
      </section>
      """
  }

  private func predictionRow(
    _ label: String, _ light: Chromaticity, _ lightClass: LightClass
  ) -> String {
    let temperature = CorrelatedColorTemperature(light)
    let gains = calibration.model.gains(for: light, lightClass: lightClass)
    let errors = calibration.uncertainty.covariance(at: light, lightClass: lightClass)?
      .standardErrors
    func error(_ channel: KeyPath<(red: Double, blue: Double), Double>) -> String {
      errors.map { "\(Figure.plain(100 * $0[keyPath: channel], 1)) %" } ?? "–"
    }
    func gain(_ value: Double?) -> String { value.map { Figure.plain($0, 4) } ?? "–" }
    let row =
      Self.cell(Figure.temperature(temperature)) + Self.cell(Figure.tint(temperature))
      + Self.cell(gain(gains?.red), "gap") + Self.cell(gain(gains?.green))
      + Self.cell(gain(gains?.blue)) + Self.cell(error(\.red), "gap") + Self.cell(error(\.blue))
    return "<tr><th scope=\"row\" class=\"text\">\(escaped(label))</th>\(row)</tr>"
  }

  static func cell(_ text: String, _ name: String? = nil) -> String {
    "<td\(name.map { " class=\"\($0)\"" } ?? "")>\(escaped(text))</td>"
  }
}
