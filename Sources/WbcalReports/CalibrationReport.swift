package import CameraProfiles
package import ColorScience
package import WhiteBalance

/// A calibration as one self-contained HTML page: charts, tables, advice.
///
/// Equal input gives equal bytes. The page needs no script, font or network, follows the reader's
/// choice of light or dark, and is also well-formed XML. Names from outside are escaped.
package struct CalibrationReport: Sendable {
  /// The information on the origin of the calibration.
  package struct Heading: Sendable {
    /// The camera's name, if there was a camera.
    package var device: String?
    /// The time of the calibration, as the page prints it.
    package var created: String
    /// The program's name and version.
    package var program: String
    /// The profile's file name.
    package var profile: String
    /// Additional information, such as control laws.
    package var notes: [(label: String, value: String)]

    package init(
      device: String?, created: String, program: String, profile: String,
      notes: [(label: String, value: String)] = []
    ) {
      self.device = device
      self.created = created
      self.program = program
      self.profile = profile
      self.notes = notes
    }
  }

  let heading: Heading
  let calibration: Calibration
  let model: CameraProfile.Model
  /// The camera as estimated from its shots under lights of known spectrum; `nil` if there are
  /// none.
  var camera: SensitivityEstimate? { model.sensitivityEstimate }
  let comparison: GainComparison?
  let shots: [ReportedShot]
  let laws: ControlLaws?
  let exposure: ExposureLaws?
  let transfer: TransferFunction?

  package init(
    _ calibration: Calibration, heading: Heading, comparison: GainComparison? = nil,
    laws: ControlLaws? = nil, exposure: ExposureLaws? = nil, transfer: TransferFunction? = nil
  ) {
    self.laws = laws
    self.exposure = exposure
    self.transfer = transfer
    self.heading = heading
    self.calibration = calibration
    model = .calibrated(calibration)
    self.comparison = comparison
    shots = calibration.shots.map { ReportedShot($0, model: calibration.model) }
  }

  private static let titleEnd = " – white-balance calibration"

  /// Indicates whether a file is a page of this kind, and not another file of the user.
  package static func isOne(_ page: [UInt8]) -> Bool {
    page.prefix(4096).firstRange(of: (titleEnd + "</title>").utf8) != nil
  }

  package var html: String {
    let title = heading.device ?? "Camera calibration"
    return page(
      title: title + Self.titleEnd,
      """
      <main>
      \(header(title: title))
      \(whiteSection)
      \(gainSection)
      \(neutralSection)
      \(pipelineSection)
      \(residualSection)
      \(predictionSection)
      \(errorSection)
      \(colorSection)
      \(comparisonSection)
      \(adviceSection)
      \(detailSection)
      </main>
      """)
  }

  /// The number of shots and their lights, and the least likely shot. It is doubted only because of
  /// the predictions from the other shots, since lamps of one class differ.
  var headline: String {
    let lights = Figure.list(shots.map(\.name).withoutRepetition)
    guard let first = calibration.shots.first else { return "A calibration without shots." }
    if shots.count == 1 {
      let size = Figure.plain(100 * first.residual.magnitude, 1)
      return "Fitted to one \(kind) shot under \(lights). One shot always fits – its residual is "
        + "\(size)\u{A0}% – so it shows neither how well other lights are predicted nor whether its "
        + "own is named correctly."
    }
    let worst = calibration.shots.max { ($0.surprise ?? 0) < ($1.surprise ?? 0) } ?? first
    let size = Figure.plain(100 * (worst.leaveOneOut ?? worst.residual).magnitude, 1)
    let name = worst.shot.light.name
    return "Fitted to \(shots.count) \(kind) shots under \(lights). "
      + (worst.isDoubtful
        ? "The others’ prediction for \(name) is off by \(size)\u{A0}%, more than chance explains."
        : "Each agrees with the others’ prediction, within chance; the least likely is \(name), "
          + "off by \(size)\u{A0}%.")
  }

  private var kind: String {
    calibration.charts.isEmpty
      ? "gray-card" : calibration.cards.isEmpty ? "color-chart" : "gray-card and color-chart"
  }

  private func header(title: String) -> String {
    """
    <header>
    <p class="kicker">White-balance calibration</p>
    <h1>\(escaped(title))</h1>
    <p class="headline">\(escaped(headline))</p>
    <p class="meta"><span>\(escaped(heading.created))</span> \
    <span>\(escaped(heading.profile))</span> \
    <span>\(escaped(heading.program))</span></p>
    </header>
    """
  }

  private var whiteSection: String {
    let ellipses = UncertaintyEllipse.all(of: calibration)
    let white = ChromaticityDiagram(view: .white, shots: shots, ellipses: ellipses).drawn()
    let whole = ChromaticityDiagram(view: .whole, shots: shots, ellipses: ellipses).drawn()
    return """
      <figure>
      \(white.svg.element)\
      <figcaption><p class="legend">\(Self.legend("cross", "the light as named")) \
      \(Self.legend("seen", "as the fitted camera reads it from the shot")) \
      \(Self.legend("planckian", "Planckian locus, isotherms to Duv ±0.05")) \
      \(Self.legend("daylight", "CIE daylight")) \
      \(Self.legend("ellipse", "95\u{A0}% of readings of the light"))</p>
      <p>CIE 1931 x, y. The line between cross and ring is the residual. Tint is positive above \
      the Planckian locus, towards green. An ellipse, to scale, shows the uncertainty of the gains \
      as an uncertainty of the light that the camera reads.\(Self.remark(tiny: white.tiny))\
      \(Self.remark(omitted: white.omitted))</p></figcaption>
      </figure>
      <figure class="whole">
      \(whole.svg.element)\
      <figcaption><p>The same in the whole diagram, with the Planckian locus from 1500 K; \
      wavelengths are in nanometers. Colors that the screen cannot show are paler.\
      \(Self.remark(tiny: whole.tiny))\(Self.remark(omitted: whole.omitted))</p></figcaption>
      </figure>
      """.section(titled: "Lights, and how the camera reads them")
  }

  private var gainSection: String {
    let chart = GainChart(model: calibration.model, other: comparison?.model, shots: shots).drawn()
    let other = comparison.map { " " + Self.legend("curve other", $0.name) } ?? ""
    return """
      <figure>
      \(chart.svg.element)\
      <figcaption><p class="legend">\(Self.legend("measured", "measured")) \
      \(Self.legend("predicted", "predicted for the same light"))\(other)</p>
      <p>The curves are the fitted camera along the Planckian locus. A light off the locus may \
      lie off the curves; only the distance between dot and ring is an error. The scale of gains \
      is logarithmic, that of temperatures \
      reciprocal.\(Self.remark(omitted: chart.omitted))</p></figcaption>
      </figure>
      """.section(titled: "Gains of red and blue")
  }

  private var neutralSection: String {
    let chart = NeutralLocusChart(model: calibration.model, shots: shots).drawn()
    return """
      <figure>
      \(chart.svg.element)\
      <figcaption><p class="legend">\(Self.legend("measured", "measured")) \
      \(Self.legend("planckian", "black bodies")) \
      \(Self.legend("daylight", "CIE daylight, 4000–25\u{A0}000 K")) \
      \(Self.legend("led", "phosphor LEDs LED-B1 to B5")) \
      \(Self.legend("tube", "fluorescent FL2, FL11"))</p>
      <p>Ratios of the channels before any gain: the camera’s own neutral locus. Everything but \
      the dots is predicted, each kind of light by its own \
      matrix.\(Self.remark(omitted: chart.omitted))</p>\
      </figcaption>
      </figure>
      """.section(titled: "A gray card as the camera sees it")
  }

  private var adviceSection: String {
    let items = Advice.derived(from: calibration, camera).map {
      "<li><strong>\(escaped($0.title))</strong> \(escaped($0.text))</li>"
    }
    let file = shellWord(heading.profile)
    let set = "wbcal set --device DEVICE --profile \(file) --temperature 5000 --tint 0"
    let convert = "wbcal convert --from xy --to gains --profile \(file) 0.3127 0.3290"
    return """
      <ul class="advice">
      \(items.joined(separator: "\n"))
      </ul>
      <p>Set a white balance on the camera:</p>
      <pre><code>\(escaped(set))</code></pre>
      <p>Show the gains for a light:</p>
      <pre><code>\(escaped(convert))</code></pre>
      <p class="note">Tint describes the light: a positive tint is a greenish light, and the \
      picture is corrected towards magenta.</p>
      """.section(titled: "What to do next")
  }

  private var detailSection: String {
    let notes = heading.notes.map { "<dt>\(escaped($0.label))</dt><dd>\(escaped($0.value))</dd>" }
    let list =
      notes.isEmpty
      ? "" : "<h2>Notes</h2>\n<dl>\n\(notes.joined(separator: "\n"))\n</dl>\n"
    let head = """
      <tr><th scope="col" class="text"></th><th scope="col">X</th><th scope="col">Y</th>\
      <th scope="col">Z</th><th scope="col" class="gap">unit</th></tr>
      """
    return """
      <section>
      \(list)<details>
      <summary>Camera matrices</summary>
      <p>Response = diag(unit) · matrix · XYZ, up to a scale; one matrix for lights of any kind, \
      and one for each known kind.</p>
      \(Self.table("matrix", head: head, [matrixRows]))
      </details>
      </section>
      <footer>
      <p>Colorimetry according to CIE 015:2018, Colorimetry, 4th edition: CIE 1931 standard \
      colorimetric observer, 2°, 1 nm, 360–830 nm (data set DOI 10.25039/CIE.DS.xvudnb9b); \
      correlated color temperature in CIE 1960 u, v with c₂ = 1.4388 · 10⁻² m·K; daylight locus \
      according to §4.1.2; standard illuminants as CIE publishes them.</p>
      </footer>
      """
  }

  private var matrixRows: [String] {
    let model = calibration.model
    let named =
      [("any", model.general)]
      + LightClass.allCases.compactMap { name in model.byClass[name].map { (name.rawValue, $0) } }
    return named.flatMap { name, model in
      zip(["red", "green", "blue"], model.matrix.rows).enumerated().map { index, row in
        let (channel, values) = row
        // Minus signs are hyphens, because these numbers are to be copied into programs.
        let cells = (0..<3).map { Self.cell(fixed(values[$0], decimals: 6)) }.joined()
        let unit = Self.cell(fixed(model.unitCalibration.vector[index], decimals: 6), "gap")
        return Self.row("\(name), \(channel)", cells + unit)
      }
    }
  }

  private static func remark(tiny: [String]) -> String {
    let names = escaped(Figure.list(tiny.withoutRepetition))
    return tiny.isEmpty ? "" : " The ellipses of \(names) are too small to see here."
  }

  private static func remark(omitted: [String]) -> String {
    let names = escaped(Figure.list(omitted.withoutRepetition))
    return omitted.isEmpty ? "" : " There is no room here for \(names): see the table below."
  }

  /// Returns a sample of a mark, and its meaning.
  private static func legend(_ mark: String, _ meaning: String) -> String {
    let shape =
      switch mark {
      case "cross":
        "<line class=\"cross\" x1=\"4\" y1=\"7\" x2=\"16\" y2=\"7\"/>"
          + "<line class=\"cross\" x1=\"10\" y1=\"1\" x2=\"10\" y2=\"13\"/>"
      case "seen": "<circle class=\"seen\" cx=\"10\" cy=\"7\" r=\"4\"/>"
      case "measured": "<circle class=\"measured neutral\" cx=\"10\" cy=\"7\" r=\"3.2\"/>"
      case "ellipse": "<circle class=\"ellipse\" cx=\"10\" cy=\"7\" r=\"6\"/>"
      case "led": "<circle class=\"lamp\" cx=\"10\" cy=\"7\" r=\"4\"/>"
      case "tube": "<rect class=\"lamp\" x=\"6.5\" y=\"3.5\" width=\"7\" height=\"7\"/>"
      case "predicted": "<circle class=\"predicted neutral\" cx=\"10\" cy=\"7\" r=\"5\"/>"
      default: "<line class=\"\(mark)\" x1=\"1\" y1=\"7\" x2=\"19\" y2=\"7\"/>"
      }
    return "<span><svg class=\"swatch\" viewBox=\"0 0 20 14\" aria-hidden=\"true\">\(shape)</svg>"
      + "\(escaped(meaning))</span>"
  }
}

extension String {
  /// Returns the text as the content of a section of the page.
  func section(titled title: String) -> String {
    "<section>\n<h2>\(title)</h2>\n\(self)\n</section>"
  }
}
