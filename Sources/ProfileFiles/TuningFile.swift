internal import WhiteBalance

/// The parts of a libcamera tuning file that concern colors. Parts other than white balance and
/// color matrices are only written.
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

  struct Black: Encodable {
    var level: Int

    enum CodingKeys: String, CodingKey { case level = "black_level" }
  }

  /// The shading of the lens.
  struct Shading: Encodable {
    struct Calibration: Encodable {
      var ct: Int
      var table: [Double]
      /// The gain of which the table has multiples.
      var least: Double

      enum CodingKeys: CodingKey { case ct, table }
    }
    var red, blue: [Calibration]
    var luminance: [Double]
    var strength: Double

    enum CodingKeys: String, CodingKey {
      case red = "calibrations_Cr"
      case blue = "calibrations_Cb"
      case luminance = "luminance_lut"
      case strength = "luminance_strength"
    }
  }

  struct Colors: Codable {
    struct Matrix: Codable {
      var ct: Double
      var ccm: [Double]
    }
    var matrices: [Matrix]

    enum CodingKeys: String, CodingKey { case matrices = "ccms" }
  }

  struct Algorithm: Codable {
    var black: Black?
    var whiteBalance: Section?
    var shading: Shading?
    var colors: Colors?

    enum CodingKeys: String, CodingKey {
      case black = "rpi.black_level"
      case whiteBalance = "rpi.awb"
      case shading = "rpi.alsc"
      case colors = "rpi.ccm"
    }
  }

  var version: Double?
  var target: String?
  var algorithms: [Algorithm]?
  /// The section of a file before version 2, which has no list of algorithms.
  var oldWhiteBalance: Section?
  var oldColors: Colors?

  enum CodingKeys: String, CodingKey {
    case version, target, algorithms
    case oldWhiteBalance = "rpi.awb"
    case oldColors = "rpi.ccm"
  }

  /// The section on white balance and its path in the file.
  var whiteBalance: (section: Section, path: String)? {
    for (index, algorithm) in (algorithms ?? []).enumerated() {
      if let section = algorithm.whiteBalance { return (section, "algorithms[\(index)].rpi.awb") }
    }
    return oldWhiteBalance.map { ($0, "rpi.awb") }
  }

  /// Returns the color matrices; empty if the file has none.
  func matrices() throws(LibcameraTuningError) -> [CurveDetails.ColorMatrix] {
    let index = (algorithms ?? []).firstIndex { $0.colors != nil }
    let colors = index.flatMap { algorithms?[$0].colors } ?? oldColors
    let path = index.map { "algorithms[\($0)]." } ?? ""
    return try CurveDetails.ColorMatrix.checked(
      (colors?.matrices ?? []).map { ($0.ct, $0.ccm) }, path: path + "rpi.ccm.ccms")
  }
}

extension TuningFile.Algorithm {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    whiteBalance = try values.decodeIfPresent(TuningFile.Section.self, forKey: .whiteBalance)
    colors = try values.decodeIfPresent(TuningFile.Colors.self, forKey: .colors)
  }
}

extension TuningFile.Section {
  /// Decodes only the fields that are used, whatever the others contain.
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
