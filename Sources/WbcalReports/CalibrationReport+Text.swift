import ColorScience
import WhiteBalance

extension CalibrationReport {
  var adviceSection: String {
    let items = Advice.derived(from: calibration).map {
      "<li><strong>\(escaped($0.title))</strong> \(escaped($0.text))</li>"
    }
    let file = shellWord(heading.profile)
    let set = "wbcal set --device DEVICE --profile \(file) --temperature 5000 --tint 0"
    let convert = "wbcal convert --from xy --to gains --profile \(file) 0.3127 0.3290"
    return """
      <section>
      <h2>What to do next</h2>
      <ul class="advice">
      \(items.joined(separator: "\n"))
      </ul>
      <p>Put a white balance on the camera:</p>
      <pre><code>\(escaped(set))</code></pre>
      <p>Ask which gains a light needs:</p>
      <pre><code>\(escaped(convert))</code></pre>
      <p class="note">Tint describes the light: positive is a green light, and the picture is \
      moved towards magenta.</p>
      </section>
      """
  }

  var detailSection: String {
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
      and one for each kind that is known.</p>
      \(Self.table("matrix", head: head, [matrixRows]))
      </details>
      </section>
      <footer>
      <p>Colorimetry after CIE 015:2018, Colorimetry, 4th edition: CIE 1931 standard colorimetric \
      observer, 2°, 1 nm, 360–830 nm (data set DOI 10.25039/CIE.DS.xvudnb9b); correlated color \
      temperature in CIE 1960 u, v with c₂ = 1.4388 · 10⁻² m·K; daylight locus after §4.1.2; \
      standard illuminants as CIE publishes them.</p>
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
        // Hyphens for minus signs: these are to be copied into programs.
        let cells = (0..<3).map { Self.cell(fixed(values[$0], decimals: 6)) }.joined()
        let unit = Self.cell(fixed(model.unitCalibration.vector[index], decimals: 6), "gap")
        return Self.row("\(name), \(channel)", cells + unit)
      }
    }
  }
}
