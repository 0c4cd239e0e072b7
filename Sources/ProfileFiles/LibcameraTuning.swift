import ColorScience
public import WbcalFoundation
public import WhiteBalance

/// The colors of a camera as a libcamera tuning file describes them: the white balance of a
/// Raspberry Pi camera in the section `rpi.awb`, the color matrices, black level, and the shading
/// of the lens.
///
/// libcamera uses `camera` when a color temperature is set. Its automatic white balance also
/// multiplies the gains by the sensitivities, which relate the measured sensor to this one.
///
/// Source: libcamera, `src/ipa/rpi/controller/rpi/awb.cpp`.
///
/// ```swift
/// import ColorScience
/// import WhiteBalance
///
/// guard let tuning = LibcameraTuning(named: "imx219") else { fatalError("not shipped") }
/// let light = TemperatureAndTint(temperature: 5000, tint: 0)
/// print(tuning.camera.gains(for: light)!)
///
/// let own = try LibcameraTuning(sampling: CameraPrior.publicCameras.average)
/// print(String(decoding: try own.json(target: "pisp"), as: UTF8.self))
/// ```
public struct LibcameraTuning: Hashable, Sendable {
  /// `ct_curve`: the camera.
  public var camera: CurveCameraModel
  /// `transverse_pos`: the largest distance of the search from the curve towards magenta, in R/G
  /// and B/G.
  public var transversePositive: Double
  /// `transverse_neg`: the largest distance of the search from the curve towards green.
  public var transverseNegative: Double
  /// `sensitivity_r`: the red response of the measured sensor relative to this one's.
  public var sensitivityRed: Double
  /// `sensitivity_b`: the blue response of the measured sensor relative to this one's.
  public var sensitivityBlue: Double
  /// The color matrices, by rising temperature.
  public var colorMatrices: [ColorMatrix] = []
  /// The black level on a scale of 16 bits, 0 to 32 767; it is written, and not read.
  public var blackLevel: Int?
  /// The gains that undo the shading of the lens over the whole sensor; `nil` if they are not
  /// known. They are written, and not read; the software ISP has no such correction.
  ///
  /// On a Raspberry Pi, the white balance of a file with shading is right in modes that show the
  /// whole sensor; in others, libcamera relates the gains of red and blue to the least ones there.
  public var shading: GainMesh?

  /// A color matrix.
  public typealias ColorMatrix = CurveDetails.ColorMatrix

  /// The width of the curve, and the color matrices.
  public var details: CurveDetails {
    CurveDetails(
      width: CurveWidth(towardsMagenta: transversePositive, towardsGreen: transverseNegative),
      colorMatrices: colorMatrices)
  }

  /// Creates a tuning from its parts; the defaults are libcamera's.
  public init(
    camera: CurveCameraModel, transversePositive: Double = 0.01, transverseNegative: Double = 0.01,
    sensitivityRed: Double = 1, sensitivityBlue: Double = 1
  ) {
    self.camera = camera
    self.transversePositive = transversePositive
    self.transverseNegative = transverseNegative
    self.sensitivityRed = sensitivityRed
    self.sensitivityBlue = sensitivityBlue
  }

  /// The names of the tunings that this package includes: platform (`vc4`: Raspberry Pi 0–4,
  /// `pisp`: 5) and sensor, such as `vc4/imx219`.
  ///
  /// Source: libcamera, BSD-2-Clause; see `Calibration/Profiles`.
  public static var shippedNames: [String] { shipped.map(\.name) }

  /// Creates the shipped tuning with a name; `nil` if there is none. The name of a sensor alone
  /// means its tuning for `vc4`, or else for `pisp`.
  public init?(named name: String) {
    let found = Self.shipped.first { [name, "vc4/\(name)", "pisp/\(name)"].contains($0.name) }
    guard let found else { return nil }
    self = found.tuning
  }

  /// The shipped tunings by platform, `vc4` first, then by sensor.
  private static let shipped: [(name: String, tuning: LibcameraTuning)] =
    shippedCurves.split(separator: "\n").map { line in
      // The numbers of the curve, and after a bar those of the color matrices.
      let parts = line.split(separator: "|").map { $0.split(separator: " ") }
      let numbers = parts[0].dropFirst().compactMap { Double($0) }
      let colors = parts.dropFirst().joined().compactMap { Double($0) }
      do {
        var tuning = LibcameraTuning(
          camera: try CurveCameraModel(
            points: stride(from: 4, to: numbers.count, by: 3).map {
              .init(kelvin: numbers[$0], red: numbers[$0 + 1], blue: numbers[$0 + 2])
            }), transversePositive: numbers[0], transverseNegative: numbers[1],
          sensitivityRed: numbers[2], sensitivityBlue: numbers[3])
        tuning.colorMatrices = stride(from: 0, to: colors.count, by: 10).map {
          ColorMatrix(
            kelvin: colors[$0], matrix: Matrix3x3(elements: Array(colors[$0 + 1..<$0 + 10])))
        }
        return (String(parts[0][0]), tuning)
      } catch {
        // The table is part of the program, and a test reads all of it.
        preconditionFailure("the shipped curves are damaged: \(error)")
      }
    }

  /// Reads a tuning file: JSON of version 2, with a list of algorithms, or of an older version, or
  /// YAML, as `yaml(for:)` writes it.
  ///
  /// Comments and trailing commas, which libcamera accepts, are skipped. The first `rpi.awb` and
  /// `rpi.ccm` are used, or in YAML the first `Awb` and `Ccm`. Nesting is limited to the depth that
  /// Foundation reads, and in YAML to 64. Complexity: O(bytes).
  ///
  /// - Throws: `LibcameraTuningError`, which names the field, or the place in the text.
  public init(reading data: Data) throws(LibcameraTuningError) {
    if let text = Self.yamlText(in: data) {
      try self.init(yaml: text)
    } else {
      try self.init(json: data)
    }
  }

  private init(json data: Data) throws(LibcameraTuningError) {
    let file = try Self.file(in: data)
    try self.init(graysOf: file)
    colorMatrices = try file.matrices()
  }

  /// Decodes the contents of a file in JSON.
  static func file(in data: Data) throws(LibcameraTuningError) -> TuningFile {
    let text = strictJSON(data)
    do {
      return try JSONDecoder().decode(TuningFile.self, from: text)
    } catch let error as DecodingError {
      throw LibcameraTuningError(error, in: text)
    } catch {
      throw .notJSON("\(error)")
    }
  }

  /// Creates a tuning from the white balance of a file, without color matrices.
  init(graysOf file: TuningFile) throws(LibcameraTuningError) {
    guard let found = file.whiteBalance, let numbers = found.section.curve else { throw .noCurve }
    func field(_ name: String) -> String { found.path + "." + name }
    guard numbers.count % 3 == 0 else {
      throw .field(
        field("ct_curve"), "has \(numbers.count) numbers instead of three for each temperature")
    }
    func positive(
      _ name: String, _ value: Double?, default: Double
    ) throws(LibcameraTuningError) -> Double {
      let value = value ?? `default`
      guard value > 0, value.isFinite else {
        throw .field(field(name), "is not positive and finite")
      }
      return value
    }
    let section = found.section
    do {
      camera = try CurveCameraModel(
        points: stride(from: 0, to: numbers.count, by: 3).map {
          .init(kelvin: numbers[$0], red: numbers[$0 + 1], blue: numbers[$0 + 2])
        })
    } catch { throw .field(field("ct_curve"), "does not define a camera: \(error)") }
    sensitivityRed = try positive("sensitivity_r", section.sensitivityRed, default: 1)
    sensitivityBlue = try positive("sensitivity_b", section.sensitivityBlue, default: 1)
    transversePositive = try positive("transverse_pos", section.transversePositive, default: 0.01)
    transverseNegative = try positive("transverse_neg", section.transverseNegative, default: 0.01)
  }

  /// Replaces comments, and commas before a closing bracket, with blanks, so that offsets stay the
  /// same.
  static func strictJSON(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    var index = 0
    var comma: Int?
    func byte(_ index: Int) -> Unicode.Scalar? {
      index < bytes.count ? Unicode.Scalar(bytes[index]) : nil
    }
    func blank(until isEnd: (Int) -> Bool) {
      let start = index
      while index < bytes.count, !isEnd(index) { index += 1 }
      for place in start..<index { bytes[place] = UInt8(ascii: " ") }
    }
    while let character = byte(index) {
      switch (character, byte(index + 1)) {
      case ("\"", _):
        comma = nil
        index += 1
        while let inside = byte(index), inside != "\"" { index += inside == "\\" ? 2 : 1 }
      case ("#", _), ("/", "/"): blank { byte($0) == "\n" }
      case ("/", "*"):
        let start = index + 2
        blank { $0 >= start + 2 && byte($0 - 2) == "*" && byte($0 - 1) == "/" }
        continue
      case (",", _): comma = index
      case ("]", _), ("}", _):
        if let comma { bytes[comma] = UInt8(ascii: " ") }
        comma = nil
      case (" ", _), ("\t", _), ("\r", _), ("\n", _): break
      default: comma = nil
      }
      index += 1
    }
    return Data(bytes)
  }

  /// Returns a tuning file of version 2 in strict JSON with this white balance, and color matrices,
  /// black level and shading if there are any, for a target such as `bcm2835` (Raspberry Pi 0–4) or
  /// `pisp` (5).
  ///
  /// libcamera searches the curve only if the file has a mode and a prior. The mode that is written
  /// spans the whole curve, and the prior favors no temperature. With shading, the grays of the
  /// curve are those behind libcamera's correction of it.
  public func json(target: String = "bcm2835") throws -> Data {
    let range = camera.range
    let shading = lensShading(target: target)
    let section = TuningFile.Section(
      bayes: 1, curve: grays(behind: shading).flatMap { [$0.kelvin, $0.red, $0.blue] },
      modes: ["auto": .init(lo: range.lowerBound, hi: range.upperBound)],
      priors: [.init(lux: 0, prior: [range.lowerBound, 0, range.upperBound, 0])],
      sensitivityRed: sensitivityRed, sensitivityBlue: sensitivityBlue,
      transversePositive: transversePositive, transverseNegative: transverseNegative)
    var algorithms: [TuningFile.Algorithm] = [.init(whiteBalance: section)]
    if let blackLevel { algorithms.insert(.init(black: .init(level: blackLevel)), at: 0) }
    if let shading { algorithms.append(.init(shading: shading)) }
    if !colorMatrices.isEmpty {
      algorithms.append(
        .init(
          colors: .init(matrices: colorMatrices.map { .init(ct: $0.kelvin, ccm: $0.numbers) })))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(TuningFile(version: 2, target: target, algorithms: algorithms))
      + Data("\n".utf8)
  }
}

extension CurveDetails.ColorMatrix {
  /// The nine numbers row by row, with five decimals; the sum of each row is the matrix's.
  var numbers: [Double] {
    matrix.rows.flatMap { row -> [Double] in
      let (red, blue) = (Self.rounded(row.x), Self.rounded(row.z))
      return [red, Self.rounded(row.x + row.y + row.z - red - blue), blue]
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e5).rounded() / 1e5 }

  /// Creates matrices from the temperatures and nine numbers of a file, after checking them.
  ///
  /// - Parameter path: the path of the list in the file.
  static func checked(
    _ found: [(kelvin: Double, numbers: [Double])], path: String
  ) throws(LibcameraTuningError) -> [Self] {
    for (index, entry) in found.enumerated() {
      let place = "\(path)[\(index)]"
      guard entry.kelvin > 0, entry.kelvin.isFinite else {
        throw .field(place + ".ct", "is not positive and finite")
      }
      guard index == 0 || entry.kelvin > found[index - 1].kelvin else {
        throw .field(place + ".ct", "is not above the one before")
      }
      guard entry.numbers.count == 9, entry.numbers.allSatisfy({ abs($0) < 1e6 }) else {
        throw .field(place + ".ccm", "is not nine finite numbers below a million")
      }
    }
    return found.map { .init(kelvin: $0.kelvin, matrix: Matrix3x3(elements: $0.numbers)) }
  }
}
