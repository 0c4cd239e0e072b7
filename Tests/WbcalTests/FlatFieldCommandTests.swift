import CameraProfiles
import ColorScience
import Foundation
import ProfileFiles
import Testing
import WbcalImageFiles
import WhiteBalance
import WhiteBalanceTestSupport

@testable import wbcal

/// The shading of a simulated lens: `calibrate --flat` measures it, and `estimate` and `balance`
/// correct it.
struct FlatFieldCommandTests {
  /// The kind of file that a picture is stored as.
  enum Kind: String, CaseIterable, Sendable {
    /// Read in strips.
    case pixmap = "ppm", bareFrame = "raw"
    /// Read as a whole.
    case png
    #if RawPhotographs
    case dng
    #endif

    /// The options with which its files are read.
    var options: [String] {
      switch self {
      case .pixmap: ["--transfer", "linear"]
      case .bareFrame: ["--raw", "640x480:RG12", "--black", "64"]
      default: []
      }
    }

    func layout(_ width: Int, _ height: Int) throws -> FrameLayout {
      switch self {
      case .pixmap: try FrameLayout(width: width, height: height, format: .rgb16)
      case .png: try FrameLayout(width: width, height: height, format: .rgb16, transfer: .sRGB)
      default:
        try FrameLayout(
          width: width, height: height, format: .bayer(.rggb, bits: 12), blackLevel: 64)
      }
    }
  }

  private static let corners = ["0,0,60,44", "580,0,60,44", "0,436,60,44", "580,436,60,44"]
  private static let middle = "290,218,60,44"

  private let bench: Workbench
  private let lens: SimulatedFlat

  init() throws {
    bench = try Workbench()
    var lens = SimulatedFlat()
    (lens.shading, lens.red, lens.blue, lens.middle) = (0.35, 0.1, -0.12, SIMD2(0.05, -0.04))
    self.lens = lens
  }

  /// Stores a picture of the lens.
  private func write(
    _ name: String, _ kind: Kind, of flat: SimulatedFlat? = nil, number: UInt64 = 0,
    width: Int = 640, height: Int = 480
  ) throws {
    let frame = try (flat ?? lens).frame(kind.layout(width, height), shot: number)
    try Data(file(frame, kind, name)).write(to: bench.folder.appending(path: name))
  }

  private func file(_ frame: Frame, _ kind: Kind, _ name: String) throws -> [UInt8] {
    switch kind {
    case .bareFrame: return frame.bytes
    case .pixmap:
      return try PictureWriter.encode(frame, as: .pnm, path: name, isSRGB: false, iccProfile: nil)
    case .png:
      return try PictureWriter.encode(frame, as: .png, path: name, isSRGB: true, iccProfile: nil)
    #if RawPhotographs
    case .dng:
      var camera = DNGProfile(uniqueCameraModel: "Simulated lens", calibrations: [])
      camera.asShotWhite = .neutral(LinearRGB(red: 0.7, green: 1, blue: 0.6))
      return try DNGPicture(frame, camera: camera).encoded()
    #endif
    }
  }

  private func record(_ outcome: Workbench.Outcome) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
      "\(outcome.output)\(outcome.errors)")
  }

  /// The gains that `estimate` states for a card in a region, with green 1.
  private func gains(
    _ name: String, _ region: String, _ options: [String]
  ) async throws -> (SIMD3<Double>, [String: Any]) {
    let outcome = try await bench.run(
      ["estimate", name, "--region", region, "--json"] + options)
    let record = try record(outcome)
    let gains = try #require(record["gainsGreenOne"] as? [String: Double], "\(outcome.errors)")
    return (
      SIMD3(try #require(gains["red"]), 1, try #require(gains["blue"])), record
    )
  }

  private func largest(_ error: SIMD3<Double>) -> Double { max(error.max(), -error.min()) }

  /// Another picture of the same lens is even after the correction: a card in a corner has the
  /// gains of one in the middle, and the balanced picture has equal corners.
  @Test(arguments: Kind.allCases) func cornersAreNeutral(kind: Kind) async throws {
    let suffix = kind.rawValue
    try await bench.makeProfile()
    for number in 1...2 as ClosedRange<UInt64> {
      try write("flat\(number).\(suffix)", kind, number: number)
    }
    let measured = try await bench.run(
      [
        "calibrate", "--profile", "desk.json", "--flat", "flat1.\(suffix)", "--flat",
        "flat2.\(suffix)",
      ]
        + kind.options)
    measured.expect(0)
    #expect(measured.output.contains("flat field of 2 pictures of 640×480"))
    #expect(measured.output.contains("saved desk.json"), "\(measured.output)")

    try write("card.\(suffix)", kind, number: 9)
    let profile = ["--profile", "desk.json"]
    let truth = lens.light.y / lens.light
    for region in Self.corners {
      let (before, plain) = try await gains("card.\(suffix)", region, kind.options)
      #expect(largest(before / truth - 1) > 0.03)
      #expect(plain["shadingError"] == nil)
      let (after, record) = try await gains("card.\(suffix)", region, kind.options + profile)
      #expect(largest(after / truth - 1) <= 0.005, "\(region): \(after)")
      let error = try #require(record["shadingError"] as? Double)
      #expect((0.0001...0.01).contains(error))
    }
    try await balanceIsEven(kind)
    try await verifyMeasuresCorners(kind)
  }

  /// `verify` measures the corners of another picture before and after the correction, by whose
  /// color it passes.
  private func verifyMeasuresCorners(_ kind: Kind) async throws {
    let name = "card.\(kind.rawValue)"
    let verify = ["verify", name, "--flat", "--json"] + kind.options
    func difference(_ outcome: Workbench.Outcome, _ key: String) throws -> [String: Double]? {
      try record(outcome)[key] as? [String: Double]
    }
    let plain = try await bench.run(verify)
    plain.expect(65, errors: "the corners have another color than the middle; 'wbcal calibrate")
    #expect(try difference(plain, "corrected") == nil)
    let outcome = try await bench.run(verify + ["--profile", "desk.json"])
    outcome.expect(0)
    let before = try #require(try difference(outcome, "corners"))
    let after = try #require(try difference(outcome, "corrected"))
    #expect(try difference(plain, "corners") == before)
    // The middles of regions of a sixteenth of the sides.
    let place = 15.0 / 16
    let truths = [(-place, -place), (place, -place), (-place, place), (place, place)]
      .map { 1 / lens.gains($0, $1) }
    let share = try #require(truths.map { largest($0 - 1) }.max())
    let color = try #require(truths.map { Neutrality(of: LinearRGB(0.18 * $0))!.ciede2000 }.max())
    #expect(abs(try #require(before["share"]) - share) <= 0.005, "\(before) \(share)")
    #expect(abs(try #require(before["ciede2000"]) - color) <= 0.2, "\(before) \(color)")
    #expect(try #require(after["share"]) <= 0.005)
    #expect(try #require(after["ciede2000"]) <= 0.4)
  }

  /// Balances a card in the middle, and measures the picture that this writes.
  private func balanceIsEven(_ kind: Kind) async throws {
    let suffix = kind.rawValue
    let isRaw = suffix == "dng"
    let balanced = try await bench.run(
      [
        "balance", "card.\(suffix)", "--profile", "desk.json", "--region", Self.middle, "-o",
        "out.\(suffix)", "--json",
      ] + kind.options + (isRaw ? ["--to", "dng"] : []))
    balanced.expect(0)
    if isRaw { #expect(try record(balanced)["hasShading"] as? Bool == true) }
    func response(_ region: String) async throws -> SIMD3<Double> {
      let outcome = try await bench.run(
        ["estimate", "out.\(suffix)", "--region", region, "--json"] + kind.options)
      let rgb = try #require(try record(outcome)["rgb"] as? [Double], "\(outcome.errors)")
      return SIMD3(rgb[0], rgb[1], rgb[2])
    }
    let middle = try await response(Self.middle)
    if !isRaw { #expect(largest(middle / middle.y - 1) <= 0.005, "\(middle)") }
    for region in Self.corners {
      let error = try await response(region) / middle - 1
      #expect(largest(error) <= 0.005, "\(region): \(error)")
    }
    guard isRaw else { return }
    // The gains in the file are not followed by those of the profile.
    let again = try await bench.run(
      "estimate", "out.dng", "--region", Self.corners[0], "--profile", "desk.json")
    again.expect(0, errors: "flat field is not used")
    try await bench.run("calibrate", "--profile", "desk.json", "--flat", "out.dng")
      .expect(65, errors: "out.dng has a gain map of its own")
  }

  #if RawPhotographs
  /// Pictures that a camera takes get the flat field of its profile: in DNG files as gains, which
  /// readers apply, in other files as codes.
  @Test func picturesOfACamera() async throws {
    let device = "simulated:format=RG12,shutter=absolute,lens=none,size=640x480,light=D65"
    try await bench.run(
      "calibrate", "--device", device, "--light", "D65", "-o", "desk.json"
    ).expect(0)
    try write("flat.dng", .dng)
    let camera = ["--device", device, "--profile", "desk.json"]
    // Neither has gains yet.
    try await bench.run(["bracket", "--count", "1", "-o", "plain.tiff"] + camera).expect(0)
    try await bench.run(
      "calibrate", "--profile", "desk.json", "--flat", "flat.dng", "--any-camera"
    ).expect(0)
    let data = try Data(contentsOf: bench.folder.appending(path: "desk.json"))
    let saved = try JSONDecoder().decode(CameraProfile.self, from: data)
    let field = try #require(saved.flatFields.first)
    try await bench.run(["snapshot", "-o", "snapshot.dng"] + camera).expect(0)
    try await bench.run(["bracket", "--count", "1", "-o", "bracket.dng"] + camera).expect(0)
    try await bench.run(["bracket", "--count", "1", "-o", "even.tiff"] + camera).expect(0)
    try await bench.run(
      ["stream", "--light", "D65", "--frames", "1", "--to", "stream.dng"] + camera
    ).expect(0)
    func response(_ name: String, _ x: Int, _ y: Int) throws -> SIMD3<Double> {
      var reader = ImageFileReader()
      var frame = try reader.picture(path: bench.folder.appending(path: name).path).frame
      frame.layout.transfer = .linear
      // Developed raw frames are half as wide.
      let share = Double(frame.layout.width) / 640
      let side = Int(60 * share)
      let region = PixelRectangle(
        x: Int(Double(x) * share), y: Int(Double(y) * share), width: side, height: side)
      return try GrayCardEstimator(region: .rectangle(region)).estimate(frame).response.vector
    }
    // The corners of the card, which does not fill the picture.
    for (x, y) in [(150, 110), (430, 110), (150, 310), (430, 310)] {
      let plain = try response("plain.tiff", x, y) / response("plain.tiff", 290, 210)
      let gain = field.gains.gains(x: (Double(x) + 30) / 640, y: (Double(y) + 30) / 480).vector
      let middle = field.gains.gains(x: 0.5, y: 0.5).vector
      #expect(largest(gain / middle - 1) > 0.03)
      for name in ["snapshot.dng", "bracket.dng", "stream.dng", "even.tiff"] {
        let seen = try response(name, x, y) / response(name, 290, 210)
        let error = seen / (plain * gain / middle) - 1
        #expect(largest(error) < 0.003, "\(name) at \(x), \(y): \(error)")
      }
    }
    let piped = try bench.runProcess(
      "stream", "--gains", "1,1,1", "--frames", "1", "--to", "-", "--profile", "desk.json",
      "--device", device.replacing("format=RG12,", with: ""), shell: #""$@" >/dev/null"#)
    piped.expect(0, errors: "keep the shading of the lens")
  }
  #endif

  /// Pictures of another size are not corrected, and a remark states so.
  @Test func otherPicturesAreNotCorrected() async throws {
    try await bench.makeProfile()
    try write("flat.png", .png)
    try await bench.run("calibrate", "--profile", "desk.json", "--flat", "flat.png").expect(0)
    try write("small.png", .png, width: 320, height: 240)
    let base = ["estimate", "small.png", "--region", "0,0,40,30", "--json"]
    let plain = try await bench.run(base)
    let other = try await bench.run(base + ["--profile", "desk.json"])
    other.expect(
      plain.status, errors: "small.png: shading is not corrected", "640×480", "320×240")
    let (without, with) = (try record(plain), try record(other))
    #expect(with["shadingError"] == nil)
    #expect(without["gains"] as? [String: Double] == with["gains"] as? [String: Double])
  }

  /// A second flat field for the same pictures replaces the first one; further shots keep it.
  @Test func theProfileKeepsOneFieldForASize() async throws {
    try await bench.makeProfile()
    func fields() throws -> [FlatField] {
      let data = try Data(contentsOf: bench.folder.appending(path: "desk.json"))
      return try JSONDecoder().decode(CameraProfile.self, from: data).flatFields
    }
    let calibrate = ["calibrate", "--profile", "desk.json"]
    try write("flat.png", .png)
    try write("small.png", .png, width: 320, height: 240)
    try await bench.run(calibrate + ["--flat", "flat.png"]).expect(0)
    let first = try fields()
    try await bench.run(calibrate + ["--flat", "small.png"]).expect(0)
    try write("again.png", .png, number: 3)
    try await bench.run(calibrate + ["--flat", "again.png"]).expect(0)
    let all = try fields()
    #expect(all.map(\.width).sorted() == [320, 640])
    #expect(first.count == 1 && !all.contains(first[0]))
    try await bench.run(calibrate + ["--add", "rgb:0.6,1,0.6@FL11"]).expect(0)
    #expect(try fields() == all)
  }

  /// What differs between two turned pictures is the light and not the lens.
  @Test func turnedSurface() async throws {
    try await bench.makeProfile()
    var lit = lens
    lit.slope = SIMD2(0.05, 0.02)
    try write("a.png", .png, of: lit, number: 1)
    lit.turns = 2
    try write("b.png", .png, of: lit, number: 2)
    let calibrate = ["calibrate", "--profile", "desk.json"]
    let measured = try await bench.run(calibrate + ["--flat", "a.png@0", "--flat", "b.png@180"])
    measured.expect(0)
    #expect(measured.output.contains("which was subtracted"), "\(measured.output)")
    try write("card.png", .png, number: 9)
    for region in Self.corners {
      let (found, _) = try await gains("card.png", region, ["--profile", "desk.json"])
      #expect(largest(found * lens.light / lens.light.y - 1) <= 0.005)
    }
    let single = try await bench.run(calibrate + ["--flat", "a.png"])
    single.expect(0)
    #expect(single.output.contains("one picture does not show"), "\(single.output)")
    // It is an error of the names, not of a file.
    try await bench.run(calibrate + ["--flat", "a.png@0", "--flat", "b.png"])
      .expect(65, errors: "some pictures only", "Nothing was saved")
  }

  /// Expects that flat fields are refused, and that the profile stays as it is.
  private func refuses(
    _ pictures: [String], _ facts: String..., options: [String] = [], status: Int32 = 65,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let profile = bench.folder.appending(path: "desk.json")
    let before = try Data(contentsOf: profile)
    let outcome = try await bench.run(
      ["calibrate", "--profile", "desk.json"] + pictures.flatMap { ["--flat", $0] } + options)
    outcome.expect(status, sourceLocation: sourceLocation)
    for fact in facts {
      #expect(outcome.errors.contains(fact), "\(outcome.errors)", sourceLocation: sourceLocation)
    }
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(try Data(contentsOf: profile) == before, sourceLocation: sourceLocation)
  }

  /// Wrong pictures: the exit code, the reason and the place; the profile is as it was.
  @Test func refusedPictures() async throws {
    try await bench.makeProfile()
    try write("even.png", .png)
    var flat = lens
    flat.object = (PixelRectangle(x: 200, y: 100, width: 120, height: 90), 0.7)
    try write("object.png", .png, of: flat)
    try await refuses(
      ["even.png", "object.png"], "object.png: the surface is not even", "Nothing was saved")
    let outcome = try await bench.run("calibrate", "--profile", "desk.json", "--flat", "object.png")
    let place = try #require(try /at (\d+),(\d+),(\d+),(\d+);/.firstMatch(in: outcome.errors))
    let (x, y) = (try #require(Int(place.1)), try #require(Int(place.2)))
    let (width, height) = (try #require(Int(place.3)), try #require(Int(place.4)))
    #expect(x < 320 && 200 < x + width && y < 190 && 100 < y + height, "\(outcome.errors)")
    #expect(width < 640 || height < 480)
    flat = lens
    flat.light = SIMD3(0.5, 1.05, 0.4)
    try write("bright.png", .png, of: flat)
    try await refuses(["bright.png"], "bright.png: the flat field is clipped: green", " at ")
    flat.light = SIMD3(0.02, 0.012, 0.02)
    try write("dark.png", .png, of: flat)
    try await refuses(["dark.png"], "dark.png: the flat field is too dark", " at ")
    flat = lens
    flat.slope = SIMD2(0.25, 0)
    try write("lit.png", .png, of: flat)
    try await refuses(["lit.png"], "lit.png: the picture becomes", "towards the right")
    try write("small.png", .png, width: 320, height: 240)
    try await refuses(["even.png", "small.png"], "640×480", "320×240")
    try write("tiny.png", .png, width: 40, height: 30)
    try await refuses(["tiny.png"], "tiny.png: 40×30 pixels are too few")
    try Data("no picture".utf8).write(to: bench.folder.appending(path: "text.png"))
    try await refuses(["text.png"], "text.png")
    try await refuses(["missing.png"], "missing.png", status: 66)
    try await refuses(["missing.png@90"], "missing.png", status: 66)
  }

  /// Pictures of another kind.
  @Test func refusedKinds() async throws {
    try await bench.makeProfile()
    try write("even.png", .png)
    try (Data("P5 640 480 255\n".utf8) + Data(repeating: 99, count: 640 * 480)).write(
      to: bench.folder.appending(path: "gray.pgm"))
    try await refuses(["gray.pgm"], "gray.pgm, a PNM file, has no color")
    try Data(repeating: 99, count: 640 * 720).write(to: bench.folder.appending(path: "video.raw"))
    try await refuses(
      ["video.raw"], "video.raw has luma and chroma", options: ["--raw", "640x480:NV12"])
    #if RawPhotographs
    try write("even.dng", .dng)
    try await refuses(["even.png", "even.dng"], "even.dng", "raw and not srgb")
    #endif
  }

  @Test func usage() async throws {
    try await bench.makeProfile()
    let desk = ["--profile", "desk.json"]
    for (arguments, fact) in [
      (["--flat", "a.png@45"] + desk, "is not 0, 90, 180 or 270"),
      (["--flat", "a.png", "-o", "new.json"], "--flat requires --profile"),
      (["--flat", "a.png"], "'wbcal calibrate --profile camera.json --flat a.png'"),
      (["--flat", "a.png", "--add", "rgb:1,1,1@A"] + desk, "first calibrate"),
      (["--flat", "a.png", "--region", "0,0,9,9"] + desk, "requires a shot"),
    ] {
      try await bench.run(["calibrate"] + arguments).expect(64, errors: fact)
    }
    #expect(try bench.files() == ["desk.json"])
  }
}
