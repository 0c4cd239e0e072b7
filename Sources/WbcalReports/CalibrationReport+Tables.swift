import CameraProfiles
import ColorScience
import WhiteBalance

extension CalibrationReport {
  var residualSection: String {
    let head = """
      <tr><th rowspan="2" scope="col" class="text">Light</th>\
      <th colspan="4" scope="colgroup">Light as named</th>\
      <th colspan="4" scope="colgroup">Gain of red</th>\
      <th colspan="4" scope="colgroup">Gain of blue</th>\
      <th rowspan="2" scope="col" class="gap">Read back<br />Δ mired</th></tr>
      <tr><th scope="col" class="gap">x</th><th scope="col">y</th><th scope="col">K</th>\
      <th scope="col">tint</th>\
      <th scope="col" class="gap">meas.</th><th scope="col">pred.</th><th scope="col">resid. %</th>\
      <th scope="col">left out</th><th scope="col" class="gap">meas.</th><th scope="col">pred.</th>\
      <th scope="col">resid. %</th><th scope="col">left out</th></tr>
      """
    return """
      \(Self.table("residuals", isNarrow: false, head: head, [shots.map(residualRow)]))
      <p class="note">Gains are relative to green. A residual is 100 · ln(measured ÷ predicted), \
      and “left out” the same for the prediction from all other shots. One matrix is fitted to all \
      lights of a class: lamps of one class differ, so a residual is not an error of the shot, and \
      “wbcal set --light” uses the measured gains of a lamp that was shot. Only the prediction \
      from other shots can cast doubt on a shot. Δ mired: \
      by how much the camera reads the light too warm. Tint is 3000 · Duv, positive \
      for a greenish light; a picture corrected for it moves towards magenta.\(parenthesesNote)</p>
      """.section(titled: "Residuals")
  }

  private var parenthesesNote: String {
    let isFar = shots.contains { abs($0.temperature?.duv ?? 0) > 0.05 }
    return isFar
      ? " Temperatures in parentheses belong to lights beyond |Duv| 0.05, where CIE does not call "
        + "them correlated." : ""
  }

  private func residualRow(_ shot: ReportedShot) -> String {
    let c = shot.shot.light.chromaticity
    let details = [
      shot.fitted.isDoubtful ? "doubtful, check its light" : nil, shot.shot.lightClass?.rawValue,
      shot.shot.source,
    ].compactMap(\.self)
    let small = details.isEmpty ? "" : "<small>\(escaped(details.joined(separator: " · ")))</small>"
    let row =
      Self.cell(Figure.plain(c.x, 4), "gap") + Self.cell(Figure.plain(c.y, 4))
      + Self.cell(Figure.temperature(shot.temperature)) + Self.cell(Figure.tint(shot.temperature))
      + Self.cell(Figure.plain(shot.measured.red, 4), "gap")
      + Self.cell(Figure.plain(shot.predicted?.red, 4))
      + Self.cell(Figure.percent(shot.fitted.residual.red))
      + Self.cell(Figure.percent(shot.fitted.leaveOneOut?.red), "key")
      + Self.cell(Figure.plain(shot.measured.blue, 4), "gap")
      + Self.cell(Figure.plain(shot.predicted?.blue, 4))
      + Self.cell(Figure.percent(shot.fitted.residual.blue))
      + Self.cell(Figure.percent(shot.fitted.leaveOneOut?.blue), "key")
      + Self.cell(Figure.signed(shot.miredError, 1), "gap")
    return Self.row(escaped(shot.name) + small, row)
  }

  var predictionSection: String {
    let head = """
      <tr><th scope="col" class="text">Light</th><th scope="col">K</th><th scope="col">tint</th>\
      <th scope="col" class="gap">red</th><th scope="col">green</th><th scope="col">blue</th>\
      <th scope="col" class="gap">± red</th><th scope="col">± blue</th></tr>
      """
    let bodies = [CommonLight.illuminants, CommonLight.blackBodies].map { $0.map(predictionRow) }
    return """
      \(Self.table("predictions", head: head, bodies))
      <p class="note">Gains as “wbcal set --light” sets them, the smallest 1, with their standard \
      errors: from the light’s own shots, or else from its spectrum. The first rows are CIE \
      standard illuminants (A is incandescent light, D daylight, FL fluorescent tubes), the \
      others black bodies. Daylight has a tint near +10: it is greener than a black body of the \
      same temperature.</p>
      """.section(titled: "Gains for common lights")
  }

  private func predictionRow(_ light: CommonLight) -> String {
    let temperature = CorrelatedColorTemperature(light.light.chromaticity)
    let gains = model.gains(for: light.light, lightClass: light.lightClass)
    let row =
      Self.cell(Figure.temperature(temperature)) + Self.cell(Figure.tint(temperature))
      + Self.cell(Figure.plain(gains?.red, 4), "gap") + Self.cell(Figure.plain(gains?.green, 4))
      + Self.cell(Figure.plain(gains?.blue, 4))
    let covariance =
      model.lampGains(for: light.light, lightClass: light.lightClass)?.covariance
      ?? calibration.uncertainty.covariance(
        at: light.light.chromaticity, lightClass: light.lightClass)
    return Self.row(escaped(light.name), row + Self.errorCells(covariance?.standardErrors))
  }

  /// Returns the cells of the standard errors of the red and the blue gain, in percent.
  private static func errorCells(_ errors: (red: Double, blue: Double)?) -> String {
    func error(_ value: Double?) -> String { value.map { "\(Figure.plain(100 * $0, 1)) %" } ?? "–" }
    return cell(error(errors?.red), "gap") + cell(error(errors?.blue))
  }

  var errorSection: String {
    let rows = LightClass.allCases.compactMap { lightClass -> String? in
      let name =
        switch lightClass {
        case .thermal: "2856K"
        case .daylight: "D65"
        case .led, .fluorescent, .other: "4000K"
        }
      guard let light = try? Light(named: name).chromaticity else { return nil }
      let errors = [lightClass, nil].map {
        calibration.uncertainty.covariance(at: light, lightClass: $0)?.standardErrors
      }
      return Self.row(
        lightClass.rawValue,
        Self.cell(name)
          + ([spectralErrors(lightClass)] + errors).map(Self.errorCells).joined())
    }
    let groups = ["Spectrum is known", "Class is known", "Class is unknown"]
    let head = """
      <tr><th rowspan="2" scope="col" class="text">Light</th><th rowspan="2" scope="col">at</th>\
      \(groups.map { "<th colspan=\"2\" scope=\"colgroup\">\($0)</th>" }.joined())</tr>
      <tr>\(groups.map { _ in
        "<th scope=\"col\" class=\"gap\">± red</th><th scope=\"col\">± blue</th>"
      }.joined())</tr>
      """
    return """
      \(Self.table("errors", head: head, [rows]))
      <p class="note">Standard errors of predicted gains: for lamps whose spectrum is known, over \
      the standard illuminants of the class; over real lamps of the class if only that is known; \
      and over lamps of every kind if the class is unknown. 95\u{A0}% of gains lie within twice \
      the standard error.</p>
      """.section(titled: "Errors to expect")
  }

  var comparisonSection: String {
    guard let comparison else { return "" }
    func row(_ row: GainComparison.Row) -> String {
      Self.row(
        escaped(row.light),
        Self.cell(Figure.percent(row.gains?.red), "gap")
          + Self.cell(Figure.percent(row.gains?.blue))
          + Self.cell(Figure.signed(row.lightError?.mired, 1), "gap")
          + Self.cell(Figure.tint(row.lightError)))
    }
    let head = """
      <tr><th scope="col" class="text">Light</th><th scope="col" class="gap">red %</th>\
      <th scope="col">blue %</th><th scope="col" class="gap">Δ mired</th>\
      <th scope="col">Δ tint</th></tr>
      """
    let bodies = [comparison.illuminants, comparison.blackBodies].map { $0.map(row) }
    return """
      \(Self.table("comparison", head: head, bodies))
      <p class="note">The gains of \(escaped(comparison.name)) relative to this camera’s, with \
      equal green; they differ by \(Figure.plain(100 * comparison.largest, 2))\u{A0}% at most. \
      Δ mired and Δ tint: by how much the light for which this camera would use these gains is \
      warmer and greener. A dash: one of the cameras has no gains there.</p>
      """.section(titled: "Compared with \(escaped(comparison.name))")
  }

  /// Returns a table that scrolls sideways if the page is too narrow for it.
  static func table(
    _ id: String, isNarrow: Bool = true, head: String, _ bodies: [[String]]
  ) -> String {
    let bodies = bodies.map { "<tbody>\n\($0.joined(separator: "\n"))\n</tbody>" }
    return """
      <div class="scroll" tabindex="0">
      <table id="\(id)"\(isNarrow ? " class=\"narrow\"" : "")>
      <thead>
      \(head)
      </thead>
      \(bodies.joined(separator: "\n"))
      </table>
      </div>
      """
  }

  static func row(_ header: String, _ cells: String) -> String {
    "<tr><th scope=\"row\" class=\"text\">\(header)</th>\(cells)</tr>"
  }

  static func cell(_ text: String, _ name: String? = nil) -> String {
    "<td\(name.map { " class=\"\($0)\"" } ?? "")>\(escaped(text))</td>"
  }
}
