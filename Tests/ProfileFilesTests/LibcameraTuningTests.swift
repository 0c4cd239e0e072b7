import ColorScience
import Foundation
import ProfileFiles
import Testing
import WhiteBalance

struct LibcameraTuningTests {
  /// The sections on white balance from libcamera's src/ipa/rpi/vc4/data/ov64a40.json
  /// (BSD-2-Clause), which has a trailing comma.
  static let ov64a40 = """
    {
        "version": 2.0,
        "target": "bcm2835",
        "algorithms": [
            { "rpi.dpc": { } },
            { "rpi.awb":
                {
                    "modes":
                    {
                        "daylight": { "lo": 5500, "hi": 6500 },
                    },
                    "bayes": 1,
                    "ct_curve":
                    [
                        2300.0, 1.0522, 0.4091,
                        2700.0, 0.7884, 0.4327,
                        3000.0, 0.7597, 0.4421,
                        4000.0, 0.5972, 0.5404,
                        4150.0, 0.5598, 0.5779,
                        6500.0, 0.4388, 0.7582
                    ],
                    "sensitivity_r": 1.0,
                    "sensitivity_b": 1.05,
                    "transverse_pos": 0.0558,
                    "transverse_neg": 0.04278
                }
            }
        ]
    }
    """

  private func tuning(_ text: String) throws -> LibcameraTuning {
    try LibcameraTuning(reading: Data(text.utf8))
  }

  private func section(_ fields: String) -> String {
    #"{"version": 2.0, "algorithms": [{"rpi.dpc": {}}, {"rpi.awb": {\#(fields)}}]}"#
  }

  @Test func aShippedFileThatIsNotStrict() throws {
    let tuning = try tuning(Self.ov64a40)
    #expect(tuning.camera.points.count == 6)
    #expect(tuning.camera.points[3] == .init(kelvin: 4000, red: 0.5972, blue: 0.5404))
    #expect(tuning.transversePositive == 0.0558)
    #expect(tuning.transverseNegative == 0.04278)
    #expect(tuning.sensitivityRed == 1)
    #expect(tuning.sensitivityBlue == 1.05)
  }

  /// Everything except the curve and the sensitivities is kept to the last byte.
  @Test func replacesOnlyTheCurve() throws {
    let own = LibcameraTuning(
      camera: try CurveCameraModel(points: [
        .init(kelvin: 2500, red: 0.9, blue: 0.4), .init(kelvin: 8000, red: 0.4, blue: 0.8),
      ]))
    let text = "# our [unit]\n" + Self.ov64a40.replacing("\"rpi.dpc\"", with: "\"rpi.b,c]}\\\"\"")
    let curve = try #require(text.range(of: "[\n                    2300"))
    let end = try #require(text.range(of: "0.7582\n                ]"))
    let expected =
      (text[..<curve.lowerBound] + "[2500.0, 0.9, 0.4,  8000.0, 0.4, 0.8]"
      + text[end.upperBound...]).replacing("1.05,", with: "1.0,")
    let file = try own.json(replacingIn: Data(text.utf8))
    #expect(String(decoding: file, as: UTF8.self) == expected)
    let read = try LibcameraTuning(reading: file)
    #expect(read.camera == own.camera && read.sensitivityBlue == 1)
    #expect(read.transversePositive == 0.0558)
    // This is of version 1, and its section is not the first.
    let old = #"{"rpi.agc": [{"ct_curve": [1]}], "rpi.awb": {"ct_curve": [1,1,1,2,2,2]}}"#
    #expect(
      String(decoding: try own.json(replacingIn: Data(old.utf8)), as: UTF8.self)
        == old.replacing("[1,1,1,2,2,2]", with: "[2500.0, 0.9, 0.4,  8000.0, 0.4, 0.8]"))
    #expect(throws: LibcameraTuningError.noCurve) {
      try own.json(replacingIn: Data(#"{"algorithms": []}"#.utf8))
    }
  }

  private static let colors: LibcameraTuning = {
    var tuning = LibcameraTuning(
      camera: try! CurveCameraModel(points: [
        .init(kelvin: 2500, red: 0.8, blue: 0.4), .init(kelvin: 8000, red: 0.4, blue: 0.8),
      ]))
    tuning.blackLevel = 4096
    tuning.colorMatrices = [
      .init(
        kelvin: 2500,
        matrix: Matrix3x3(
          SIMD3(1.7, -0.5, -0.2), SIMD3(-0.2, 1.500004, -0.300004), SIMD3(0.05, -0.55, 1.5))),
      .init(kelvin: 8000, matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1))),
    ]
    return tuning
  }()

  /// The file is as libcamera's `awb_bayes.cpp`, `ccm.cpp` and `blc.cpp` read it.
  @Test func softwareISP() throws {
    let text = """
      %YAML 1.1
      ---
      version: 1
      algorithms:
        - BlackLevel:
            blackLevel: 4096
        - Awb:
            algorithm: bayes
            AwbMode:
              AwbAuto:
                lo: 2500
                hi: 8000
            colourGains:
              - ct: 2500
                gains: [ 1.25, 2.5 ]
              - ct: 8000
                gains: [ 2.5, 1.25 ]
            priors:
              - lux: 0
                ct: [ 2500, 8000 ]
                probability: [ 1.0, 1.0 ]
            transversePos: 0.01
            transverseNeg: 0.01
        - Ccm:
            ccms:
              - ct: 2500
                ccm: [ 1.7, -0.5, -0.2,
                       -0.2, 1.5, -0.3,
                       0.05, -0.55, 1.5 ]
                offsets: [ 0, 0, 0 ]
              - ct: 8000
                ccm: [ 1.0, 0.0, 0.0,
                       0.0, 1.0, 0.0,
                       0.0, 0.0, 1.0 ]
                offsets: [ 0, 0, 0 ]
        - Adjust:
        - Agc:
      ...

      """
    #expect(Self.colors.yaml(for: .softwareISP) == text)
    var dark = Self.colors
    dark.blackLevel = nil
    dark.colorMatrices = []
    let bare = dark.yaml(for: .rkisp1)
    #expect(bare.hasPrefix("%YAML 1.1\n---\nversion: 1\nalgorithms:\n  - BlackLevelCorrection:\n"))
    #expect(bare.contains("  - Agc:\n") && !bare.contains("Ccm"))
    // Replacing in the written file changes nothing, and the text of others is kept.
    #expect(try Self.colors.yaml(for: .softwareISP, replacingIn: text) == text)
    let others = """
      # ours
      version: 1
      algorithms:
      - Agc:
      - Awb:
          # gray

      # - Ccm: is for later
      - BlackLevelCorrection:
          R: 1

      - Filter:
      """
    let merged = try Self.colors.yaml(for: .rkisp1, replacingIn: others)
    let lines = merged.split(separator: "\n").map(String.init)
    #expect(lines.count { $0.hasPrefix("- ") } == 5)
    #expect(
      lines.filter { !$0.hasPrefix(" ") } == [
        "# ours", "version: 1", "algorithms:", "- Agc:", "- Awb:", "# - Ccm: is for later",
        "- BlackLevelCorrection:", "- Ccm:", "- Filter:",
      ]
        || lines.filter { !$0.hasPrefix(" ") } == [
          "# ours", "version: 1", "algorithms:", "- Agc:", "- Awb:", "- Ccm:",
          "# - Ccm: is for later", "- BlackLevelCorrection:", "- Filter:",
        ])
    for line in ["    Gr: 4096", "      - ct: 2500", "        gains: [ 1.25, 2.5 ]"] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(!merged.contains("# gray") && !merged.contains("R: 1\n"))
    #expect(throws: LibcameraTuningError.noAlgorithms) {
      try Self.colors.yaml(for: .rkisp1, replacingIn: "version: 1\n")
    }
  }

  /// Tests the ways in which YAML writes an entry, and Windows line ends.
  @Test(arguments: [
    "- Awb:\n      old: 1", "- Awb :\n      old: 1", "- \"Awb\":\n      old: 1",
    "- 'Awb':\n      old: 1", "-\n    Awb:\n      old: 1", "- # ours\n    Awb:\n      old: 1",
    "-   Awb: { old: 1 }", "- Awb:\t# ours\n      old: 1",
  ])
  func anyLayoutIsReplaced(entry: String) throws {
    let text = "version: 1\nalgorithms:\n  - Agc:\n  \(entry)\n  - Filter:\n"
    let merged = try Self.colors.yaml(for: .rkisp1, replacingIn: text)
    #expect(merged.components(separatedBy: "Awb").count == 4, "Awb and AwbMode and AwbAuto")
    #expect(!merged.contains("old"))
    #expect(merged.contains("  - Agc:\n") && merged.hasSuffix("  - Filter:\n"))
    let windows = try Self.colors.yaml(
      for: .rkisp1, replacingIn: text.replacing("\n", with: "\r\n"))
    #expect(windows.replacing("\r\n", with: "\n") == merged)
    #expect(!windows.replacing("\r\n", with: "").contains("\n"))
  }

  /// Small numbers keep their values, and no temperature occurs twice.
  @Test func numbersOfYAMLKeepTheirDigits() throws {
    let small = LibcameraTuning(
      camera: try CurveCameraModel(points: [
        .init(kelvin: 2500, red: 0.8, blue: 4e5), .init(kelvin: 2500.2, red: 0.79, blue: 0.41),
        .init(kelvin: 8000, red: 0.4, blue: 0.8),
      ]), transversePositive: 3e-6, transverseNegative: 0.0123456)
    let text = small.yaml(for: .rkisp1)
    #expect(text.contains("gains: [ 1.25, 0.0000025 ]"))
    #expect(text.contains("transversePos: 0.000003") && text.contains("transverseNeg: 0.0123456"))
    #expect(text.components(separatedBy: "ct: 2500\n").count == 2)
  }

  /// Color matrices and black level are written to a new file, and replaced in an existing one.
  @Test func colorsOfARaspberryPi() throws {
    struct File: Decodable {
      struct Algorithm: Decodable {
        struct Colors: Decodable {
          struct Matrix: Decodable { var ct: Double, ccm: [Double] }
          var ccms: [Matrix]
        }
        struct Black: Decodable { var black_level: Int }
        var colors: Colors?
        var black: Black?
        enum CodingKeys: String, CodingKey {
          case colors = "rpi.ccm"
          case black = "rpi.black_level"
        }
      }
      var algorithms: [Algorithm]
    }
    let old = #"""
      {"version": 2.0, "algorithms": [
        {"rpi.black_level": {"black_level": 1}}, {"rpi.awb": {"ct_curve": [1,1,1,2,2,2]}},
        {"rpi.ccm": {"saturation": 7, "ccms": [{"ct": 9, "ccm": [1]}]}}]}
      """#
    for data in [
      try Self.colors.json(), try Self.colors.json(replacingIn: Data(old.utf8)),
    ] {
      let file = try JSONDecoder().decode(File.self, from: data)
      #expect(file.algorithms.compactMap(\.black).map(\.black_level) == [4096])
      let matrices = try #require(file.algorithms.compactMap(\.colors).first).ccms
      #expect(matrices.map(\.ct) == [2500, 8000])
      #expect(matrices[0].ccm == [1.7, -0.5, -0.2, -0.2, 1.5, -0.3, 0.05, -0.55, 1.5])
      #expect(try LibcameraTuning(reading: data).camera == Self.colors.camera)
    }
    #expect(
      String(decoding: try Self.colors.json(replacingIn: Data(old.utf8)), as: UTF8.self)
        .contains("\"saturation\": 7"))
  }

  @Test func commentsByteOrderMarkAndOldFiles() throws {
    let old = """
      \u{FEFF}// "rpi.awb": { is what counts
      {   # as YAML has it
        "note /* none */ \\" // none": "kept, ]",
        "rpi.awb": { "ct_curve": [2500, 0.9, /* , */ 0.3, 6500, 0.4, 0.8, ], },
      }
      """
    let tuning = try tuning(old.replacing("\n", with: "\r\n"))
    #expect(tuning.camera.range == 2500...6500)
    #expect(tuning.transversePositive == 0.01)
    #expect(tuning.sensitivityBlue == 1)
  }

  @Test(arguments: [
    ("", "it is not JSON: "),
    ("[", "it is not JSON: "),
    (#"{"algorithms": [1 2]}"#, "unexpected '2' in line 1, column 19"),
    (#"{"rpi.awb": {"ct_curve": [1e999]}}"#, "it is not JSON: number 1e999"),
    (#"{"a": "open"#, "it is not JSON: "),
    ("{/* open", "it is not JSON: "),
    ("\"", "it is not JSON: "),
    ("\"\\", "it is not JSON: "),
    ("{}", "it has no algorithm 'rpi.awb' with a 'ct_curve'"),
    (#"{"algorithms": []}"#, "no algorithm 'rpi.awb'"),
    (#"{"algorithms": [{"rpi.awb": {"bayes": 0}}]}"#, "no algorithm 'rpi.awb' with a 'ct_curve'"),
    ("[]", "'the top level' is of the wrong type"),
    (#"{"algorithms": {}}"#, "'algorithms' is of the wrong type"),
    (#"{"algorithms": [1]}"#, "'algorithms[0]' is of the wrong type"),
    (#"{"algorithms": [{"rpi.awb": []}]}"#, "'algorithms[0].rpi.awb' is of the wrong type"),
    (
      #"{"rpi.awb": {"ct_curve": [1, 1, "x"]}}"#, "'rpi.awb.ct_curve[2]' is of the wrong type"
    ),
    (
      #"{"rpi.awb": {"ct_curve": [2500, 1, 1, 3000]}}"#,
      "'rpi.awb.ct_curve' has 4 numbers instead of three for each temperature"
    ),
    (
      #"{"rpi.awb": {"ct_curve": []}}"#,
      "'rpi.awb.ct_curve' does not define a camera: the curve needs at least 2 points and has 0"
    ),
    (
      #"{"rpi.awb": {"ct_curve": [3000, 1, 1, 2500, 0.9, 1.1]}}"#,
      "does not define a camera: the temperature of point 2"
    ),
    (
      #"{"rpi.awb": {"ct_curve": [3000, 1, 1, 3500, -0.9, 1.1]}}"#,
      "does not define a camera: point 2 of the curve has a number that is not positive"
    ),
    (
      #"{"rpi.awb": {"ct_curve": [3000, 1, 1, 3500, 0.9, 1.1], "transverse_neg": 0}}"#,
      "'rpi.awb.transverse_neg' is not positive and finite"
    ),
    (
      #"{"rpi.awb": {"ct_curve": [3000, 1, 1, 3500, 0.9, 1.1], "sensitivity_r": "a"}}"#,
      "'rpi.awb.sensitivity_r' is of the wrong type"
    ),
  ])
  func damage(_ text: String, _ message: String) throws {
    let error = try #require(throws: LibcameraTuningError.self) { try tuning(text) }
    #expect(error.description.contains(message), "\(error)")
  }

  /// Each value of a section is checked, and an error names the section's path.
  @Test(arguments: ["transverse_pos", "transverse_neg", "sensitivity_r", "sensitivity_b"])
  func fieldsThatMustBePositive(_ name: String) throws {
    let text = section(#""ct_curve": [3000, 1, 1, 3500, 0.9, 1.1], "\#(name)": -1"#)
    #expect(
      throws: LibcameraTuningError.field(
        "algorithms[1].rpi.awb.\(name)", "is not positive and finite")
    ) { try tuning(text) }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func depthIsRefused(_ opening: String) throws {
    let deep = #"{"a": "# + String(repeating: opening, count: 200_000)
    let error = try #require(throws: LibcameraTuningError.self) { try tuning(deep) }
    #expect(error.description.contains("nested"), "\(error)")
  }

  /// The file has everything that libcamera needs to search the curve, and the tuning's values.
  @Test func written() throws {
    let original = try tuning(Self.ov64a40)
    let data = try original.json(target: "pisp")
    #expect(try LibcameraTuning(reading: data) == original)
    let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(file["version"] as? Double == 2)
    #expect(file["target"] as? String == "pisp")
    let algorithms = try #require(file["algorithms"] as? [[String: [String: Any]]])
    let section = try #require(algorithms.first?["rpi.awb"])
    #expect(section["bayes"] as? Int == 1)
    #expect((section["ct_curve"] as? [Double])?.prefix(4) == [2300, 1.0522, 0.4091, 2700])
    #expect(section["sensitivity_b"] as? Double == 1.05)
    #expect(section["transverse_neg"] as? Double == 0.04278)
    let modes = try #require(section["modes"] as? [String: [String: Double]])
    #expect(modes == ["auto": ["lo": 2300, "hi": 6500]])
    #expect((section["priors"] as? [Any])?.count == 1)
  }

  /// The matrix is known: R/G and B/G are X/Y and Z/Y of the light.
  @Test func sampledFromAnyCamera() throws {
    let camera = try MatrixCameraModel(matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)))
    let tuning = try LibcameraTuning(sampling: camera)
    #expect(tuning.camera.points.map(\.kelvin) == LibcameraTuning.sampledTemperatures)
    // These are 3000 K on the Planckian locus, and D50 by the polynomial of CIE 015: x 0.3457, y
    // 0.3587.
    let warm = tuning.camera.points[2]
    #expect(abs(warm.red - 0.4369 / 0.4041) < 1e-3)
    let day = tuning.camera.points[7]
    #expect(abs(day.red - 0.3457 / 0.3587) < 1e-3)
    #expect(abs(day.blue - (1 - 0.3457 - 0.3587) / 0.3587) < 1e-3)
    #expect(warm.red > day.red && warm.blue < day.blue)
  }

  /// The nominal temperature of CIE daylight equals its correlated color temperature, to the
  /// precision of a curve.
  @Test func daylightHasItsNominalTemperature() throws {
    for kelvin in LibcameraTuning.sampledTemperatures {
      let light = try #require(CorrelatedColorTemperature(LibcameraTuning.light(kelvin: kelvin)))
      #expect(abs(light.kelvin / kelvin - 1) < 1e-3)
    }
  }

  @Test func aCameraWithACurveKeepsIt() throws {
    let curve = try tuning(Self.ov64a40).camera
    #expect(try LibcameraTuning(sampling: curve).camera == curve)
  }

  @Test func camerasWithoutACurve() throws {
    let camera = try MatrixCameraModel(matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)))
    #expect(throws: LibcameraTuningError.tooFewTemperatures(1)) {
      try LibcameraTuning(sampling: camera, at: [5000, .nan])
    }
    // This camera responds with twice as much green under every light.
    let blind = BlindCamera()
    let error = try #require(throws: LibcameraTuningError.self) {
      try LibcameraTuning(sampling: blind)
    }
    #expect(
      error.description == "'ct_curve' does not define a camera: point 2 of the curve has the same "
        + "ratios as the point before")
  }
}

private struct BlindCamera: CameraModel {
  func response(to light: Chromaticity, lightClass: LightClass?) -> LinearRGB? {
    LinearRGB(red: 0.5, green: 1, blue: 0.5)
  }
  func lights(for gains: Gains, lightClass: LightClass?) -> [Chromaticity] { [] }
  func logGainSlopes(at light: Chromaticity, lightClass: LightClass?) -> LogGainSlopes? { nil }
}
