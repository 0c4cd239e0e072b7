public import WbcalFoundation
import WhiteBalance

extension LibcameraTuning {
  /// Returns a tuning file with this camera's curve, color matrices and black level in place of the
  /// file's, and everything else, including comments and layout, unchanged.
  ///
  /// The curve is `ct_curve` of the first `rpi.awb`. The sensitivities in the same section become
  /// this tuning's if the file has any; modes, priors and the widths of the search are kept. `ccms`
  /// of the first `rpi.ccm` and `black_level` of the first `rpi.black_level` are replaced if both
  /// the file and this tuning have them.
  ///
  /// - Throws: `LibcameraTuningError` if the bytes are not a tuning file with a curve.
  /// - Throws: `LibcameraTuningError` where the bytes are no tuning file with a curve.
  public func json(replacingIn file: Data) throws(LibcameraTuningError) -> Data {
    _ = try LibcameraTuning(graysOf: Self.file(in: file))
    let text = JSONText(bytes: [UInt8](Self.strictJSON(file)))
    let root = text.members(of: 0)
    let algorithms = root["algorithms"].map { text.elements(of: $0.lowerBound) } ?? []
    func members(of name: String) -> [String: Range<Int>]? {
      let sections = algorithms.lazy.compactMap { text.members(of: $0.lowerBound)[name] }
      return (sections.first ?? root[name]).map { text.members(of: $0.lowerBound) }
    }
    guard let balance = members(of: "rpi.awb"), let curve = balance["ct_curve"] else {
      throw .noCurve
    }
    let points = camera.points.map { "\($0.kelvin), \($0.red), \($0.blue)" }
    var changes = [(curve, "[" + points.joined(separator: ",  ") + "]")]
    for (name, value) in [("sensitivity_r", sensitivityRed), ("sensitivity_b", sensitivityBlue)] {
      if let place = balance[name] { changes.append((place, "\(value)")) }
    }
    if !colorMatrices.isEmpty, let place = members(of: "rpi.ccm")?["ccms"] {
      let matrices = colorMatrices.map { matrix in
        let numbers = matrix.numbers.map { "\($0)" }.joined(separator: ", ")
        return "{ \"ct\": \(matrix.kelvin), \"ccm\": [\(numbers)] }"
      }
      changes.append((place, "[ " + matrices.joined(separator: ", ") + " ]"))
    }
    if let blackLevel, let place = members(of: "rpi.black_level")?["black_level"] {
      changes.append((place, "\(blackLevel)"))
    }
    var bytes = [UInt8](file)
    for (place, text) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(place, with: text.utf8)
    }
    return Data(bytes)
  }
}
