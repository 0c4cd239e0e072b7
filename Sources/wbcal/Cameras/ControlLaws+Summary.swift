import CameraControl
import ColorScience

extension ControlLaws {
  /// A line of text for what each control does.
  var summary: [String] {
    var lines: [String]
    switch scheme {
    case .channels:
      lines = channelLaws.map { law in
        let error = "within \(shortNumber(law.fitError * 100)) %"
        return switch law.form {
        case .line(let intercept, let slope):
          "\(law.control.id.rawValue): gain = \(shortNumber(intercept)) + "
            + "\(shortNumber(slope)) × value, \(error)"
        case .exponential(let rate):
          "\(law.control.id.rawValue): \(shortNumber(rate * 20 / logarithm(10))) dB a step, \(error)"
        case .table(let points):
          "\(law.control.id.rawValue): gains \(shortNumber(law.gainRange.lowerBound))…"
            + "\(shortNumber(law.gainRange.upperBound)) over \(law.values.lowerBound)…"
            + "\(law.values.upperBound), a curve through \(points.count) points, \(error)"
        }
      }
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
      lines.append(
        "behind the gains a matrix mixes the colors, so that gains other than 1 are known to "
          + "\(shortNumber(mixing.scaleError * 100)) % of what they add"
          + (mixing.scaleError > 0.1 ? "; a shot under a second light tells it better" : ""))
      if let saturation = mixing.saturation {
        lines.append(
          "behind the tone curve colors are \(shortNumber(saturation.factor)) times as far from gray"
        )
      }
    }
    lines += held.map {
      "\($0.id.rawValue) changes what these controls do; they hold at \($0.value), which "
        + "'wbcal set' sets too"
    }
    if let latency { lines.append("a setting shows after \(latency) frames") }
    return lines
  }
}
