import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WbcalReports
import WhiteBalance

struct Estimate: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Estimate gains from a gray card in pictures, or in front of a camera.",
    discussion: """
      The region must show one neutral surface under one light, unless --method
      states otherwise; then it is by default the whole picture. PNG, TIFF, JPEG
      and PNM pictures are read as sRGB unless they or --transfer state otherwise;
      raw photographs as the sensor's values, with only their own black level
      subtracted.

      Gains are scaled so that the smallest is 1; JSON and CSV also have them with
      green 1. With --json or --csv there is a row for every input, also for one that
      was refused or could not be read; the exit code is that of the first of these.
      Errors are relative: 0.01 is 1 %.

      --write-xmp and --write-pp3 pass the gains of a raw photograph to darktable
      and RawTherapee. A sidecar that contains anything else is never replaced. In
      darktable, color calibration is switched off, because it would balance again.
      RawTherapee has no gains: its temperature and green mean the same only if
      it uses the same color matrix for the camera as LibRaw.

        wbcal estimate card.dng --region 796,908,36,36
        wbcal estimate *.png --csv > gains.csv
        find . -name '*.dng' -print0 | wbcal estimate - --json
        ssh pi cat frame.png | wbcal estimate /dev/stdin
        wbcal estimate shot.dng --find card -o where.png
        wbcal estimate --device /dev/video0 --find card -o where.png
        wbcal estimate shot.dng --find chart -o where.png
        wbcal estimate frame.raw --raw 1920x1080:RG10 --black 64
        wbcal estimate scene.png --method shades-of-gray:6
        wbcal estimate card.dng --region 796,908,36,36 --second-region 904,906,36,36
        wbcal estimate card.dng --region 796,908,36,36 --write-xmp
        wbcal estimate covered.dng --method black-level
        wbcal estimate --device simulated:light=A --profile desk.json
        wbcal estimate card.dng --profile camera.json --light FL11 --light spd:led.sp
      """)

  @Argument(
    help: ArgumentHelp(
      "Pictures; - for names from standard input, one per line or each ended by NUL; /dev/stdin "
        + "for one picture from it."), completion: .file())
  var file: [String] = []
  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @OptionGroup var picture: PictureOptions
  @Option(help: EstimateMethod.help, transform: EstimateMethod.init(argument:))
  var method: EstimateMethod = .grayCard
  @Option(
    help: ArgumentHelp(
      "A second gray patch of another brightness: shows whether both agree, or a wrong black "
        + "level.",
      valueName: "region"),
    transform: GrayCardEstimator.Region.init(argument:))
  var secondRegion: GrayCardEstimator.Region?
  @Option(
    help: "The camera's profile; adds chromaticity, temperature and tint.", completion: .profile)
  var profile: String?
  @Flag(
    help: "Use the profile even for pictures of other cameras and kinds; the result states this.")
  var anyCamera = false
  @Option(name: .customLong("class"), help: "The class of the light, if it is known.")
  var lightClass: LightClass?
  @Option(
    help: ArgumentHelp(
      "A lamp that it may be, as for 'wbcal calibrate'; repeat it for more: the result states "
        + "which of them it is, or none.", valueName: "light"))
  var light: [String] = []
  @Flag(help: "Write one JSON object per line.") var json = false
  @Flag(help: "Write CSV, with a header.") var csv = false
  @OptionGroup var sidecars: SidecarOptions
  @Option(
    help: "Propose the place of a card or a chart (a ColorChecker Classic), for you to confirm.")
  var find: Target?
  @Option(
    help: ArgumentHelp(
      "With --find card: the approximate width of the card; other surfaces are not proposed.",
      valueName: "pixels"))
  var cardSize: Int?
  @Option(
    name: .shortAndLong,
    help: "With --find: a PNG or JPEG picture with axes in which the proposal is drawn.",
    completion: .file(extensions: ["png", "jpg"]))
  var output: String?

  func validate() throws {
    try forbid(csv && json, "--csv and --json cannot be combined.")
    try forbid(csv && find != nil, "--csv and --find cannot be combined.")
    if csv, case .darkness = method.subject {
      throw ValidationError("--csv has no columns for a black level; use --json.")
    }
    try forbid(
      find != nil && (file.count > 1 || file == ["-"] || picture.card.region != nil),
      "--find requires one picture or camera, and cannot be combined with --region.")
    try forbid(output != nil && find == nil, "--output requires --find.")
    try forbid(cardSize != nil && find != .card, "--card-size requires --find card.")
    try forbid(
      find == .chart && profile != nil,
      "--find chart and --profile cannot be combined: the place of patches needs no profile.")
    if let cardSize, cardSize < 1 {
      throw ValidationError("--card-size must be the card's width in pixels, at least 1.")
    }
    try forbid(anyCamera && profile == nil, "--any-camera requires --profile.")
    try forbid(lightClass != nil && profile == nil, "--class requires --profile.")
    try forbid(
      !light.isEmpty && (profile == nil || csv || find != nil),
      "--light requires --profile, and cannot be combined with --csv or --find.")
    try forbid(file.isEmpty == (device == nil), "name pictures, or a camera with --device.")
    if case .darkness = method.subject, picture.card.black != nil {
      throw ValidationError("--method black-level and --black cannot be combined.")
    }
    let isCard = if case .grayCard = method.subject { true } else { false }
    if device != nil { try picture.requireForCamera() }
    try forbid(
      !light.isEmpty && !isCard,
      "--light requires a gray card, and cannot be combined with another --method.")
    try forbid(
      device != nil && (!isCard || secondRegion != nil),
      "--method and --second-region require pictures.")
    try sidecars.validate(
      with: picture, files: file, isCardInFiles: isCard && device == nil && find == nil)
    try forbid(!isCard && secondRegion != nil, "--second-region requires --method gray-card.")
  }

  func execute() async throws {
    let loaded = try profile.map { try CameraProfile(source: $0) }
    if csv { try StandardOutput.line(EstimateRecord.columns.joined(separator: ",")) }
    if let find { return try await propose(find, profile: loaded) }
    if let device {
      let refused = try await estimateCamera(device, profile: loaded)
      if let refused { throw refused }
    }
    let refused = try estimateFiles(profile: loaded)
    if let refused { throw refused }
  }

  /// Prints the estimate from a camera; returns the exit code if it is refused.
  private func estimateCamera(
    _ device: DeviceSpecification, profile given: CameraProfile?
  ) async throws -> ExitCode? {
    let (estimate, applied, profile): (GrayCardEstimate, Gains?, CameraProfile?)
    do {
      (estimate, applied, profile) = try await CameraSession.with(
        device, card: picture.card, profile: given, for: .reading
      ) { try await Self.look($0) }
    } catch {
      if error is ExitCode || error is ValidationError { throw error }
      return try show(Failure(error), name: device.text)
    }
    if profile != nil, applied == nil {
      remark(
        "The profile has no data on this camera's controls, so the light cannot be determined.")
    }
    return try show(estimate, name: device.text, profile: profile, applied: applied)
  }

  /// Returns a camera's estimate of the card, the gains that it applies, if its laws are known, and
  /// the profile for determining its light.
  static func look(
    _ session: CameraSession
  ) async throws -> (estimate: GrayCardEstimate, applied: Gains?, profile: CameraProfile?) {
    let applied = session.knownLaws?.gains(at: try await session.camera.settings())
    return (try await session.camera.estimate(), applied, session.lightProfile)
  }

  /// Returns an estimate as JSON.
  func record(
    _ estimate: GrayCardEstimate, name: String, profile: CameraProfile?, applied: Gains?
  ) -> EstimateRecord {
    EstimateRecord(
      estimate, file: name, seen: reading(of: estimate, profile: profile, applied: applied),
      model: profile?.identity)
  }

  /// Prints the estimates from all files; returns the exit code of the first that failed.
  private func estimateFiles(profile: CameraProfile?) throws -> ExitCode? {
    if file.isEmpty { return nil }
    var code: ExitCode?
    var done = 0
    let total = file.contains("-") ? "" : " of \(file.count)"
    let (picture, method, second, anyCamera) = (picture, method, secondRegion, anyCamera)
    let work = OrderedWork(nextInput: names()) {
      var reader = ImageFileReader()
      return { name in
        Result {
          if let problem = name.problem { throw problem }
          return try picture.reading(
            path: name.path, profile: profile, anyCamera: anyCamera, method: method,
            secondRegion: second, reader: &reader)
        }
      }
    }
    Progress.shared.show("0\(total) pictures done")
    try work.forEach { name, result in
      var refused: ExitCode?
      switch result {
      case .success(let reading):
        refused = try show(reading, name: name.path, profile: profile)
        if csv, refused == nil { reading.assumedCurve?.say(about: name.path) }
        if refused == nil, case .card(let card, _) = reading.reading, let gains = card.gains {
          do { try sidecars.write(gains, nextTo: name.path) } catch {
            let failure = Failure(error, about: name.path)
            complain(failure.message)
            refused = failure.code
          }
        }
      case .failure(let error):
        refused = try show(Failure(error, about: name.path), name: name.path)
      }
      code = code ?? refused
      done += 1
      Progress.shared.show("\(done)\(total) pictures done")
    }
    if done == 0 {
      throw Failure(message: "standard input contains no file names", code: .noInput)
    }
    return code
  }

  /// Returns a function that returns the names in turn; `-` stands for those in standard input.
  private func names() -> () -> ListedName? {
    var arguments = file.makeIterator()
    var list: NameList?
    return {
      while true {
        if let name = list?.next() { return name }
        list = nil
        guard let name = arguments.next() else { return nil }
        if name != "-" { return ListedName(path: name) }
        list = NameList()
      }
    }
  }

  /// Writes the record in the requested form, if any.
  private func write(_ record: EstimateRecord) throws {
    if json { try printJSON(record) }
    if csv { try StandardOutput.line(record.row) }
  }

  /// Prints that an input could not be read; returns the exit code.
  private func show(_ failure: Failure, name: String) throws -> ExitCode {
    complain(failure.message)
    try write(EstimateRecord(failure, file: name, method: method))
    return failure.code
  }

  /// Prints the result of a picture; returns the exit code if it is refused. A row of CSV has no
  /// field for assumptions about the picture.
  private func show(
    _ file: PictureOptions.FileReading, name: String, profile: CameraProfile?
  ) throws -> ExitCode? {
    switch file.reading {
    case .scene(let estimate): return try show(estimate, name: name, profile: profile, of: file)
    case .dark(let frame): return try show(frame, name: name)
    case .card(let estimate, let second):
      return try show(
        estimate, name: name, profile: profile, applied: Gains(red: 1, blue: 1), second: second,
        of: file)
    }
  }

  /// Prints an estimate; returns the exit code if it is refused.
  ///
  /// - Parameter applied: the gains that the picture already contains; without them the light is
  ///   unknown.
  private func show(
    _ estimate: GrayCardEstimate, name: String, profile: CameraProfile?, applied: Gains?,
    second: PictureReading.SecondPatch? = nil, of file: PictureOptions.FileReading? = nil
  ) throws -> ExitCode? {
    let seen = reading(of: estimate, profile: profile, applied: applied)
    let lamps = try lamps(of: estimate, profile: profile, applied: applied)
    let objection =
      estimate.isAccepted ? second?.objection : estimate.refusals.sentenceWithAdvice
    if json || csv {
      var record = EstimateRecord(estimate, file: name, seen: seen, model: profile?.identity)
      record.patches = second.map(PatchesRecord.init)
      record.take(file)
      record.lamps = lamps.map { $0.map(LampRecord.init) }
      if estimate.isAccepted, let objection { record.refuse(objection) }
      try write(record)
    } else if let gains = estimate.gains, estimate.isAccepted {
      let line = EstimateText.line(estimate, gains: gains, seen: seen)
      try StandardOutput.line(
        "\(shown(name)): \(line)\(EstimateText.caution(file?.difference))"
          + EstimateText.assumption(file))
      if let lamps { try StandardOutput.line("\(shown(name)): \(EstimateText.lamps(lamps))") }
    }
    if let objection {
      complain("\(shown(name)): \(objection).")
      return .badData
    }
    if let second, !json, !csv {
      try StandardOutput.line("\(shown(name)): \(second.sentence.text)")
    }
    return nil
  }

  /// Returns the light of an estimate; `nil` without a profile or the gains that the picture
  /// already contains.
  func reading(
    of estimate: GrayCardEstimate, profile: CameraProfile?, applied: Gains?
  ) -> LightReading? {
    guard let profile else { return nil }
    return gains(of: estimate, profile: profile, applied: applied).flatMap {
      profile.reliableReading(of: $0, lightClass: lightClass)
    }
  }

  /// Returns the total gains that the camera needs.
  private func gains(
    of estimate: GrayCardEstimate, profile: CameraProfile, applied: Gains?
  ) -> Gains? {
    // A camera applies its gains before its channel mixing.
    let mixing = device == nil ? nil : profile.laws?.mixing
    let missing =
      mixing.map { Gains(neutralizing: $0.unmixed(estimate.response)) } ?? estimate.gains
    guard let missing, let applied else { return nil }
    return Gains(missing.vector * applied.vector)
  }

  /// Returns the named lamps, the most likely first; `nil` if none were named or the estimate was
  /// not accepted.
  private func lamps(
    of estimate: GrayCardEstimate, profile: CameraProfile?, applied: Gains?
  ) throws -> [LampMatch]? {
    guard !light.isEmpty, let profile, estimate.isAccepted,
      let gains = gains(of: estimate, profile: profile, applied: applied)
    else { return nil }
    let lights = try light.map { try profile.light(argument: $0) }
    let errors = estimate.standardError
    let lamps = profile.model.lamps(lights, for: gains, error: (errors.red, errors.blue))
    for light in lights where !lamps.contains(where: { $0.light.name == light.name }) {
      throw Failure.badData(
        "\(light.name) cannot be compared: the profile has no shot of it, and its spectrum or "
          + "those of the shots are unknown; calibrate under lights of known spectrum or by --chart"
      )
    }
    return lamps
  }

  /// Prints the result of a scene's average; returns the exit code if there is none.
  private func show(
    _ estimate: SceneEstimate, name: String, profile: CameraProfile?,
    of file: PictureOptions.FileReading
  ) throws -> ExitCode? {
    // The profile's uncertainty does not include that of the assumption.
    let seen = estimate.gains.flatMap { gains in
      profile?.reliableReading(of: gains, lightClass: lightClass)?.withoutError
    }
    let pixels = estimate.pixels
    let counts = "\(pixels.clipped) of \(pixels.total) pixels are clipped and \(pixels.dark) dark"
    if json || csv {
      var record = EstimateRecord(
        file: name, method: method, gains: estimate.gains, response: estimate.response,
        pixels: .init(
          total: pixels.total, used: pixels.used, clipped: pixels.clipped, dark: pixels.dark),
        seen: seen, model: profile?.identity,
        reasons: estimate.gains == nil ? ["no color to average: \(counts)"] : [])
      record.take(file)
      record.assumption = "the scene is neutral on average"
      try write(record)
    } else if let gains = estimate.gains {
      let light = seen.map { ", " + EstimateText.light($0) } ?? ""
      try StandardOutput.line(
        "\(shown(name)): \(EstimateText.gains(gains))\(light) (\(method) assumes that the scene "
          + "is neutral on average; \(pixels.used) pixels used; \(counts))"
          + EstimateText.caution(file.difference) + EstimateText.assumption(file))
    }
    if estimate.gains != nil { return nil }
    complain(
      "\(shown(name)): no color to average: \(counts).\nChange the exposure or the region, then run the "
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
        "\(shown(name)): black level \(levels) (± \(fixed(error, decimals: 3)); hot pixels: \(hot)); "
          + "--black \(fixed(dark.level, decimals: 2))")
    }
    guard dark.isDark else {
      complain(
        "\(shown(name)): \(DarkFrameRecord.reason(of: dark)).\nCover the lens, and take the "
          + "frame again.")
      return .badData
    }
    let zeros = dark.planes.map(\.zeroShare).max() ?? 0
    if zeros > 0.02 {
      remark(
        "\(shown(name)): \(fixed(zeros * 100, decimals: 0)) % of its pixels are stored as 0, where the "
          + "noise is clipped; the true level is lower.")
    }
    return nil
  }
}

private struct DarkFrameRecord: Encodable {
  static func reason(of light: DarkFrame) -> String {
    "this is not a dark frame: "
      + (light.isBright
        ? "it is too bright to be without light" : "its pixels differ by more than noise")
  }

  struct Plane: Encodable {
    var channel: String
    var level, standardError, noise, zeroShare: Double
    var pixels, hotPixels: Int
  }

  var file: String
  var method = "black-level"
  /// Levels, errors and noise are in code values.
  var blackLevel: Double
  var planes: [Plane]
  var accepted: Bool
  var error: String?
  var exitCode: Int32?
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
    error = dark.isDark ? nil : "refused"
    exitCode = dark.isDark ? nil : ExitCode.badData.rawValue
    reasons = dark.isDark ? [] : [Self.reason(of: dark)]
  }
}
