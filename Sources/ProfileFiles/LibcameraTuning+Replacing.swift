public import Foundation
import WhiteBalance

extension LibcameraTuning {
  /// A tuning file in which this camera's curve takes the place of its own, and all else, comments
  /// and layout included, stays as it is.
  ///
  /// The curve is `ct_curve` of the first `rpi.awb`. The sensitivities beside it become this
  /// tuning's where the file has any; modes, priors and the widths of the search are kept.
  ///
  /// - Throws: `LibcameraTuningError` where the bytes are no tuning file with a curve.
  public func json(replacingIn file: Data) throws(LibcameraTuningError) -> Data {
    _ = try LibcameraTuning(reading: file)
    let text = JSONText(bytes: [UInt8](Self.strictJSON(file)))
    let root = text.members(of: 0)
    let algorithms = root["algorithms"].map { text.elements(of: $0.lowerBound) } ?? []
    let sections = algorithms.lazy.compactMap { text.members(of: $0.lowerBound)["rpi.awb"] }
    guard let section = sections.first ?? root["rpi.awb"] else { throw .noCurve }
    let members = text.members(of: section.lowerBound)
    guard let curve = members["ct_curve"] else { throw .noCurve }
    let points = camera.points.map { "\($0.kelvin), \($0.red), \($0.blue)" }
    var changes = [(curve, "[" + points.joined(separator: ",  ") + "]")]
    for (name, value) in [("sensitivity_r", sensitivityRed), ("sensitivity_b", sensitivityBlue)] {
      if let place = members[name] { changes.append((place, "\(value)")) }
    }
    var bytes = [UInt8](file)
    for (place, text) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(place, with: text.utf8)
    }
    return Data(bytes)
  }
}
