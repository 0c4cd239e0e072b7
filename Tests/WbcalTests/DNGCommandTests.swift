import CameraProfiles
import ColorScience
import Foundation
import ProfileFiles
import Testing
import WbcalImageFiles
import WhiteBalance

@testable import wbcal

#if RawPhotographs
/// Pictures that `snapshot`, `bracket` and `balance` write as DNG files.
struct DNGCommandTests {
  private let bench: Workbench
  private static let camera = "simulated:format=RG12,shutter=absolute,lens=none,size=96x64"

  init() throws { bench = try Workbench() }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: bench.folder.appending(path: name)))
  }

  private func profile(_ name: String) throws -> DNGProfile { try DNGProfile(bytes(name)) }

  private func picture(_ name: String) throws -> Picture {
    var reader = ImageFileReader()
    return try reader.picture(path: bench.folder.appending(path: name).path)
  }

  private func neutral(_ profile: DNGProfile) throws -> SIMD3<Double> {
    guard case .neutral(let neutral) = profile.asShotWhite else {
      Issue.record("\(String(describing: profile.asShotWhite))")
      return .zero
    }
    return neutral.vector
  }

  private func calibrate() async throws {
    try await bench.run(
      "calibrate", "--device", Self.camera, "--light", "A", "--light", "D65", "-o", "desk.json"
    ).expect(0)
  }

  /// The file alone leads to the light that was on the card, whatever gains the camera had.
  @Test(arguments: [("A", 2856.0, "1,1,1"), ("D65", 6504, "1.3,1,1.6")])
  func snapshotHasTheCamerasColor(light: String, kelvin: Double, gains: String) async throws {
    try await calibrate()
    let device = "\(Self.camera),light=\(light)"
    try await bench.run(
      "set", "--device", device, "--profile", "desk.json", "--gains", gains
    ).expect(0)
    try await bench.run("exposure", "--device", device, "--mode", "locked").expect(0)
    let taken = try await bench.run(
      "snapshot", "--device", device, "--profile", "desk.json", "-o", "card.dng")
    taken.expect(0)
    #expect(taken.errors.isEmpty, "\(taken.errors)")

    let profile = try profile("card.dng")
    #expect(
      profile.calibrations.map(\.illuminant)
        == [.lightSource(.standardLightA), .lightSource(.d65)])
    #expect(profile.name == "desk.json" && profile.model == profile.uniqueCameraModel)
    let picture = try picture("card.dng")
    #expect(picture.frame.layout.blackLevel == 256 && picture.frame.layout.whiteLevel == 4095)
    #expect(picture.exposure.seconds != nil && picture.exposure.date != nil)
    let estimate = try GrayCardEstimator().estimate(picture.frame).accepted()
    let white = estimate.response.vector / estimate.response.vector.max()
    let difference = try white - neutral(profile)
    #expect(max(difference.max(), (-difference).max()) < 1e-6, "\(white)")
    // The reader of DNG files knows nothing of the profile that they were made with.
    let model = try InterpolatedCameraModel(profile)
    let found = try #require(try profile.asShotWhite?.chromaticity(by: model))
    let temperature = try #require(CorrelatedColorTemperature(found))
    #expect(abs(1e6 / temperature.kelvin - 1e6 / kelvin) < 2, "\(temperature)")
  }

  /// The white of a named light is that of the card under it.
  @Test func snapshotOfANamedLight() async throws {
    try await calibrate()
    let device = "\(Self.camera),light=D65"
    try await bench.run(
      "set", "--device", device, "--profile", "desk.json", "--gains", "1.3,1,1.6"
    ).expect(0)
    let base = ["snapshot", "--device", device, "--profile", "desk.json"]
    try await bench.run(base + ["-o", "card.dng"]).expect(0)
    try await bench.run(base + ["--light", "D65", "-o", "light.dng", "--json"]).expect(0)
    let difference = try neutral(profile("card.dng")) - neutral(profile("light.dng"))
    #expect(max(difference.max(), (-difference).max()) < 0.005, "\(difference)")
  }

  /// The colors are at the places that the files state.
  @Test func formatsOfRawFrames() async throws {
    var whites: [SIMD3<Double>] = []
    for format in ["RGGB", "GB10", "BA12", "BG14", "RG16"] {
      let device = "simulated:format=\(format),controls=none,light=A,size=96x64"
      try await bench.run("snapshot", "--device", device, "-o", "card.dng", "--json").expect(0)
      let estimate = try GrayCardEstimator().estimate(picture("card.dng").frame).accepted()
      whites.append(estimate.response.vector)
    }
    for white in whites {
      let ratio = white / whites[0]
      #expect(ratio.min() > 0.99 && ratio.max() < 1.01, "\(whites)")
    }
    #expect(whites[0].max() / whites[0].min() > 1.5)
  }

  @Test func snapshotWithoutAProfile() async throws {
    let taken = try await bench.run("snapshot", "--device", Self.camera, "-o", "card.dng")
    taken.expect(0, errors: "no color matrices")
    #expect(taken.errors.split(separator: "\n").count == 1)
    #expect(throws: DNGProfileError.self) { try profile("card.dng") }
    let piped = try bench.runProcess(
      "snapshot", "--device", Self.camera, "--to", "dng", "-o", "-", shell: #""$@" >piped.dng"#)
    piped.expect(0)
    #expect(try picture("piped.dng").frame.layout == picture("card.dng").frame.layout)
  }

  /// Frames that were developed in the camera are refused, and nothing is written.
  @Test func developedFramesAreRefused() async throws {
    try await bench.run("snapshot", "--device", Workbench.camera, "-o", "card.dng")
      .expect(65, errors: "transfer function", ".png")
    try await bench.run(
      "bracket", "--device", Workbench.camera, "--count", "1", "-o", "card.dng"
    ).expect(65, errors: ".tiff or .png")
    // Neither is any setting of the camera changed.
    let developed = Self.camera.replacing("format=RG12,", with: "")
    for command in [
      ["bracket", "--durations", "1/500,1/250", "-o", "card-{index}.dng"],
      ["snapshot", "-o", "card.dng"],
    ] {
      let record = command[0] == "bracket" ? ["--record", "looks.jsonl"] : []
      try await bench.run(command + ["--device", developed] + record)
        .expect(65, errors: "transfer function", ".png", "format=RG10")
    }
    #expect(!(try bench.read("looks.jsonl")).contains("\"set\""))
    try bench.writeCard("card.ppm", 90, 120, 80)
    try await bench.run("balance", "card.ppm", "--to", "dng", "-o", "card.dng")
      .expect(65, errors: ".tiff and .png")
    #expect(try !bench.files().contains("card.dng"))
  }

  @Test func arguments() async throws {
    let device = ["--device", Self.camera]
    for arguments in [
      ["snapshot", "--to", "dng", "-o", "card.png"] + device,
      ["snapshot", "--profile", "desk.json", "-o", "card.png"] + device,
      ["snapshot", "--light", "A", "-o", "card.dng"] + device,
      ["bracket", "--count", "1", "--light", "A", "-o", "a.dng"] + device,
      ["bracket", "--count", "1", "--profile", "x", "--light", "A", "-o", "a.png"] + device,
      ["balance", "a.dng", "--to", "dng", "-o", "b.png"],
      ["balance", "a.dng", "--to", "dng", "--light", "A", "-o", "b.dng"],
      ["balance", "a.dng", "--to", "srgb", "-o", "b.png"],
    ] { try await bench.run(arguments).expect(64) }
    try await bench.run(
      "snapshot", "--device", "simulated:format=RG12,pipeline=webcam", "-o", "a.dng"
    ).expect(64)
    // A profile may be a DNG file, too, which is not written over.
    try FileManager.default.copyItem(
      atPath: Workbench.dng, toPath: bench.folder.appending(path: "own.dng").path)
    let before = try bytes("own.dng")
    for command in [
      ["snapshot", "-o"], ["bracket", "--count", "1", "-o"],
      ["stream", "--light", "A", "--frames", "1", "--to"],
    ] {
      let outcome = try await bench.run(command + ["own.dng", "--profile", "own.dng"] + device)
      #expect(outcome.status == 64, "\(outcome.errors)")
    }
    #expect(try bytes("own.dng") == before)
  }

  /// Each file of a bracket has its own exposure time, and codes to match.
  @Test func bracketOfExposures() async throws {
    try await bench.run("exposure", "--device", Self.camera, "--duration", "0.004").expect(0)
    try await bench.run(
      "bracket", "--device", Self.camera, "--durations", "1/500,1/250,1/125", "-o",
      "raw-{index}.dng"
    ).expect(0)
    var light: [Double] = []
    let times: [Double] = [1 / 500, 1 / 250, 1 / 125]
    for (index, time) in times.enumerated() {
      let picture = try picture("raw-\(index + 1).dng")
      #expect(abs(try #require(picture.exposure.seconds) / time - 1) < 1e-6)
      let mean = try GrayCardEstimator().estimate(picture.frame).response.green
      light.append(mean / time)
    }
    #expect(light.max()! / light.min()! < 1.02, "\(light)")
    // Another white changes nothing else.
    try await bench.run(
      "balance", "raw-1.dng", "--gains", "2,1,1.25", "--to", "dng", "-o", "again.dng"
    ).expect(0, errors: "no color matrices")
    let (before, after) = (try picture("raw-1.dng"), try picture("again.dng"))
    #expect(after.exposure == before.exposure && after.exposure.date?.count == 19)
    #expect(after.frame == before.frame)
  }

  @Test func aWrongLightIsRefusedBeforePicturesAreTaken() async throws {
    try await calibrate()
    try await bench.run(
      "bracket", "--device", Self.camera, "--profile", "desk.json", "--light", "candle",
      "--count", "2", "--record", "looks.jsonl", "-o", "raw-{index}.dng"
    ).expect(65, errors: "'candle' is not a light")
    #expect(!(try bench.read("looks.jsonl")).contains("\"frame\""))
  }

  /// The files of a stream have the codes of the locked camera, and what it could not correct as
  /// their white.
  @Test func streamOfRawFrames() async throws {
    try await calibrate()
    let stream = [
      "stream", "--device", "\(Self.camera),light=D65", "--profile", "desk.json", "--light", "D65",
    ]
    let outcome = try await bench.run(
      stream + ["--frames", "2", "--to", "f-{index}.dng", "--json"])
    outcome.expect(0, errors: "stated as the white of the files")
    struct Line: Decodable {
      var frames: Int
      var remainder: Gains
    }
    let line = try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8))
    #expect(line.frames == 2)
    for name in ["f-1.dng", "f-2.dng"] {
      let white = try neutral(profile(name))
      let stated = white * line.remainder.vector
      #expect(stated.max() / stated.min() - 1 < 1e-6, "\(white)")
      let seen = try GrayCardEstimator().estimate(picture(name).frame).accepted().response.vector
      let ratio = seen / seen.max() / white
      #expect(ratio.max() / ratio.min() < 1.01, "\(seen), \(white)")
      // The matrix for the light, whatever the camera's gains.
      #expect(try profile(name).calibrations.map(\.illuminant) == [nil])
    }
    try await bench.run(stream + ["--to", "f-{index}.dng"]).expect(64)
    try await bench.run(stream + ["--to", "f.dng", "--frames", "2"]).expect(64)
    let refused = try await bench.run(
      "stream", "--device", Workbench.camera, "--gray", "--to", "d.dng", "--frames", "1")
    #expect(refused.status == 65 && refused.errors.contains("transfer function"))
    #expect(try !bench.files().contains("d.dng"))
  }

  /// LibRaw, an independent converter, shows the chart's colors. It uses one matrix, that for D65,
  /// under every light, so that the light must be similar.
  @Test(arguments: ["canon-eos-600d", "nikon-d850"])
  func colorsInLibRaw(sensor: String) async throws {
    let camera = "simulated:format=RG12,controls=none,camera=\(sensor),size=960x640"
    try await bench.run(
      "snapshot", "--device", "\(camera),target=chart,light=D65", "-o", "chart.dng"
    ).expect(0)
    try await bench.run("calibrate", "--chart", "chart.dng@D65", "-o", "camera.json").expect(0)
    for light in ["D65", "D50"] {
      let taken = try await bench.run(
        "snapshot", "--device", "\(camera),target=chart,light=\(light)", "--profile",
        "camera.json", "--light", light, "-o", "raw.dng")
      taken.expect(0)
      let pixmap = try #require(LibRawDeveloper.pixmap(of: bytes("raw.dng")))
      try Data(pixmap).write(to: bench.folder.appending(path: "raw.ppm"))
      let outcome = try await bench.run("verify", "raw.ppm", "--chart", "--limit", "2.5")
      outcome.expect(0)
    }
  }

  /// A photograph keeps its codes, levels, matrices and exposure; only its white changes.
  @Test func balanceKeepsThePhotograph() async throws {
    let outcome = try await bench.run(
      "balance", Workbench.dng, "--region", "796,908,36,36", "--to", "dng", "-o", "card.dng")
    outcome.expect(0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    var reader = ImageFileReader()
    let before = try reader.picture(path: Workbench.dng)
    let after = try picture("card.dng")
    #expect(after.frame == before.frame && after.exposure == before.exposure)
    #expect(after.origin == before.origin && after.orientation == before.orientation)
    var old = try DNGProfile([UInt8](Data(contentsOf: URL(filePath: Workbench.dng))))
    var new = try profile("card.dng")
    let region = PixelRectangle(x: 796, y: 908, width: 36, height: 36)
    let card = try GrayCardEstimator(region: .rectangle(region)).estimate(after.frame).accepted()
    let white = try neutral(new) / (card.response.vector / card.response.vector.max())
    #expect((white - 1).max() < 1e-6 && (1 - white).max() < 1e-6)
    (old.asShotWhite, new.asShotWhite) = (nil, nil)
    #expect(old == new)
  }

  @Test(
    arguments: [
      ("Lab Camera", "usb-Camera_Lab_Lab_Camera_L1-video-index0", "L1"),
      ("Lab Camera", "usb-Camera_Lab_Lab_Camera_L_1-video-index0", nil),
      ("Lab Camera: UVC", "usb-Camera_Lab_Lab_Camera_L1-video-index0", nil),
      ("Lab Camera", "usb-0000:00:14.0-1", nil),
      ("Acme Cam 5", "genicam:Acme-Cam_5-17", "17"),
      ("Acme Cam 5", "genicam:Acme-Cam_5-10.0.0.2", nil),
      ("Cam 5", "genicam:Cam_5-17", nil),
      ("wbcal Peer", "genicam:wbcal-Peer-S_4711", nil),
      ("simulated Canon", "simulated-Canon-1", nil),
    ] as [(String, String, String?)])
  func serialNumber(name: String, id: String, expected: String?) {
    #expect(CameraIdentity(driver: "any", name: name, id: id).serialNumber == expected)
  }

  /// The noise that a photograph states is that of its codes, whatever their white.
  @Test func balanceKeepsTheNoise() async throws {
    let layout = try FrameLayout(
      width: 32, height: 24, format: .bayer(.rggb, bits: 16), blackLevel: 64)
    let bytes = [UInt8](repeating: 90, count: layout.byteCount)
    var picture = DNGPicture(
      try Frame(layout: layout, bytes: bytes),
      camera: DNGProfile(uniqueCameraModel: "Desk", calibrations: []))
    for noise in [[2e-4, 1e-7], [2e-4, 1e-7, 3e-4, 2e-7, 4e-4, 0]] {
      picture.noise = stride(from: 0, to: noise.count, by: 2).map {
        DNGPicture.Noise(scale: noise[$0], offset: noise[$0 + 1])
      }
      try Data(picture.encoded()).write(to: bench.folder.appending(path: "in.dng"))
      try await bench.run(
        "balance", "in.dng", "--gains", "2,1,1.5", "--to", "dng", "-o", "out.dng"
      ).expect(0)
      #expect(try self.picture("out.dng").exposure.noise == noise)
    }
  }

  /// Light that adds 40 codes to green on a whole chart is stated as black, and subtracted from the
  /// card, so that its white is that of the picture without the light.
  @Test func glareIsBlack() async throws {
    let camera = "simulated:format=RG12,controls=none,target=chart,size=960x640,light=D50"
    try await bench.run("snapshot", "--device", camera, "-o", "clear.dng").expect(0)
    var bytes = [UInt8](try Data(contentsOf: bench.folder.appending(path: "clear.dng")))
    let start = bytes.count - 960 * 640 * 2
    for pixel in 0..<960 * 640 where (pixel % 960 + pixel / 960) % 2 == 1 {
      let place = start + 2 * pixel
      let code = min(Int(bytes[place]) + Int(bytes[place + 1]) << 8 + 40, 4095)
      (bytes[place], bytes[place + 1]) = (UInt8(code & 255), UInt8(code >> 8))
    }
    try Data(bytes).write(to: bench.folder.appending(path: "green.dng"))
    try await bench.run("calibrate", "--chart", "green.dng@D50", "-o", "camera.json").expect(0)
    struct Answer: Decodable {
      var neutral: LinearRGB
      var blackLevels: LinearRGB?
    }
    func answer(_ picture: String, _ options: [String]) async throws -> Answer {
      let balanced = try await bench.run(
        ["balance", picture, "--region", "432,445,20,20", "--to", "dng", "-o", "out.dng", "--json"]
          + options)
      balanced.expect(0)
      return try JSONDecoder().decode(Answer.self, from: Data(balanced.output.utf8))
    }
    let clear = try await answer("clear.dng", [])
    let lit = try await answer("green.dng", [])
    let black = try await answer("green.dng", ["--glare", "--profile", "camera.json"])
    #expect(lit.blackLevels == nil)
    let levels = try #require(black.blackLevels)
    func largest(_ vector: SIMD3<Double>) -> Double { max(vector.max(), -vector.min()) }
    #expect(largest(levels.vector - SIMD3(256, 296, 256)) < 2, "\(levels)")
    #expect(largest(lit.neutral.vector - clear.neutral.vector) > 0.03)
    #expect(largest(black.neutral.vector - clear.neutral.vector) < 0.002, "\(black.neutral)")
    let profile = try profile("out.dng")
    #expect(largest(try neutral(profile) - black.neutral.vector) < 1e-6)
  }

  /// `--glare` requires what it needs.
  @Test func glareOfNothing() async throws {
    try await bench.run("calibrate", "--chart", "\(Workbench.dng)@A", "-o", "chart.json").expect(0)
    try await calibrate()
    let base = ["balance", Workbench.dng, "--region", "796,908,36,36", "--glare", "-o"]
    let inputs: [([String], CInt, String)] = [
      ([], 64, "--glare requires --to dng and --profile"),
      (["--to", "dng"], 64, "--glare requires --to dng and --profile"),
      (["--profile", "chart.json", "--light", "A", "--to", "srgb"], 64, "--glare requires"),
      (["--profile", "desk.json", "--any-camera", "--to", "dng"], 65, "no shot of a chart"),
    ]
    for (options, code, reason) in inputs {
      let outcome = try await bench.run(base + ["out.dng"] + options)
      outcome.expect(code)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
    #expect(throws: (any Error).self) { try bytes("out.dng") }
  }

  /// ExifTool finds nothing wrong in the files, except that it does not list large tables unless
  /// asked for them.
  @Test(.enabled(if: hasExifTool, "ExifTool (libimage-exiftool-perl) is not installed"))
  func filesAreValid() async throws {
    try await bench.run("calibrate", "--chart", "\(Workbench.dng)@A", "-o", "camera.json").expect(0)
    try await bench.run(
      "balance", Workbench.dng, "--profile", "camera.json", "--light", "A", "--to", "dng", "-o",
      "photograph.dng"
    ).expect(0)
    try await calibrate()
    let device = ["--device", "\(Self.camera),light=FL11", "--profile", "desk.json"]
    try await bench.run(["snapshot"] + device + ["-o", "snapshot.dng"]).expect(0)
    try await bench.run(["snapshot"] + device + ["--light", "FL11", "-o", "light.dng"]).expect(0)
    for name in ["photograph.dng", "snapshot.dng", "light.dng"] {
      let reading = try bench.runProcess(
        "version", shell: "exiftool -validate -warning -error -a -s3 \(name)")
      let lines = reading.output.split(separator: "\n")
      let isLargeTable = lines.last?.contains("Not decoding some large array") == true
      #expect(lines.first == (isLargeTable ? "1 Warning (minor)" : "OK"), "\(reading.output)")
    }
  }

  private static let hasExifTool = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/exiftool") }

  /// What was written about a photograph stays, and converters see the picture as before.
  @Test(.enabled(if: hasExifTool, "ExifTool (libimage-exiftool-perl) is not installed"))
  func balanceKeepsTheDescription() async throws {
    try FileManager.default.copyItem(
      atPath: Workbench.dng, toPath: bench.folder.appending(path: "in.dng").path)
    let described = try bench.runProcess(
      "version",
      shell: """
        exiftool -q -overwrite_original -Artist=Jane -GPSLatitude=48.1 -GPSLatitudeRef=N -FNumber=4 \
          -LensModel=Old -ExposureTime=1/50 -ISO=400 -XMP-dc:Subject=one -XMP-crs:WhiteBalance=Custom \
          -IPTC:City=Berlin -UserComment=hello in.dng
        """)
    described.expect(0)
    let base = ["balance", "in.dng", "--region", "796,908,36,36", "--to", "dng", "-o"]
    let outcome = try await bench.run(base + ["all.dng"])
    outcome.expect(0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    try await bench.run(base + ["none.dng", "--no-metadata"]).expect(0)
    let reading = try bench.runProcess(
      "version",
      shell: """
        exiftool -n -s3 -Artist -GPSLatitude -FNumber -LensModel -ExposureTime -ISO -XMP-dc:Subject \
          -XMP-crs:WhiteBalance -IPTC:City -UserComment -Error -Warning all.dng
        exiftool -n -s3 -Artist -GPSLatitude -FNumber -ExposureTime -XMP:all -IPTC:all none.dng
        """)
    #expect(
      reading.output
        == "Jane\n48.1\n4\nOld\n0.02\n400\none\nAs Shot\nBerlin\nhello\n", "\(reading.output)")
    let (all, none) = (try bytes("all.dng"), try bytes("none.dng"))
    #expect(try picture("all.dng").frame == picture("none.dng").frame)
    #expect(try profile("all.dng") == profile("none.dng"))
    #expect(LibRawDeveloper.pixmap(of: all) == LibRawDeveloper.pixmap(of: none))
  }
}
#endif
