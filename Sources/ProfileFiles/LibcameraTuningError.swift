internal import WbcalFoundation

/// An error in reading a libcamera tuning with a white-balance curve, or in making one.
public enum LibcameraTuningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not JSON; the defect with its line and column.
  case notJSON(String)
  /// The text is not YAML as tuning files use it; the defect with its line.
  case notYAML(String)
  /// There is no `rpi.awb` with a `ct_curve`. Cameras without an infrared filter have none.
  case noCurve
  /// There is no `Awb` with `colourGains`, which holds the curve of a YAML file.
  case noGains
  /// There is no list of algorithms, each on lines of its own, which a YAML file must have.
  case noAlgorithms
  /// A field is invalid; its path in the file, and its defect.
  case field(String, String)
  /// A camera has gains at fewer than two of a curve's temperatures.
  case tooFewTemperatures(Int)

  /// A sentence that states the defect.
  public var description: String {
    switch self {
    case .notJSON(let reason): "it is not JSON: \(reason)"
    case .notYAML(let reason): "it cannot be read as YAML: \(reason)"
    case .noGains: "it has no algorithm 'Awb' with 'colourGains', and therefore no curve of grays"
    case .noCurve: "it has no algorithm 'rpi.awb' with a 'ct_curve'"
    case .noAlgorithms: "it has no list 'algorithms' whose entries are on separate lines"
    case .field(let name, let problem): "'\(name)' \(problem)"
    case .tooFewTemperatures(let count):
      "the camera has gains at only \(count) of the curve's temperatures; a curve needs 2"
    }
  }

  init(_ error: DecodingError, in text: Data) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context) where !context.codingPath.isEmpty:
      self = .field(Self.name(context.codingPath), "is of the wrong type")
    case .keyNotFound(let key, let context):
      self = .field(Self.name(context.codingPath + [key]), "is missing")
    default: self = .notJSON(jsonDamage(in: text))
    }
  }

  private static func name(_ path: [any CodingKey]) -> String {
    let name = path.reduce(into: "") { name, key in
      name += key.intValue.map { "[\($0)]" } ?? (name.isEmpty ? "" : ".") + key.stringValue
    }
    return name.isEmpty ? "the top level" : name
  }
}
