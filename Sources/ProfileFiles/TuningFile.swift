/// The parts of a libcamera tuning file that concern white balance.
struct TuningFile: Codable {
  struct Section: Codable {
    struct Mode: Codable { var lo, hi: Double }
    struct Prior: Codable {
      var lux: Double
      var prior: [Double]
    }
    var bayes: Int?
    var curve: [Double]?
    var modes: [String: Mode]?
    var priors: [Prior]?
    var sensitivityRed, sensitivityBlue, transversePositive, transverseNegative: Double?

    enum CodingKeys: String, CodingKey {
      case bayes, modes, priors
      case curve = "ct_curve"
      case sensitivityRed = "sensitivity_r"
      case sensitivityBlue = "sensitivity_b"
      case transversePositive = "transverse_pos"
      case transverseNegative = "transverse_neg"
    }
  }

  struct Algorithm: Codable {
    var whiteBalance: Section?

    enum CodingKeys: String, CodingKey { case whiteBalance = "rpi.awb" }
  }

  var version: Double?
  var target: String?
  var algorithms: [Algorithm]?
  /// Files before version 2 have no list.
  var oldWhiteBalance: Section?

  enum CodingKeys: String, CodingKey {
    case version, target, algorithms
    case oldWhiteBalance = "rpi.awb"
  }

  /// The section on white balance and its path in the file.
  var whiteBalance: (section: Section, path: String)? {
    for (index, algorithm) in (algorithms ?? []).enumerated() {
      if let section = algorithm.whiteBalance { return (section, "algorithms[\(index)].rpi.awb") }
    }
    return oldWhiteBalance.map { ($0, "rpi.awb") }
  }
}

extension TuningFile.Section {
  /// Decodes only the fields that are used, whatever the others hold.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Double? {
      try values.decodeIfPresent(Double.self, forKey: key)
    }
    curve = try values.decodeIfPresent([Double].self, forKey: .curve)
    sensitivityRed = try number(.sensitivityRed)
    sensitivityBlue = try number(.sensitivityBlue)
    transversePositive = try number(.transversePositive)
    transverseNegative = try number(.transverseNegative)
  }
}
