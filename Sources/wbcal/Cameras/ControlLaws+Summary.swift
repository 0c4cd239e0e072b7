import CameraProfiles
import ColorScience

extension ControlLaw {
  /// Returns a line of text about the effect of the control on a quantity.
  fileprivate func summary(of quantity: String) -> String {
    let error = "within \(shortNumber(fitError * 100)) %"
    return switch form {
    case .line(let intercept, let slope):
      "\(control.id.rawValue): \(quantity) = \(shortNumber(intercept)) + "
        + "\(shortNumber(slope)) × value, \(error)"
    case .exponential(let rate):
      "\(control.id.rawValue): \(shortNumber(rate * 20 / logarithm(10))) dB per step, \(error)"
    case .table(let points):
      "\(control.id.rawValue): \(quantity) \(shortNumber(gainRange.lowerBound))…"
        + "\(shortNumber(gainRange.upperBound)) over \(values.lowerBound)…"
        + "\(values.upperBound), a curve through \(points.count) points, \(error)"
    }
  }
}

extension ExposureLaws {
  /// A line of text about the effect of each control.
  var summary: [String] {
    var lines = [time, gain].compactMap { $0?.summary(of: "light") }
    if let durations {
      lines.append(
        "exposure times \(shortNumber(1000 * durations.lowerBound))…"
          + "\(shortNumber(1000 * durations.upperBound)) ms")
    }
    return lines
  }
}

extension ControlLaws {
  /// A line of text about the effect of each control.
  var summary: [String] {
    var lines: [String]
    switch layout {
    case .channels:
      lines = channelLaws.map { $0.summary(of: "gain") }
    case .path(let path):
      let ends = [path.points[0], path.points[path.points.count - 1]].map {
        "red \(shortNumber($0.red)) blue \(shortNumber($0.blue)) at \($0.value)"
      }
      lines = [
        "\(path.control.id.rawValue): "
          + (path.control.items.isEmpty
            ? "\(ends.joined(separator: " to ")), within \(shortNumber(path.fitError * 100)) %"
            : "\(path.points.count) lights to choose from")
      ]
    }
    if let mixing {
      // A fitted model includes the error of the mixing in the errors of the gains.
      let uncertainty =
        errors == nil
        ? ", so that gains are known to \(shortNumber(mixing.scaleError * 100)) % of their "
          + "difference from 1" : ""
      lines.append(
        "a color matrix after the gains mixes the channels" + uncertainty
          + (mixing.scaleError > 0.1 || fitError > 0.02
            ? "; a shot under a second light determines it better" : ""))
      if crosstalk != 0 {
        lines.append(
          "blue changes by \(shortNumber(100 * crosstalk)) % of red's change in decibels")
      }
      if let saturation = mixing.saturation {
        lines.append(
          "saturation after the tone curve: \(shortNumber(saturation.factor))"
        )
      }
    }
    lines += fixedSettings.map {
      "\($0.id.rawValue) affects these controls; they were measured at \($0.value), which "
        + "'wbcal set' also sets"
    }
    if let latency { lines.append("a setting shows after \(latency) frames") }
    return lines
  }
}
