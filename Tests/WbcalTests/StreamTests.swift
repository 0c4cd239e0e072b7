import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WbcalImageFiles
import WhiteBalance
import WhiteBalanceTestSupport

@testable import wbcal

/// The output of `wbcal stream`.
struct StreamTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func device(_ settings: String = "") -> String { Workbench.camera + settings }

  /// A stream of Y4M.
  private struct Video {
    var header: [String]
    var frames: [ArraySlice<UInt8>] = []
    let layout: FrameLayout

    /// - Throws: an error if frames are not whole.
    init(_ bytes: [UInt8]) throws {
      let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
      let words = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: " ")
      header = words
      func number(_ letter: Character) throws -> Int {
        let word = try #require(words.first { $0.first == letter })
        return try #require(Int(word.dropFirst()))
      }
      layout = try FrameLayout(
        width: number("W"), height: number("H"), format: .subsampled(.planar444), transfer: .sRGB,
        encoding: LumaChromaEncoding(matrix: .bt601, range: .limited))
      var rest = bytes[(end + 1)...]
      while !rest.isEmpty {
        try #require(rest.starts(with: Array("FRAME\n".utf8)))
        try #require(rest.count >= 6 + layout.byteCount)
        frames.append(rest.dropFirst(6).prefix(layout.byteCount))
        rest = rest.dropFirst(6 + layout.byteCount)
      }
    }

    /// Returns the distance from neutral of the card in the mean of the frames, read as by
    /// `verify`.
    func distance() throws -> Double {
      let lab = LabColor(LinearRGB(try response(.center(0.5))), in: .sRGB)
      return lab.ciede2000(to: lab.neutral)
    }

    /// Returns the linear red, green and blue of a region in the mean of the frames.
    func response(_ region: GrayCardEstimator.Region) throws -> SIMD3<Double> {
      try frames.reduce(.zero) { sum, frame in
        let card = try GrayCardEstimator(region: region)
          .estimate(Array(frame).span, layout: layout)
        return sum + card.response.vector / Double(frames.count)
      }
    }
  }

  /// Runs the tool with its output in a file, since it is not text.
  private func stream(
    _ arguments: [String], shell: String = "\"$@\" >video.y4m"
  ) throws -> (outcome: Workbench.Outcome, bytes: [UInt8]) {
    let outcome = try bench.runProcess(["stream", "--to", "-"] + arguments, shell: shell)
    let url = bench.folder.appending(path: "video.y4m")
    return (outcome, [UInt8](try Data(contentsOf: url)))
  }

  /// Lamps away from the line of the camera's temperature control: the hardware alone leaves a
  /// tint, and the corrected frames have none.
  @Test(arguments: ["FL11", "LED-B3"]) func aTintBesideTheTemperature(lamp: String) async throws {
    let camera = "simulated:size=160x120,controls=temperature"
    try await bench.run(
      "calibrate", "--device", camera, "--light", "A", "--light", "D65", "--light", lamp, "-o",
      "desk.json"
    ).expect(0)
    let lit = camera + ",light=" + lamp
    // The difference in the camera's own picture, locked in the same way.
    try await bench.run("set", "--device", lit, "--profile", "desk.json", "--light", lamp).expect(0)
    let verified = try await bench.run("verify", "--device", lit, "--limit", "0.5", "--json")
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(verified.output.utf8)) as? [String: Any])
    let alone = try #require(record["ciede2000"] as? Double)
    for way in [["--light", lamp, "--profile", "desk.json"], ["--gray"]] {
      let (outcome, bytes) = try stream(["--device", lit, "--frames", "8"] + way)
      outcome.expect(0, errors: "8 frames sent; 0 lost", "Locked at white_balance_temperature")
      let video = try Video(bytes)
      #expect(video.frames.count == 8)
      let left = try video.distance()
      #expect(left <= 0.5 && left < alone, "\(way) leaves \(left) of \(alone)")
    }
    #expect(lamp != "LED-B3" || alone > 0.5, "\(alone)")
  }

  /// A matrix, a saturation and a tone curve behind the gains.
  @Test func behindAPipeline() throws {
    let camera = "simulated:size=160x120,controls=temperature,pipeline=board,light=LED-B3"
    let (outcome, bytes) = try stream(["--device", camera, "--frames", "8", "--gray"])
    outcome.expect(0)
    #expect(try Video(bytes).distance() <= 0.5)
  }

  /// The frames are multiplied by the gains of the profile's flat field, in linear light. Those of
  /// another size are not, and a remark states so.
  @Test func shadingOfTheLens() async throws {
    let camera = "simulated:controls=balances,size="
    try await bench.run(
      "calibrate", "--device", camera + "320x240", "--light", "D65", "-o", "desk.json"
    ).expect(0)
    var lens = SimulatedFlat()
    (lens.shading, lens.red, lens.blue) = (0.5, 0.4, -0.4)
    let flat = try lens.frame(
      try FrameLayout(width: 320, height: 240, format: .rgb16, transfer: .sRGB))
    try Data(
      PictureWriter.encode(flat, as: .png, path: "flat.png", isSRGB: true, iccProfile: nil)
    ).write(to: bench.folder.appending(path: "flat.png"))
    let (lock, use) = (["--gains", "1.5,1,1.2", "--frames", "8"], ["--profile", "desk.json"])
    let (before, plain) = try stream(["--device", camera + "320x240"] + lock + use)
    before.expect(0)
    try await bench.run(
      ["calibrate", "--flat", "flat.png", "--any-camera"] + use
    ).expect(0)
    let (after, even) = try stream(["--device", camera + "320x240"] + lock + use)
    after.expect(0)
    let saved = try JSONDecoder().decode(
      CameraProfile.self, from: Data(try bench.read("desk.json").utf8))
    let field = try #require(saved.flatFields.first)
    func gain(_ x: Int, _ y: Int) -> SIMD3<Double> {
      field.gains.gains(x: (Double(x) + 15) / 320, y: (Double(y) + 10) / 240).vector
    }
    let (shaded, corrected) = (try Video(plain), try Video(even))
    for (x, y) in [(85, 65), (145, 110), (205, 65), (85, 155), (205, 155)] {
      let region = PixelRectangle(x: x, y: y, width: 30, height: 20)
      let ratio = try corrected.response(.rectangle(region)) / shaded.response(.rectangle(region))
      let error = ratio / gain(x, y) - 1
      #expect(max(error.max(), -error.min()) < 0.005, "\(x), \(y): \(ratio), \(gain(x, y))")
    }
    let spread = gain(85, 65) / gain(145, 110) - 1
    #expect(spread.min() > 0.05 && spread.max() - spread.min() > 0.02, "\(spread)")
    let (other, small) = try stream(["--device", camera + "160x120"] + lock + use)
    other.expect(0, errors: "shading is not corrected")
    #expect(try Video(small).frames.count == 8)
  }

  @Test func header() throws {
    let (outcome, bytes) = try stream([
      "--device", device(",fps=29.97"), "--gains", "1.5,1,1.2", "--frames", "1",
    ])
    outcome.expect(0)
    let words = try Video(bytes).header
    #expect(
      words == [
        "YUV4MPEG2", "W96", "H64", "F29970:1000", "Ip", "A1:1", "C444", "XYSCSS=444",
        "XCOLORRANGE=LIMITED",
      ])
  }

  /// Every frame comes once and in order, as the same camera shows them without the stream.
  @Test func tenThousandFrames() async throws {
    let count = 10_000
    let (outcome, bytes) = try stream([
      "--device", "simulated:size=16x16,shutter=none,lens=none", "--gains", "1.5,1,1.2", "--frames",
      "\(count)",
    ])
    outcome.expect(0, errors: "\(count) frames sent; 0 lost by the driver, 0 damaged, 0 dropped")
    let frames = try Video(bytes).frames
    #expect(frames.count == count)
    let rest = try #require(
      outcome.errors.firstMatch(of: /the gains ([0-9.]+),([0-9.]+),([0-9.]+)/))
    let gains = SIMD3(
      try #require(Double(rest.1)), try #require(Double(rest.2)), try #require(Double(rest.3)))
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D65")), size: (16, 16))
    configuration.settings = [
      ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 384),
      ControlValue(.blueBalance, 307),
    ]
    let camera = try SimulatedCamera(configuration)
    var next = frames.startIndex
    // The first frame that was sent is not known.
    for _ in 0..<2 * count where next < frames.endIndex {
      let frame = frames[next]
      let isNext = try await camera.withNextFrame { info, bytes in
        Result { () throws(FrameError) in
          try Self.agrees(frame, with: bytes, info.layout, Matrix3x3(diagonal: gains))
        }
      }.get()
      guard isNext || next == frames.startIndex else {
        Issue.record("frame \(next) is not the one after \(next - 1)")
        return
      }
      if isNext { next += 1 }
    }
    #expect(next == count)
  }

  /// Indicates whether a sent frame was made from a camera's frame. The gains are known to four
  /// decimals, which changes few samples; two different frames differ in most.
  private static func agrees(
    _ sent: ArraySlice<UInt8>, with bytes: Span<UInt8>, _ layout: FrameLayout, _ gains: Matrix3x3
  ) throws(FrameError) -> Bool {
    let output = try FrameLayout(
      width: layout.width, height: layout.height, format: .subsampled(.planar444))
    var planes = [UInt8](repeating: 0, count: output.byteCount)
    var span = planes.mutableSpan
    try FrameCorrection(gains, layout: layout, output: output)
      .apply(to: bytes, writingTo: &span)
    return zip(sent, planes).count { $0 != $1 } < planes.count / 20
  }

  @Test func whoeverReadsMayStop() throws {
    let outcome = try bench.runProcess(
      "stream", "--device", device(), "--gains", "1.5,1,1.2", "--to", "-",
      shell: "\"$@\" | head -c 100000 | wc -c; exit ${PIPESTATUS[0]}")
    #expect(outcome.status == 141)
    #expect(outcome.output == "100000\n")
    #expect(!outcome.errors.contains("wbcal:"), "\(outcome.errors)")
  }

  /// Ctrl-C ends the stream, also without a reader, and the camera's settings are restored.
  @Test(arguments: ["cat >video.y4m", "sleep 300"]) func interrupted(reader: String) async throws {
    try await bench.run("set", "--device", device(), "--gains", "1.2,1,1.3").expect(0)
    let before = try await bench.run("devices", "--device", device(), "--json")
    let outcome = try bench.runProcess(
      "stream", "--device", device(",fps=1000"), "--gray", "--to", "-",
      shell: """
        set -m; mkfifo pipe; \(reader) <pipe & reader=$!
        "$@" >pipe 2> >(tee locked >&2) & tool=$!
        until grep -qs Locked locked; do sleep 0.1; done
        sleep 1; kill -INT $tool; wait $tool; code=$?
        sleep 0.5; kill -9 -$reader 2>/dev/null; exit $code
        """)
    outcome.expect(0, errors: "frames sent")
    #expect(try await bench.run("devices", "--device", device(), "--json").output == before.output)
    if reader.hasPrefix("cat") {
      let data = try Data(contentsOf: bench.folder.appending(path: "video.y4m"))
      #expect(try Video([UInt8](data)).frames.count > 20)
    }
    // The signal comes before there is anything to end.
    try bench.runProcess(
      "stream", "--device", device(",fps=10"), "--gray", "--to", "-",
      shell: "set -m; \"$@\" >video.y4m & tool=$!; sleep 0.7; kill -INT $tool; wait $tool"
    ).expect(130, errors: "the camera's settings were restored")
  }

  /// A camera that is disconnected ends the stream, or is waited for and set again.
  @Test func aCameraThatVanishes() throws {
    let lit = device(",light=FL11,controls=temperature,vanish=1500")
    let way = ["--device", lit, "--gray"]
    let (gone, bytes) = try stream(way)
    #expect(gone.status == 69)
    #expect(gone.errors.contains("frames sent; 0 lost") && gone.errors.contains("wbcal: "))
    #expect(gone.errors.contains("went away"), "\(gone.errors)")
    let first = try Video(bytes).frames.count
    #expect(first > 50)
    let count = first + 100
    let (back, all) = try stream(way + ["--frames", "\(count)", "--wait", "5"])
    back.expect(
      0, errors: "The camera went away", "The camera is back", "\(count) frames sent; 0 lost")
    var video = try Video(all)
    #expect(video.frames.count == count)
    // The frames of the camera that is back are as neutral as those before.
    video.frames = Array(video.frames[first...].prefix(20))
    #expect(try video.distance() <= 0.5)
  }

  @Test func wrongUsage() async throws {
    let stream = ["stream", "--device", device()]
    for (arguments, fact) in [
      (["--gray"], "--to"), (["--to", "-"], "--gray"),
      (["--to", "-", "--gray", "--gains", "1,1,1"], "one of"),
      (["--to", "-", "--temperature", "5000"], "--profile"),
      (["--to", "-", "--gray", "--json"], "--json"),
      (["--to", "-", "--gray", "--tint", "3"], "--tint"),
      (["--to", "-", "--gray", "--class", "led"], "--class"),
      (["--to", "-", "--gray", "--frames", "0"], "--frames"),
      (["--to", "-", "--gray", "--wait=-1"], "--wait"),
    ] { try await bench.run(stream + arguments).expect(64, errors: fact) }
    let before = try await bench.run("devices", "--device", device(), "--json").output
    for (path, fact) in [
      ("/dev/null", "it is not a video device"), ("/tmp", "it is a directory"),
      ("/dev/video99", "there is no such device"),
    ] {
      try await bench.run(stream + ["--gray", "--to", path]).expect(
        69, errors: "does not accept pictures", fact)
    }
    #expect(try await bench.run("devices", "--device", device(), "--json").output == before)
  }

  @Test func terminalsGetNoFrames() throws {
    let terminal = try PseudoTerminal(bench)
    terminal.type("$wbcal stream --device \(device()) --gray --to -\r")
    try terminal.wait(for: "a terminal cannot show frames")
    try terminal.wait(for: "ready64 ")
  }
}
