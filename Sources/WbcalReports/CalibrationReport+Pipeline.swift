import CameraProfiles
import ColorScience

extension CalibrationReport {
  /// The section on the processing between the sensor and the picture, as far as it is known.
  var pipelineSection: String {
    guard let laws else { return "" }
    var figures = [
      Self.figure(
        ControlLawChart(laws: laws).drawn(),
        "The gains for the values of the controls, relative to those at their reference: the law, "
          + (laws.errors == nil
            ? "and dots for the gains measured in the picture; below, the differences. "
            : "and a band that contains the gains with a probability of 95\u{A0}%. ") + fit
      )
    ]
    if let mixing = laws.mixing {
      figures.append(
        Self.figure(
          MixingChart(mixing: mixing).drawn(),
          "After the gains, the camera mixes the channels: a bar for each channel of the picture, "
            + "with the shares of red, green and blue light, which add up to 1. "
            + (laws.errors == nil
              ? "The difference of a gain from 1 is known to "
                + "\(Figure.plain(100 * mixing.scaleError, 1))\u{A0}%." : "")
            + (mixing.saturation.map {
              " Saturation after the tone curve: \(Figure.plain($0.factor, 2))."
            } ?? "")))
    }
    if let transfer {
      figures.append(
        Self.figure(
          ToneCurveChart(transfer: transfer).drawn(),
          "The tone curve of the pictures, as measured; dashed, sRGB’s curve, which drivers "
            + "report."))
    }
    for law in [exposure?.time, exposure?.gain].compactMap(\.self) {
      figures.append(
        Self.figure(
          ControlLawChart(ofExposure: law).drawn(),
          "The light for the values of \(escaped(law.control.id.rawValue)), relative to that at "
            + "its reference: the law, dots for the light measured in the picture, and the "
            + "differences."
        ))
    }
    return """
      \(figures.joined(separator: "\n"))
      """.section(titled: "From the sensor to the picture")
  }

  private var fit: String {
    guard let laws else { return "" }
    let error = Figure.plain(100 * laws.fitError, 2)
    if laws.errors != nil {
      return "Between the lamps and around them the standard error is \(error)\u{A0}%."
    }
    return laws.channelLaws.contains { law in law.evidence.contains(where: \.isTest) }
      ? "Settings that the laws were not fitted to are off by \(error)\u{A0}% (root mean square)."
      : "The root mean square of the differences is \(error)\u{A0}%."
  }

  static func figure(_ svg: SVG, _ caption: String) -> String {
    "<figure>\n\(svg.element)<figcaption><p>\(caption)</p></figcaption>\n</figure>"
  }
}
