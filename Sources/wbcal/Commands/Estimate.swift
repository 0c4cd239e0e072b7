import WbcalArguments
import CameraControl
import ColorScience
import WbcalImageFiles
import WbcalReports
import WhiteBalance

struct Estimate: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Estimate gains from a gray card in pictures, or in front of a camera.",
    discussion: """
      The region is taken for one neutral surface under one light, unless --method
      says otherwise; then it is by default the whole picture. PNG, TIFF, JPEG
      and PNM pictures are read as sRGB unless they or --transfer say otherwise;
      raw photographs as the sensor's numbers with their own black level
      subtracted and nothing else done.

        wbcal estimate card.dng --region 796,908,36,36
        wbcal estimate *.png --json
        find . -name '*.dng' | wbcal estimate - --json
        wbcal estimate shot.dng --find-card -o where.png
        wbcal estimate frame.raw --raw 1920x1080:RG10 --black 64
        wbcal estimate scene.png --method shades-of-gray:6
        wbcal estimate card.dng --region 796,908,36,36 --second-region 904,906,36,36
        wbcal estimate covered.dng --method black-level
        wbcal estimate --device simulated:light=A --profile desk.json
      """)

  @Argument(
    help: "Pictures; - for names in standard input, one a line.", completion: .file())
  var file: [String] = []
  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @OptionGroup var picture: PictureOptions
  @Option(help: EstimateMethod.help, transform: EstimateMethod.init(argument:))
  var method: EstimateMethod = .grayCard
  @Option(
    help: ArgumentHelp(
      "A second gray patch of another brightness: tells whether both agree, or a wrong black "
        + "level.",
      valueName: "region"),
    transform: GrayCardEstimator.Region.init(argument:))
  var secondRegion: GrayCardEstimator.Region?
  @Option(help: "The camera's profile; adds chromaticity, temperature and tint.", completion: .json)
  var profile: String?
  @Flag(help: "Use the profile for pictures of other cameras and kinds too; the result says so.")
  var anyCamera = false
  @Option(name: .customLong("class"), help: "The kind of the light, if it is known.")
  var lightClass: LightClass?
  @Flag(help: "Write one JSON object a line.") var json = false
  @Flag(help: "Propose where in one picture the card is, for you to confirm.") var findCard = false
  @Option(
    name: .shortAndLong, help: "With --find-card: a PNG picture in which the proposal is drawn.",
    completion: .file(extensions: ["png"]))
  var output: String?

  func validate() throws {
    if findCard, file.count != 1 || file == ["-"] || picture.card.region != nil {
      throw ValidationError("--find-card takes one picture, and no --region: it looks for it.")
    }
    if output != nil, !findCard { throw ValidationError("--output goes with --find-card.") }
    if anyCamera, profile == nil { throw ValidationError("--any-camera goes with --profile.") }
    if lightClass != nil, profile == nil {
      throw ValidationError("--class goes with --profile: it tells how to read the camera.")
    }
    if file.isEmpty == (device == nil) {
      throw ValidationError("name pictures, or a camera with --device.")
    }
    let isCard = if case .grayCard = method.subject { true } else { false }
    if device != nil { try picture.requireForCamera() }
    if device != nil, !isCard || secondRegion != nil {
      throw ValidationError("--method and --second-region go with pictures.")
    }
    if !isCard, secondRegion != nil {
      throw ValidationError("--second-region goes with --method gray-card.")
    }
  }

  func execute() async throws {
    let loaded = try profile.map { try CameraProfile(path: $0) }
    var code: ExitCode?
    if let device {
      let (estimate, applied) = try await CameraSession.with(
        device, card: picture.card, profile: loaded, keep: true
      ) { session in
        let applied = session.knownLaws?.gains(at: try await session.camera.settings())
        return (try await session.camera.estimate(), applied)
      }
      if loaded != nil, applied == nil {
        remark("The profile does not know this camera's controls, so no light can be told.")
      }
      code = try show(estimate, name: device.text, profile: loaded, applied: applied)
    }
    if findCard { return try proposeCard(in: file[0], profile: loaded) }
    let refused = try estimateFiles(profile: loaded)
    if let code = code ?? refused { throw code }
  }

  /// Prints the estimates from all files; returns the exit code of the first that failed.
  private func estimateFiles(profile: CameraProfile?) throws -> ExitCode? {
    var code: ExitCode?
    var done = 0
    let total = file.contains("-") ? "" : " of \(file.count)"
    var line = ProgressLine.onStandardError(quiet: file.count < 2 && total != "")
    let (picture, method, second, anyCamera) = (picture, method, secondRegion, anyCamera)
    let work = OrderedWork(nextInput: fileNames()) {
      var reader = ImageFileReader()
      return { path in
        Result {
          try picture.reading(
            path: path, profile: profile, anyCamera: anyCamera, method: method,
            secondRegion: second, reader: &reader)
        }
      }
    }
    line.update("0\(total) done")
    try work.forEach { path, result in
      line.clear()
      let refused: ExitCode?
      do {
        let (reading, difference) = try result.get()
        refused = try show(reading, name: path, profile: profile, difference: difference)
      } catch {
        refused = complain(error, about: path)
      }
      code = code ?? refused
      done += 1
      line.update("\(done)\(total) done")
    }
    return code
  }

  /// Makes a function that returns the names in turn; `-` stands for the lines of standard input.
  private func fileNames() -> () throws -> String? {
    var arguments = file.makeIterator()
    var input: InputLines?
    return {
      while true {
        if let line = try input?.next() { return line }
        input = nil
        let name = arguments.next()
        guard name == "-" else { return name }
        input = InputLines()
      }
    }
  }

  /// Prints what a picture shows; returns the exit code if it is refused.
  private func show(
    _ reading: PictureReading, name: String, profile: CameraProfile?, difference: String?
  ) throws -> ExitCode? {
    switch reading {
    case .scene(let estimate):
      return try show(estimate, name: name, profile: profile, difference: difference)
    case .dark(let frame): return try show(frame, name: name)
    case .card(let estimate, let second):
      let refused = try show(
        estimate, name: name, profile: profile, applied: Gains(red: 1, blue: 1), second: second,
        difference: difference)
      guard refused == nil, let second else { return refused }
      guard second.estimate.isAccepted else {
        complain("\(name), second region: \(second.estimate.refusals.sentenceWithAdvice).")
        return .badData
      }
      let sentence = second.sentence
      if !sentence.isWell {
        complain("\(name): \(sentence.text).")
        return .badData
      }
      if !json { try StandardOutput.line("\(name): \(sentence.text)") }
      return nil
    }
  }

  /// Prints an estimate; returns the exit code if it is refused.
  ///
  /// - Parameter applied: the gains that the picture already contains; without them the light is
  ///   unknown.
  private func show(
    _ estimate: GrayCardEstimate, name: String, profile: CameraProfile?, applied: Gains?,
    second: PictureReading.SecondPatch? = nil, difference: String? = nil
  ) throws -> ExitCode? {
    let seen = reading(of: estimate, profile: profile, applied: applied)
    if json {
      var record = EstimateRecord(estimate, file: name, seen: seen, model: profile?.identity)
      record.patches = second.map(PatchesRecord.init)
      record.otherCamera = difference
      try printJSON(record)
    } else if let gains = estimate.gains, estimate.isAccepted {
      try StandardOutput.line(
        "\(name): " + EstimateText.line(estimate, gains: gains, seen: seen)
          + EstimateText.caution(difference))
    }
    if estimate.isAccepted { return nil }
    complain("\(name): \(estimate.refusals.sentenceWithAdvice).")
    return .badData
  }

  /// The light of an estimate; `nil` without a profile or the gains that the picture already
  /// contains.
  func reading(
    of estimate: GrayCardEstimate, profile: CameraProfile?, applied: Gains?
  ) -> LightReading? {
    estimate.gains.flatMap { missing in
      applied.flatMap {
        profile?.tellableReading(of: Gains(missing.vector * $0.vector), lightClass: lightClass)
      }
    }
  }

  /// Prints what a scene's average says; returns the exit code if it says nothing.
  private func show(
    _ estimate: SceneEstimate, name: String, profile: CameraProfile?, difference: String?
  ) throws -> ExitCode? {
    let seen = try estimate.gains.flatMap { gains in
      // The profile's uncertainty says nothing about how well the assumption holds.
      try profile?.model.reading(of: gains, lightClass: lightClass).map {
        LightReading($0.chromaticity)
      }
    }
    let pixels = estimate.pixels
    let counts = "\(pixels.clipped) of \(pixels.total) pixels are clipped and \(pixels.dark) dark"
    if json {
      var record = EstimateRecord(
        file: name, gains: estimate.gains, response: estimate.response,
        pixels: .init(
          total: pixels.total, used: pixels.used, clipped: pixels.clipped, dark: pixels.dark),
        seen: seen, model: profile?.identity,
        reasons: estimate.gains == nil ? ["no color to average: \(counts)"] : [])
      record.method = "\(method)"
      record.otherCamera = difference
      record.assumption = "the scene is neutral on average"
      try printJSON(record)
    } else if let gains = estimate.gains {
      let light = seen.map { ", " + EstimateText.light($0) } ?? ""
      try StandardOutput.line(
        "\(name): \(EstimateText.gains(gains))\(light) (\(method) assumes that the scene "
          + "is neutral on average; \(pixels.used) pixels used; \(counts))"
          + EstimateText.caution(difference))
    }
    if estimate.gains != nil { return nil }
    complain(
      "\(name): no color to average: \(counts).\nChange the exposure or the region, then run the "
        + "command again.")
    return .badData
  }

  /// Prints a dark frame's levels; returns the exit code if the frame is not dark.
  private func show(_ dark: DarkFrame, name: String) throws -> ExitCode? {
    if json {
      try printJSON(DarkFrameRecord(dark, file: name))
    } else if dark.isDark {
      let levels = dark.planes.map {
        "\(fixed($0.level, decimals: 2)) \($0.channel.rawValue)"
      }.joined(separator: ", ")
      let error = dark.planes.map(\.standardError).max() ?? 0
      let hot = dark.planes.reduce(0) { $0 + $1.hotPixels }
      try StandardOutput.line(
        "\(name): black level \(levels) (± \(fixed(error, decimals: 3)); hot pixels: \(hot)); "
          + "--black \(fixed(dark.level, decimals: 2))")
    }
    guard dark.isDark else {
      complain("\(name): \(DarkFrameRecord.notDark).\nCover the lens, and take the frame again.")
      return .badData
    }
    let zeros = dark.planes.map(\.zeroShare).max() ?? 0
    if zeros > 0.02 {
      remark(
        "\(name): \(fixed(zeros * 100, decimals: 0)) % of its pixels are stored as 0, where the "
          + "noise is cut off; the true level is lower.")
    }
    return nil
  }
}

private struct DarkFrameRecord: Encodable {
  static let notDark = "this is no dark frame: its pixels differ by more than noise does"

  struct Plane: Encodable {
    var channel: String
    var level, standardError, noise, zeroShare: Double
    var pixels, hotPixels: Int
  }

  var file: String
  var method = "black-level"
  var blackLevel: Double
  var planes: [Plane]
  var accepted: Bool
  var reasons: [String]

  init(_ dark: DarkFrame, file: String) {
    self.file = file
    blackLevel = dark.level
    planes = dark.planes.map {
      Plane(
        channel: $0.channel.rawValue, level: $0.level, standardError: $0.standardError,
        noise: $0.noise, zeroShare: $0.zeroShare, pixels: $0.pixels, hotPixels: $0.hotPixels)
    }
    accepted = dark.isDark
    reasons = dark.isDark ? [] : [Self.notDark]
  }
}
