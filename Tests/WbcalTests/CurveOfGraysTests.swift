import Foundation
import Testing

/// Results for a camera that is known by a curve of grays: the tunings of libcamera.
struct CurveOfGraysTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func convert(_ from: String, _ to: String, _ numbers: String...) async throws
    -> Workbench.Outcome
  {
    try await bench.run(
      ["convert", "--from", from, "--to", to, "--profile", "libcamera:imx219", "--"] + numbers)
  }

  /// libcamera's own file allows 0.04791 towards magenta and 0.04881 towards green. Equal gains lie
  /// at (1, 1), and the nearest point of the curve in the plane of R/G and B/G, by hand, is
  /// (0.6639, 0.6222), 0.505 away.
  @Test func gainsOffTheCurveBelongToNoLight() async throws {
    for kind in ["temperature-tint", "cct", "xy", "cct-duv"] {
      let outcome = try await convert("gains", kind, "1", "1", "1")
      outcome.expect(
        65, errors: "no light needs the gains", "from the camera's curve of grays",
        "towards magenta", "only 0.048 is allowed")
      // The header, and a row of empty fields.
      let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 3 && lines[1].allSatisfy { $0 == "," }, "\(outcome.output)")
    }
    try await convert("gains", "cct", "0.2", "1", "0.2").expect(65, errors: "towards magenta")
    try await convert("gains", "cct", "2.5", "1", "2.5").expect(65, errors: "towards green")
    try await convert("gains", "cct", "0.9", "1", "5").expect(65, errors: "beyond the ends")
  }

  /// At 4600 K, R/G is 0.6079 and B/G 0.6721; 0.03 across the segment above it is within the width.
  @Test func withinTheWidthATemperatureIsTold() async throws {
    let (red, blue) = (0.5712 - 0.6079, 0.7017 - 0.6721)
    let length = (red * red + blue * blue).squareRoot()
    for side in [0.03, -0.03] {
      let gains = [0.59 - side * blue / length, 1, 0.686 + side * red / length].map { 1 / $0 }
      let texts = gains.map { "\($0)" }
      let cct = try await convert("gains", "cct", texts[0], texts[1], texts[2])
      cct.expect(0)
      #expect(cct.errors.isEmpty)
      let kelvin = try #require(Double(cct.output.split(separator: "\n")[1]))
      #expect((4600.0...5716).contains(kelvin))
      let tint = try await convert("gains", "temperature-tint", texts[0], texts[1], texts[2])
      tint.expect(0, errors: "curve of grays, which gives a temperature but no tint")
      let fields = tint.output.split(separator: "\n")[1].split(
        separator: ",", omittingEmptySubsequences: false)
      #expect(fields.count == 2 && Double(fields[0]) == kelvin && fields[1].isEmpty)
      try await convert("gains", "xy", texts[0], texts[1], texts[2]).expect(
        65, errors: "no tint, and so no xy")
    }
  }

  /// The remark is shown once, for any number of rows.
  @Test func oneRemarkForAllRows() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "gains", "--to", "cct-duv", "--profile", "libcamera:imx219",
      input: String(repeating: "1.645,1,1.4879\n", count: 3000))
    outcome.expect(0)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors.prefix(300))")
    #expect(outcome.output.split(separator: "\n").count == 3001)
  }

  /// A tint is not dropped silently: a remark states it for a white light, and others are refused.
  @Test func aTintIsNotDropped() async throws {
    let none = try await convert("temperature-tint", "gains", "4600", "0")
    none.expect(0)
    #expect(none.errors.isEmpty)
    let some = try await convert("temperature-tint", "gains", "4600", "8")
    some.expect(0, errors: "has no tint", "8.0, is ignored")
    func numbers(_ outcome: Workbench.Outcome) -> [Double] {
      outcome.output.split(separator: "\n")[1].split(separator: ",").compactMap { Double($0) }
    }
    #expect(zip(numbers(some), numbers(none)).allSatisfy { abs($0 / $1 - 1) < 1e-12 })
    for tint in ["60", "-60", "18.5"] {
      let far = try await convert("temperature-tint", "gains", "4252", tint)
      far.expect(65, errors: "has no tint", "\(tint)")
      #expect(far.output == "red,green,blue\n,,\n")
    }
    // D65 has a tint of 9.6, and is the daylight of the curve.
    try await bench.run(
      "convert", "--light", "D65", "--to", "gains", "--profile", "libcamera:imx219"
    )
    .expect(0, errors: "D65: the profile is a curve of grays")
    let shown = try await bench.run(
      "profile", "show", "libcamera:imx219", "--light", "4252K/+0.02", "--light", "4252K/+0.002")
    #expect(shown.output.contains("4252K/+0.02        –"), "\(shown.output)")
    #expect(shown.output.contains("4252K/+0.002  1.506"), "\(shown.output)")
    let setting = ["set", "--device", Workbench.camera, "--profile", "libcamera:imx219"]
    try await bench.run(setting + ["--temperature", "5000", "--tint", "60"]).expect(
      65, errors: "has no tint")
  }

  /// The card of the report: R/G and B/G are 1 and 0.999, raw.
  @Test func anEstimateTellsNoLightOffTheCurve() async throws {
    let path = Workbench.repository.appending(
      path: "Calibration/Reports/off-curve-192x128-RG10.raw"
    )
    .path
    let outcome = try await bench.run(
      "estimate", path, "--raw", "192x128:RG10", "--black", "64", "--profile", "libcamera:imx219",
      "--json")
    outcome.expect(0, errors: "The light could not be determined from the gains", "curve of grays")
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(record["accepted"] as? Bool == true && record["gains"] != nil)
    #expect(record["temperature"] == nil && record["tint"] == nil && record["chromaticity"] == nil)
    let text = try await bench.run(
      "estimate", path, "--raw", "192x128:RG10", "--black", "64", "--profile", "libcamera:imx219")
    #expect(!text.output.contains(" K"), "\(text.output)")
  }

  /// An imported profile keeps the width; a profile that was imported earlier, without the width,
  /// has libcamera's default.
  @Test func anImportedCurveKeepsItsWidth() async throws {
    try await bench.run("profile", "import", "libcamera:imx219", "-o", "pi.json").expect(0)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(bench.read("pi.json").utf8)) as? [String: Any])
    #expect(
      record["curveWidth"] as? [String: Double] == [
        "towardsMagenta": 0.04791, "towardsGreen": 0.04881,
      ]
    )
    let off = ["convert", "--from", "gains", "--to", "cct", "--profile"]
    try await bench.run(off + ["pi.json", "1", "1", "1"]).expect(
      65, errors: "only 0.048 is allowed")
    var old = record
    old["curveWidth"] = nil
    try bench.write(
      "old.json", String(decoding: try JSONSerialization.data(withJSONObject: old), as: UTF8.self))
    try await bench.run(off + ["old.json", "1", "1", "1"]).expect(
      65, errors: "only 0.010 is allowed")
    for width in ["0", "-1", "\"wide\""] {
      let text = try bench.read("pi.json").replacing(
        #/"towardsGreen" : [\d.]+/#, with: "\"towardsGreen\" : \(width)")
      try bench.write("bad.json", text)
      try await bench.run("profile", "show", "bad.json").expect(
        65, errors: "cannot use profile bad.json")
    }
  }

  // MARK: Colors

  private func matrix(_ arguments: String...) async throws -> [[Double]] {
    let outcome = try await bench.run(["profile", "matrix"] + arguments + ["--json"])
    outcome.expect(0)
    let record = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require((record as? [String: Any])?["matrix"] as? [[Double]], "\(outcome.output)")
  }

  /// The matrix for 5932 K, interpolated by hand from those for 5920 K and 9050 K of libcamera's
  /// imx477_v1. libcamera gave a user of that camera 1.9874, −0.8473, −0.1401 and so on.
  @Test func colorsOfATuning() async throws {
    let found = try await matrix("libcamera:imx477_v1", "--light", "5932K")
    for (number, expected) in zip(
      found.joined(),
      [
        1.98732, -0.84640, -0.14091, -0.26590, 1.70833, -0.44244, -0.09562, -0.47385, 1.56947,
      ])
    {
      #expect(abs(number - expected) < 1e-5, "\(found)")
    }
    for (number, told) in zip(found[0], [1.9874, -0.8473, -0.1401]) {
      #expect(abs(number - told) < 1e-3, "\(found)")
    }
    for row in found {
      let sum = row.reduce(0, +)
      #expect(abs(sum - 1) < 1e-4)
    }
    #expect(try await matrix("libcamera:imx477_v1", "--light", "5932K", "--space", "srgb") == found)
    // The white of D65 as CIE publishes it.
    let xyz = try await matrix("libcamera:imx477_v1", "--light", "D65", "--space", "xyz")
    for (row, white) in zip(xyz, [0.95047, 1, 1.08883]) {
      let sum = row.reduce(0, +)
      #expect(abs(sum - white) < 2e-4, "\(xyz)")
    }
    let text = try await bench.run("profile", "matrix", "libcamera:imx477", "--light", "D50")
    text.expect(0)
    #expect(text.output.contains("linear srgb"))
    try await bench.run("profile", "matrix", "libcamera:imx477_v1", "--light", "2000K").expect(
      0, errors: "The tuning has color matrices from 2360 to 9050 K")
  }

  /// A file's own matrices, and files with no matrices or invalid ones.
  @Test func colorsOfATuningFile() async throws {
    let curve = #""rpi.awb": {"ct_curve": [2500, 0.9, 0.4, 8000, 0.4, 0.8]}"#
    func write(_ matrices: String) throws {
      try bench.write(
        "own.json",
        #"{"version": 2.0, "algorithms": [{\#(curve)}, {"rpi.ccm": {"ccms": [\#(matrices)]}}]}"#)
    }
    let one = #"{"ct": 3000, "ccm": [2, -1, 0, 0, 1, 0, 0, 0, 1]}"#
    try write(one + #", {"ct": 5000, "ccm": [1, 0, 0, 0, 1, 0, 0, -0.5, 1.5]}"#)
    let found = try await matrix("own.json", "--light", "4500K")
    for (number, expected) in zip(found.joined(), [1.25, -0.25, 0, 0, 1, 0, 0, -0.375, 1.375]) {
      #expect(abs(number - expected) < 1e-9, "\(found)")
    }
    // A profile stores them.
    try await bench.run("profile", "import", "own.json", "-o", "own-profile.json").expect(0)
    #expect(try await matrix("own-profile.json", "--light", "4500K") == found)
    for (bad, reason) in [
      (one + "," + one, "'algorithms[1].rpi.ccm.ccms[1].ct' is not above the one before"),
      (#"{"ct": 3000, "ccm": [1, 0, 0]}"#, "ccms[0].ccm' is not nine finite numbers"),
      (#"{"ct": -3000, "ccm": [1,0,0,0,1,0,0,0,1]}"#, "ccms[0].ct' is not positive and finite"),
      (#"{"ct": "warm"}"#, "is of the wrong type"),
    ] {
      try write(bad)
      try await bench.run("profile", "matrix", "own.json", "--light", "D65").expect(
        65, errors: "cannot use tuning own.json", reason)
    }
  }

  /// A picture of the sensor, balanced and converted to sRGB by the tuning: gray stays gray, and a
  /// red patch becomes the matrix's product.
  @Test func aPictureInTheTuningsColors() async throws {
    let path = Workbench.dng
    let outcome = try await bench.run(
      "balance", path, "--profile", "libcamera:imx477", "--light", "D50", "--to", "srgb",
      "--any-camera", "-o", "out.png", "--json")
    outcome.expect(0)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let used = try #require(record["matrix"] as? [Double])
    let own = try await matrix("libcamera:imx477", "--light", "D50").flatMap(\.self)
    for (number, expected) in zip(used, own) { #expect(abs(number - expected) < 1e-9) }
  }
}
