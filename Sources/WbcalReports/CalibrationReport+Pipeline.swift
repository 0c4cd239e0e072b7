import CameraProfiles
import ColorScience

extension CalibrationReport {
  /// The section on the processing between the sensor and the picture, as far as it is known.
  var pipelineSection: String {
    guard let laws else { return "" }
    var figures = [
      Self.figure(
        ControlLawChart(laws: laws).drawn(),
        "What the numbers of the controls mean, relative to the gains at their reference: the law, "
          + (laws.errors == nil
            ? "and dots for what the picture showed; below, how far the one is from the other. "
            : "and a band where the gains are with a probability of 95\u{A0}%. ") + fit
      )
    ]
    if let mixing = laws.mixing {
      figures.append(
        Self.figure(
          MixingChart(mixing: mixing).drawn(),
          "Behind the gains the camera mixes the channels: a bar for each channel of the picture, "
            + "with the shares of the light of red, green and blue, of which each adds up to 1. "
            + (laws.errors == nil
              ? "Gains other than 1 are known to \(Figure.plain(100 * mixing.scaleError, 1))\u{A0}% "
                + "of what they add." : "")
            + (mixing.saturation.map {
              " Behind the tone curve, colors are \(Figure.plain($0.factor, 2)) times as far from gray."
            } ?? "")))
    }
    if let transfer {
      figures.append(
        Self.figure(
          ToneCurveChart(transfer: transfer).drawn(),
          "What the pictures store of light, as they were found to do; dashed, sRGB’s curve, "
            + "which drivers claim."))
    }
    for law in [exposure?.time, exposure?.gain].compactMap(\.self) {
      figures.append(
        Self.figure(
          ControlLawChart(ofExposure: law).drawn(),
          "The light by the numbers of \(escaped(law.control.id.rawValue)), relative to that at its "
            + "reference: the law, dots for what the picture showed, and how far the one is from the "
            + "other."))
    }
    return """
      <section>
      <h2>From the sensor to the picture</h2>
      \(figures.joined(separator: "\n"))
      </section>
      """
  }

  private var fit: String {
    guard let laws else { return "" }
    let error = Figure.plain(100 * laws.fitError, 2)
    if laws.errors != nil {
      return "Between the lamps and around them the standard error is \(error)\u{A0}%."
    }
    return laws.channelLaws.contains { law in law.evidence.contains(where: \.isTest) }
      ? "Settings that the laws were not made from are off by \(error)\u{A0}% (root mean square)."
      : "They are off by \(error)\u{A0}% (root mean square)."
  }

  static func figure(_ svg: SVG, _ caption: String) -> String {
    "<figure>\n\(svg.element)<figcaption><p>\(caption)</p></figcaption>\n</figure>"
  }
}
