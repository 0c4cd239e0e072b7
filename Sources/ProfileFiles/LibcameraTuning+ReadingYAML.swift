public import WbcalFoundation
import WhiteBalance

extension LibcameraTuning {
  /// Returns the text of a file that is YAML and not JSON; `nil` for any other. The first line that
  /// is neither blank nor a comment decides.
  static func yamlText(in data: Data) -> String? {
    let first = strictJSON(data).first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    guard let first, !"{[\"".utf8.contains(first), let text = String(data: data, encoding: .utf8)
    else { return nil }
    let line = text.split(whereSeparator: \.isNewline).first { line in
      !line.trimmed.isEmpty && !line.trimmed.hasPrefix("#")
    }
    guard let line = line?.trimmed else { return nil }
    return line.hasPrefix("%YAML") || line == "---" || line.contains(":") ? text : nil
  }

  /// Indicates whether a text is meant to be a tuning file, valid or damaged.
  public static func isNamed(in data: Data) -> Bool {
    yamlText(in: data).map { $0.contains("algorithms") }
      ?? [#""algorithms""#, #""rpi."#].contains { data.firstRange(of: $0.utf8) != nil }
  }

  /// Reads the YAML file of a pipeline that has the algorithms `Awb` and `Ccm`.
  init(yaml text: String) throws(LibcameraTuningError) {
    let root: YAMLValue
    do throws(YAMLError) { root = try YAMLText.value(of: text) } catch {
      throw .notYAML("line \(error.line): \(error.problem)")
    }
    let algorithms = root["algorithms"]?.items ?? []
    func section(_ name: String) -> (value: YAMLValue, path: String)? {
      for (index, algorithm) in algorithms.enumerated() {
        if let value = algorithm[name] { return (value, "algorithms[\(index)].\(name)") }
      }
      return nil
    }
    guard let balance = section("Awb"), let gains = balance.value["colourGains"]?.items else {
      throw .noGains
    }
    var points: [CurveCameraModel.Point] = []
    for (index, entry) in gains.enumerated() {
      let path = "\(balance.path).colourGains[\(index)]"
      guard let kelvin = entry["ct"]?.number else { throw .field(path + ".ct", "is not a number") }
      guard let pair = entry["gains"]?.numbers, pair.count == 2 else {
        throw .field(path + ".gains", "is not two numbers")
      }
      points.append(.init(kelvin: kelvin, red: 1 / pair[0], blue: 1 / pair[1]))
    }
    do { self.init(camera: try CurveCameraModel(points: points)) } catch {
      throw .field("\(balance.path).colourGains", "does not define a camera: \(error)")
    }
    func width(_ name: String) throws(LibcameraTuningError) -> Double? {
      guard let value = balance.value[name] else { return nil }
      guard let width = value.number, width > 0, width.isFinite else {
        throw .field("\(balance.path).\(name)", "is not positive and finite")
      }
      return width
    }
    transversePositive = try width("transversePos") ?? transversePositive
    transverseNegative = try width("transverseNeg") ?? transverseNegative
    if let colors = section("Ccm"), let entries = colors.value["ccms"]?.items {
      colorMatrices = try ColorMatrix.checked(
        entries.map { ($0["ct"]?.number ?? .nan, $0["ccm"]?.numbers ?? []) },
        path: colors.path + ".ccms")
    }
  }
}
