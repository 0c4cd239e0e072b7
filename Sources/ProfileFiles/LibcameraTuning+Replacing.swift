public import WbcalFoundation
import WhiteBalance

extension LibcameraTuning {
  /// Returns a tuning file with this camera's curve, color matrices, black level and shading in
  /// place of the file's, and everything else, including comments and layout, unchanged.
  ///
  /// The curve is `ct_curve` of the first `rpi.awb`. The sensitivities in the same section become
  /// this tuning's if the file has any; modes, priors and the widths of the search are kept. `ccms`
  /// of the first `rpi.ccm`, `black_level` of the first `rpi.black_level` and the whole first
  /// `rpi.alsc`, whose other numbers fit its tables, are replaced if both the file and this tuning
  /// have them.
  ///
  /// - Throws: `LibcameraTuningError` if the bytes are not a tuning file with a curve.
  public func json(replacingIn file: Data) throws(LibcameraTuningError) -> Data {
    let known = try Self.file(in: file)
    _ = try LibcameraTuning(graysOf: known)
    let root: JSONNode
    do throws(JSONDamage) {
      root = try JSONReader.value(of: [UInt8](Self.strictJSON(file)))
    } catch { throw .notJSON(error.description) }
    func section(_ name: String) -> JSONNode? {
      let algorithms = root.members["algorithms"]?.elements ?? []
      return algorithms.lazy.compactMap { $0.members[name] }.first ?? root.members[name]
    }
    func members(of name: String) -> [String: JSONNode]? { section(name)?.members }
    guard let balance = members(of: "rpi.awb"), let curve = balance["ct_curve"] else {
      throw .noCurve
    }
    let lens = section("rpi.alsc")
    let shading = lens == nil ? nil : lensShading(target: known.target ?? "")
    let points = grays(behind: shading).map { "\($0.kelvin), \($0.red), \($0.blue)" }
    var changes = [(curve.range, "[" + points.joined(separator: ",  ") + "]")]
    if let lens, let shading { changes.append((lens.range, shading.text)) }
    for (name, value) in [("sensitivity_r", sensitivityRed), ("sensitivity_b", sensitivityBlue)] {
      if let place = balance[name] { changes.append((place.range, "\(value)")) }
    }
    if !colorMatrices.isEmpty, let place = members(of: "rpi.ccm")?["ccms"] {
      let matrices = colorMatrices.map { matrix in
        let numbers = matrix.numbers.map { "\($0)" }.joined(separator: ", ")
        return "{ \"ct\": \(matrix.kelvin), \"ccm\": [\(numbers)] }"
      }
      changes.append((place.range, "[ " + matrices.joined(separator: ", ") + " ]"))
    }
    if let blackLevel, let place = members(of: "rpi.black_level")?["black_level"] {
      changes.append((place.range, "\(blackLevel)"))
    }
    var bytes = [UInt8](file)
    for (place, text) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(place, with: text.utf8)
    }
    return Data(bytes)
  }
}
