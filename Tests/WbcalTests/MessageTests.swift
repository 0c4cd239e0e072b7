import ColorScience
import Foundation
import Testing

@testable import wbcal

/// Messages are true, appear once and name their subject.
struct MessageTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// The line of a table is named once, for any error in it.
  @Test(arguments: [
    "1,1,1,A,-1,", "1,1,1,A,,x", "1,1,1,Q,,", "1,x,1,A,,", "1,1,0,A,,", "1,1,1,spd:no.csv,,",
    "1,1,1,spd:bad.csv,,", "1,1,1,,,",
  ])
  func placesAreSaidOnce(row: String) async throws {
    try bench.write("t.csv", "r,g,b,light,noise,uncertainty\n\(row)\n")
    try bench.write("bad.csv", "400,x\n")
    let outcome = try await bench.run("calibrate", "--shots", "t.csv", "-o", "desk.json")
    #expect([65, 66].contains(outcome.status))
    #expect(outcome.errors.components(separatedBy: "t.csv, line 2").count == 2, "\(outcome.errors)")
  }

  /// An invalid light and an invalid response are both bad data of a shot.
  @Test func badShotsHaveOneCode() async throws {
    for shot in ["rgb:1,2@D65", "rgb:1,2,3@D66", "rgb:1,2,0@D65"] {
      try await bench.run("calibrate", "--shot", shot, "-o", "desk.json").expect(
        65, errors: "Nothing")
    }
  }

  @Test func namesThatAreEmpty() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try await bench.run("estimate", "").expect(66, errors: "'' does not exist")
    try await bench.run("profile", "show", "").expect(66, errors: "cannot read '':")
    try await bench.run("balance", "card.ppm", "-o", "").expect(74, errors: "cannot write '':")
    try await bench.run("calibrate", "--shots", "", "-o", "x.json").expect(
      66, errors: "cannot read ''")
  }

  /// A file whose name ends at the NUL is another one.
  @Test func namesWithANUL() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    let folder = bench.folder.path
    try bench.write("t.csv", "image,light\n\(folder)/card.ppm\0.png,A\n")
    try await bench.run("calibrate", "--shots", "t.csv", "-o", "x.json").expect(
      65, errors: "line 2: the line contains a NUL")
    try bench.write("s.csv", "400,1\n550,1\n700,1\n")
    try bench.write("t.csv", "r,g,b,light\n1,1,1,spd:\(folder)/s.csv\0.csv\n")
    try await bench.run("calibrate", "--shots", "t.csv", "-o", "x.json").expect(
      65, errors: "line 2: the line contains a NUL")
    #expect(try bench.files() == ["card.ppm", "s.csv", "t.csv"])
  }

  /// The first of two files exists when the second one fails.
  @Test func whatWasWritten() async throws {
    try await bench.makeProfile()
    let outcome = try await bench.run(
      "profile", "export", "desk.json", "--icc", "a.icc", "--dcp", "no/a.dcp", "--camera", "Cam")
    outcome.expect(74, errors: "cannot write no/a.dcp", "Only a.icc was written.")
    #expect(!outcome.errors.contains("Nothing was saved"))
    #expect(try bench.files() == ["a.icc", "desk.json"])
    try await bench.run(
      "profile", "export", "desk.json", "--icc", "no/a.icc", "--dcp", "b.dcp", "--camera", "Cam"
    ).expect(74, errors: "Nothing was saved.")
    #expect(try bench.files() == ["a.icc", "desk.json"])
  }

  @Test func noNumberIsANegativeOne() async throws {
    for decimals in 0...4 {
      #expect(fixed(-Double.nan, decimals: decimals) == "nan")
      #expect(fixed(.nan, decimals: decimals) == "nan")
    }
    let outcome = try await bench.run("calibrate", "--shot", "rgb:-nan,1,1@D65", "-o", "x.json")
    outcome.expect(65, errors: "not positive and finite")
    #expect(!outcome.errors.replacing("rgb:-nan", with: "").contains("-nan"))
    try await bench.run("estimate", "x.ppm", "--white", "nan").expect(64, errors: "--white")
    try await bench.run("estimate", "x.ppm", "--black=-nan").expect(64, errors: "--black")
  }

  @Test func everyExitCodeIsDocumented() async throws {
    for text in [
      try await bench.run("--help").output, try await bench.run("generate-manual").output,
    ] {
      for code in ["130", "131", "141", "143", "77"] { #expect(text.contains(code), "\(code)") }
    }
  }

  /// The reader of the output may close it, also while the camera is in use; the camera's settings
  /// are then restored.
  @Test(arguments: ["", "trap '' PIPE; "]) func outputThatNobodyReads(before: String) throws {
    let device = Workbench.camera + ",fps=30"
    let outcome = try bench.runProcess(
      "watch", "--device", device, "--json", "--every", "0.05",
      shell: before + "\"$@\" | head -1; exit ${PIPESTATUS[0]}")
    #expect(outcome.status == 141)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("{"))
  }
}
