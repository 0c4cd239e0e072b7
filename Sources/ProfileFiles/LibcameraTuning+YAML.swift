internal import ColorScience
internal import WbcalFoundation
internal import WhiteBalance

extension LibcameraTuning {
  /// A libcamera pipeline whose tuning files are YAML.
  public enum YAMLPipeline: Hashable, Sendable {
    /// The software ISP, which processes the MIPI cameras of laptops.
    case softwareISP
    /// The ISP of Rockchip's RK3399 and i.MX8MP.
    case rkisp1
  }

  /// Returns a tuning file in YAML: the gains at each temperature, color matrices, black level and,
  /// for Rockchip's pipeline, shading if there are any, and the pipeline's other algorithms with
  /// their defaults.
  ///
  /// Rockchip's pipeline estimates the illuminant from the gains, and applies them. The software
  /// ISP does the same after libcamera 0.7.2; up to that version it makes the mean of the picture
  /// gray, and uses the color matrices only. Up to 0.6 it rejects a new file, because one of its
  /// algorithms had another name: use `yaml(for:replacingIn:)` with the installed file there.
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

  /// Returns a tuning file in YAML with the algorithms of this tuning in place of the file's, and
  /// everything else, including comments and layout, unchanged.
  ///
  /// - Throws: `LibcameraTuningError.noAlgorithms` if the text has no list of algorithms, each on
  ///   lines of its own.
  public func yaml(
    for pipeline: YAMLPipeline, replacingIn text: String
  ) throws(LibcameraTuningError) -> String {
    // The text is split by scalars, because a carriage return and a line feed are one character.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0) }
    let ending = lines[0].hasSuffix("\r") ? "\r" : ""
    func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
    func isBlank(_ line: String) -> Bool { line.allSatisfy { " \t\r".contains($0) } }
    func isEntry(_ line: String) -> Bool {
      line.trimmed == "-" || line.drop { $0 == " " }.hasPrefix("- ")
    }
    /// Returns the key with which a line begins, without its quotes.
    func key(_ line: Substring) -> String? {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let key = line[..<colon].trimmed
      let isQuoted = key.count > 1 && key.first == key.last && "'\"".contains(key.prefix(1))
      return isQuoted ? String(key.dropFirst().dropLast()) : key
    }
    guard let list = lines.firstIndex(where: { key($0[...]) == "algorithms" && indent($0) == 0 }),
      let first = lines[(list + 1)...].firstIndex(where: isEntry)
    else { throw .noAlgorithms }
    let depth = indent(lines[first])
    /// Returns the name of the algorithm that begins in a line, or in a line below a dash that
    /// stands alone.
    func name(at index: Int) -> String? {
      guard indent(lines[index]) == depth, isEntry(lines[index]) else { return nil }
      let rest = lines[index].dropFirst(depth + 1)
      if !rest.trimmed.isEmpty, !rest.trimmed.hasPrefix("#") { return key(rest) }
      return lines[(index + 1)...].first { line in
        !isBlank(line) && !line.drop { $0 == " " }.hasPrefix("#")
      }.flatMap { indent($0) > depth ? key($0[...]) : nil }
    }
    /// Returns the lines of an algorithm.
    func lineRange(of algorithm: String) -> Range<Int>? {
      guard let start = lines.indices[first...].first(where: { name(at: $0) == algorithm }) else {
        return nil
      }
      let end = lines[(start + 1)...].firstIndex { !isBlank($0) && indent($0) <= depth }
      var last = end ?? lines.endIndex
      while last > start + 1, isBlank(lines[last - 1]) { last -= 1 }
      return start..<last
    }
    var next = first
    for section in sections(for: pipeline, indent: String(repeating: " ", count: depth)) {
      let range = lineRange(of: section.name) ?? next..<next
      lines.replaceSubrange(range, with: section.lines.map { $0 + ending })
      next = range.lowerBound + section.lines.count
    }
    return lines.joined(separator: "\n")
  }

  private func sections(
    for pipeline: YAMLPipeline, indent: String
  ) -> [(name: String, lines: [String])] {
    func number(_ value: Double) -> String {
      let text = shortNumber(value, digits: 6)
      guard text.contains("."), !text.contains("e") else { return text }
      let digits = text.reversed().drop { $0 == "0" }
      return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
    }
    // libcamera requires distinct temperatures in whole kelvin.
    func unique<T>(_ all: [T], _ kelvin: (T) -> Double) -> [(kelvin: Int, value: T)] {
      all.reduce(into: []) { found, value in
        let rounded = Int(kelvin(value).rounded())
        if found.last?.kelvin != rounded { found.append((rounded, value)) }
      }
    }
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
    for (kelvin, point) in unique(camera.points, \.kelvin) {
      balance.append("  - ct: \(kelvin)")
      balance.append("    gains: [ \(number(1 / point.red)), \(number(1 / point.blue)) ]")
    }
    // No temperature is preferred.
    balance += [
      "priors:", "  - lux: 0", "    ct: [ \(ends[0]), \(ends[1]) ]",
      "    probability: [ 1.0, 1.0 ]", "transversePos: \(number(transversePositive))",
      "transverseNeg: \(number(transverseNegative))",
    ]
    sections.append(section("Awb", balance))
    if pipeline == .rkisp1, let lines = lensShadingLines {
      sections.append(section("LensShadingCorrection", lines))
    }
    if !colorMatrices.isEmpty {
      let matrices = unique(colorMatrices, \.kelvin).flatMap { kelvin, matrix in
        let numbers = matrix.numbers.map { "\($0)" }
        let rows = stride(from: 0, to: 9, by: 3).map {
          numbers[$0..<$0 + 3].joined(separator: ", ")
        }
        return [
          "  - ct: \(kelvin)", "    ccm: [ \(rows[0]),", "           \(rows[1]),",
          "           \(rows[2]) ]", "    offsets: [ 0, 0, 0 ]",
        ]
      }
      sections.append(section("Ccm", ["ccms:"] + matrices))
    }
    return sections
  }
}
