import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import ProfileFiles

struct YAMLTuningTests {
  /// A tuning in the forms of libcamera's own files: directives, comments, lists below and after
  /// their keys, brackets over several lines, a trailing comma, and other algorithms in between.
  static let tuning = """
    # SPDX-License-Identifier: CC0-1.0
    %YAML 1.1
    ---
    version: 1
    algorithms:
      - Agc:
      - Awb:
          algorithm: bayes # the search
          AwbMode:
            AwbAuto:
              lo: 2500
              hi: 8000
          colourGains:
            - ct: 2850
              gains: [ 1.25, 2.5 ]
            - { ct: 6500, gains: [ 2.0,
                  1.25, ] }
          priors:
            - lux: 0
              ct: [ 2000, 13000 ]
              probability: [ 1.005, 1.0 ]
          transversePos: 0.02
          transverseNeg: "0.03"
      - BlackLevelCorrection:
          R: 4096
      - Ccm:
          ccms:
          - ct: 2850
            ccm: [ 2, -1, 0,
                   0, 1, 0,
                   0, -0.5, 1.5, ]
            offsets: [ 0, 0, 0 ]
          - ct: 6500
            ccm: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
      - LensShadingCorrection:
          x-size: [ 0.0625, 0.0625 ]
    ...

    """

  @Test func whatAFileSays() throws {
    for text in [Self.tuning, Self.tuning.replacing("\n", with: "\r\n")] {
      let tuning = try LibcameraTuning(reading: Data(text.utf8))
      #expect(
        tuning.camera.points == [
          .init(kelvin: 2850, red: 0.8, blue: 0.4), .init(kelvin: 6500, red: 0.5, blue: 0.8),
        ])
      #expect(tuning.transversePositive == 0.02 && tuning.transverseNegative == 0.03)
      #expect(tuning.colorMatrices.map(\.kelvin) == [2850, 6500])
      #expect(tuning.colorMatrices[0].matrix.rows[2] == SIMD3(0, -0.5, 1.5))
    }
  }

  @Test(arguments: [LibcameraTuning.YAMLPipeline.softwareISP, .rkisp1])
  func whatIsWrittenIsReadBack(pipeline: LibcameraTuning.YAMLPipeline) throws {
    for name in LibcameraTuning.shippedNames {
      let own = try #require(LibcameraTuning(named: name))
      let back = try LibcameraTuning(reading: Data(own.yaml(for: pipeline).utf8))
      #expect(back.camera.points.count == own.camera.points.count)
      for (one, other) in zip(back.camera.points, own.camera.points) {
        #expect(abs(one.red / other.red - 1) < 1e-5 && abs(one.blue / other.blue - 1) < 1e-5)
      }
      #expect(back.colorMatrices.count == own.colorMatrices.count)
      for (one, other) in zip(back.colorMatrices, own.colorMatrices) {
        for (a, b) in zip(one.matrix.rows, other.matrix.rows) {
          #expect(max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)) < 2e-5)
        }
      }
    }
  }

  @Test(arguments: [
    ("version: 1\n", "no algorithm 'Awb'"), ("---\n", "no algorithm 'Awb'"),
    ("algorithms:\n  - Awb:\n", "'colourGains'"),
    ("algorithms:\n  - Awb:\n      colourGains:\n        - ct: x\n", "colourGains[0].ct"),
    (
      "algorithms:\n  - Awb:\n      colourGains:\n        - ct: 1\n          gains: [ 1 ]\n",
      "colourGains[0].gains"
    ),
    (
      "algorithms:\n  - Awb:\n      colourGains:\n        - ct: 1\n          gains: [ 1, 2 ]\n",
      "at least 2 points"
    ),
    ("algorithms:\n\t- Awb:\n", "line 2: it is indented with a tab"),
    ("a: 1\n   b: 2\nc\n", "line 2"),
    ("a: [1, [2}\n", "line 1: its brackets"), ("a: [[1]\nb: 2\n", "line 1: its brackets"),
  ])
  func filesThatAreRefused(text: String, reason: String) {
    do {
      _ = try LibcameraTuning(reading: Data(text.utf8))
      Issue.record("\(text) is read")
    } catch { #expect(error.description.contains(reason), "\(error)") }
  }

  @Test func deepNestingIsRefused() {
    let brackets = "a: " + String(repeating: "[", count: 100_000)
    let dashes = "a:\n" + String(repeating: "- ", count: 10_000) + "1"
    for text in [brackets, dashes] {
      #expect(throws: LibcameraTuningError.self) {
        try LibcameraTuning(reading: Data(text.utf8))
      }
    }
  }

  @Test func valuesOfText() throws {
    let value = try YAMLText.value(
      of: "a: 'it: is'\n\"b\": [x, {c: 1, d: [2, 3]}]\ne:\n- 1\n-\n  f: g # h\ni: j#k\n")
    #expect(
      value
        == .map([
          "a": .scalar("it: is"),
          "b": .list([
            .scalar("x"), .map(["c": .scalar("1"), "d": .list([.scalar("2"), .scalar("3")])]),
          ]), "e": .list([.scalar("1"), .map(["f": .scalar("g")])]), "i": .scalar("j#k"),
        ]))
  }
}
