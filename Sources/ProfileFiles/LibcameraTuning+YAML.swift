internal import WhiteBalance

extension LibcameraTuning {
  /// A pipeline of libcamera's whose tuning files are YAML.
  public enum YAMLPipeline: Hashable, Sendable {
    /// The software ISP, which the MIPI cameras of laptops go through.
    case softwareISP
    /// The ISP of Rockchip's RK3399 and i.MX8MP.
    case rkisp1
  }

  /// A tuning file in YAML: the gains over temperatures, by which libcamera both finds the light
  /// and balances it, color matrices and black level if there are any, and the pipeline's other
  /// algorithms with their defaults.
  ///
  /// Source: libcamera 0.7.2, `src/ipa/libipa` (`awb_bayes.cpp`, `ccm.cpp`), `src/ipa/softisp`,
  /// `src/ipa/rkisp1`.
  public func yaml(for pipeline: YAMLPipeline) -> String {
    let own = sections(for: pipeline, indent: "  ")
    let others = pipeline == .softwareISP ? ["Adjust", "Agc"] : ["Agc"]
    let black = pipeline == .softwareISP ? "BlackLevel" : "BlackLevelCorrection"
    let first = blackLevel == nil ? ["  - \(black):"] : []
    let last = others.map { "  - \($0):" }
    let lines = ["%YAML 1.1", "---", "version: 1", "algorithms:"]
    return (lines + first + own.flatMap(\.lines) + last + ["...", ""]).joined(separator: "\n")
  }

  /// A tuning file in YAML in which the algorithms of this tuning take the place of its own, and
  /// all else, comments and layout included, stays as it is.
  ///
  /// - Throws: `LibcameraTuningError.noAlgorithms` where the text has no list of them.
  public func yaml(
    for pipeline: YAMLPipeline, replacingIn text: String
  ) throws(LibcameraTuningError) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
    func isBlank(_ line: String) -> Bool { line.allSatisfy { " \t\r".contains($0) } }
    guard let key = lines.firstIndex(where: { $0.hasPrefix("algorithms:") }),
      let first = lines[(key + 1)...].firstIndex(where: { $0.drop { $0 == " " }.hasPrefix("- ") })
    else { throw .noAlgorithms }
    let depth = indent(lines[first])
    /// The lines of an algorithm.
    func place(of name: String) -> Range<Int>? {
      let start = lines[first...].firstIndex { line in
        indent(line) == depth && line.dropFirst(depth + 2).drop { $0 == " " }.hasPrefix(name + ":")
          && line.dropFirst(depth).hasPrefix("- ")
      }
      guard let start else { return nil }
      let end = lines[(start + 1)...].firstIndex { !isBlank($0) && indent($0) <= depth }
      var last = end ?? lines.endIndex
      while last > start + 1, isBlank(lines[last - 1]) { last -= 1 }
      return start..<last
    }
    var behind = first
    for section in sections(for: pipeline, indent: String(repeating: " ", count: depth)) {
      let range = place(of: section.name) ?? behind..<behind
      lines.replaceSubrange(range, with: section.lines)
      behind = range.lowerBound + section.lines.count
    }
    return lines.joined(separator: "\n")
  }

  private func sections(
    for pipeline: YAMLPipeline, indent: String
  ) -> [(name: String, lines: [String])] {
    func number(_ value: Double) -> String { "\((value * 1e5).rounded() / 1e5)" }
    func section(_ name: String, _ lines: [String]) -> (name: String, lines: [String]) {
      (name, ["\(indent)- \(name):"] + lines.map { "\(indent)    \($0)" })
    }
    var sections: [(name: String, lines: [String])] = []
    if let blackLevel {
      sections.append(
        pipeline == .softwareISP
          ? section("BlackLevel", ["blackLevel: \(blackLevel)"])
          : section(
            "BlackLevelCorrection", ["R", "Gr", "Gb", "B"].map { "\($0): \(blackLevel)" }))
    }
    let ends = [camera.range.lowerBound, camera.range.upperBound].map { "\(Int($0.rounded()))" }
    var balance = [
      "algorithm: bayes", "AwbMode:", "  AwbAuto:", "    lo: \(ends[0])", "    hi: \(ends[1])",
      "colourGains:",
    ]
    for point in camera.points {
      balance.append("  - ct: \(Int(point.kelvin.rounded()))")
      balance.append("    gains: [ \(number(1 / point.red)), \(number(1 / point.blue)) ]")
    }
    // No temperature is preferred.
    balance += [
      "priors:", "  - lux: 0", "    ct: [ \(ends[0]), \(ends[1]) ]",
      "    probability: [ 1.0, 1.0 ]", "transversePos: \(number(transversePositive))",
      "transverseNeg: \(number(transverseNegative))",
    ]
    sections.append(section("Awb", balance))
    if !colorMatrices.isEmpty {
      let matrices = colorMatrices.flatMap { matrix in
        let numbers = matrix.numbers.map { "\($0)" }
        let rows = stride(from: 0, to: 9, by: 3).map {
          numbers[$0..<$0 + 3].joined(separator: ", ")
        }
        return [
          "  - ct: \(Int(matrix.kelvin.rounded()))",
          "    ccm: [ \(rows.joined(separator: ",\n\(indent)               ")) ]",
          "    offsets: [ 0, 0, 0 ]",
        ]
      }
      sections.append(section("Ccm", ["ccms:"] + matrices))
    }
    return sections
  }
}
