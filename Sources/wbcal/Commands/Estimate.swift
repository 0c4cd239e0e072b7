import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

struct Estimate: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Estimate gains from a gray card in pictures, or in front of a camera.",
    discussion: """
      The region must show one neutral surface under one light; with --method it shows
      a scene, and is by default the whole picture. 'wbcal find' proposes a region.
      PNG, TIFF, JPEG and PNM pictures are read as sRGB unless they or --transfer
      state otherwise; raw photographs are read as the sensor's values, from which
      only their own black level is subtracted.

      Gains are scaled so that the smallest is 1; JSON and CSV also have them with
      green 1. With --json or --csv there is a row for every input, also for one that
      was refused or could not be read; the exit code is that of the first of these.
      Errors are relative: 0.01 is 1 %.

      --write-xmp and --write-pp3 pass the gains of a raw photograph to darktable
      and RawTherapee. A sidecar that contains anything else is never replaced. In
      darktable, color calibration is switched off, because it would balance again.
      RawTherapee stores a temperature and a value of green instead of gains. They
      give the same balance only if it uses LibRaw's color matrix for the camera.

        wbcal estimate card.dng --region 796,908,36,36
        wbcal estimate *.png --csv > gains.csv
        find . -name '*.dng' -print0 | wbcal estimate - --json
        ssh pi cat frame.png | wbcal estimate /dev/stdin
        wbcal estimate frame.raw --raw 1920x1080:RG10 --black 64
        wbcal estimate scene.png --method shades-of-gray:6
        wbcal estimate card.dng --region 796,908,36,36 --second-region 904,906,36,36
        wbcal estimate card.dng --region 796,908,36,36 --write-xmp
        wbcal estimate --device simulated:light=A --profile desk.json
        wbcal estimate card.dng --profile camera.json --light FL11 --light spd:led.sp
      """)

  @OptionGroup var pictures: PictureList
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
  @OptionGroup var reading: LightReadingOptions
  @Option(
    help: ArgumentHelp(
      "A lamp that it may be, as for 'wbcal calibrate'; repeat it for more: the result states "
        + "which of them it is, or none.", valueName: "light"))
  var light: [String] = []
  @Flag(help: "Write one JSON object per line.") var json = false
  @Flag(help: "Write CSV, with a header.") var csv = false
  @OptionGroup var sidecars: SidecarOptions

  func validate() throws {
    let isCard = method.scene == nil
    try forbid(csv && json, "--csv and --json cannot be combined.")
    try forbid(
      !light.isEmpty && (reading.profile == nil || csv),
      "--light requires --profile, and cannot be combined with --csv.")
    try forbid(
      !light.isEmpty && !isCard,
      "--light requires a gray card, and cannot be combined with another --method.")
    try forbid(
      pictures.file.isEmpty == (device == nil), "name pictures, or a camera with --device.")
    if device != nil { try picture.requireForCamera() }
    try forbid(
      device != nil && (!isCard || secondRegion != nil),
      "--method and --second-region require pictures.")
    try sidecars.validate(
      with: picture, files: pictures.file, isCardInFiles: isCard && device == nil)
    try forbid(!isCard && secondRegion != nil, "--second-region requires --method gray-card.")
  }

  func execute() async throws {
    let profile = try reading.loadedProfile()
    if csv { try StandardOutput.line(EstimateRecord.columns.joined(separator: ",")) }
    if let device {
      let refused = try await estimateCamera(device, profile: profile)
      if let refused { throw refused }
    } else {
      try estimateFiles(profile: profile)
    }
  }

  /// Prints the estimate from a camera; returns the exit code if it is refused.
  private func estimateCamera(
    _ device: DeviceSpecification, profile: CameraProfile?
  ) async throws -> ExitCode? {
    let card: CameraCard
    do {
      card = try await CameraSession.with(
        device, card: picture.card, profile: profile, for: .reading
      ) { try await Self.look($0) }
    } catch {
      if error is ExitCode || error is ValidationError { throw error }
      return try show(Failure(error), name: device.text)
    }
    if card.profile != nil, card.applied == nil {
      remark(
        "The profile has no data on this camera's controls, so the light cannot be determined.")
    }
    return try show(
      card.estimate, total: card.gains, name: device.text, profile: card.profile)
  }

  /// Returns a camera's estimate of the card, with what is needed to determine its light.
  static func look(_ session: CameraSession) async throws -> CameraCard {
    let applied = session.knownLaws?.gains(at: try await session.camera.settings())
    return CameraCard(
      estimate: try await session.camera.estimate(), applied: applied,
      profile: session.lightProfile)
  }

  /// Returns a camera's estimate as JSON.
  func record(_ card: CameraCard, name: String) -> EstimateRecord {
    EstimateRecord(
      card.estimate, file: name, seen: reading.reading(of: card.gains, profile: card.profile),
      model: card.profile?.identity)
  }

  /// Prints the estimates from all files.
  private func estimateFiles(profile: CameraProfile?) throws {
    let (picture, method, second) = (picture, method, secondRegion)
    let anyCamera = reading.anyCamera
    try pictures.forEach { path, reader in
      try picture.reading(
        path: path, profile: profile, anyCamera: anyCamera, method: method, secondRegion: second,
        reader: &reader)
    } show: { path, result in
      switch result {
      case .failure(let failure): try show(failure, name: path)
      case .success(let reading): try show(reading, name: path, profile: profile)
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
    try write(EstimateRecord(failure, file: name, method: "\(method)"))
    return failure.code
  }

  /// Prints the result of a picture, and writes its sidecars; returns the exit code if it is
  /// refused. A row of CSV has no field for assumptions about the picture.
  private func show(
    _ file: PictureOptions.FileReading, name: String, profile: CameraProfile?
  ) throws -> ExitCode? {
    let refused =
      switch file.reading {
      case .scene(let estimate): try show(estimate, name: name, profile: profile, of: file)
      case .card(let estimate, let second):
        try show(
          estimate, total: estimate.gains, name: name, profile: profile, second: second, of: file)
      }
    if let refused { return refused }
    if csv { file.assumedCurve?.say(about: name) }
    guard case .card(let card, _) = file.reading, let gains = card.gains else { return nil }
    do { try sidecars.write(gains, nextTo: name) } catch {
      let failure = Failure(error, about: name)
      complain(failure.message)
      return failure.code
    }
    return nil
  }

  /// Prints an estimate; returns the exit code if it is refused.
  ///
  /// - Parameter total: the gains that the camera needs in total; without them the light is
  ///   unknown.
  private func show(
    _ estimate: GrayCardEstimate, total: Gains?, name: String, profile: CameraProfile?,
    second: PictureReading.SecondPatch? = nil, of file: PictureOptions.FileReading? = nil
  ) throws -> ExitCode? {
    let seen = reading.reading(of: total, profile: profile)
    let lamps = try lamps(of: estimate, total: total, profile: profile)
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
        "\(shown(name)): \(line)\(EstimateText.shading(file))"
          + EstimateText.caution(file?.difference) + EstimateText.assumption(file))
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

  /// Returns the named lamps, the most likely first; `nil` if none were named or the estimate was
  /// not accepted.
  private func lamps(
    of estimate: GrayCardEstimate, total: Gains?, profile: CameraProfile?
  ) throws -> [LampMatch]? {
    guard !light.isEmpty, let profile, estimate.isAccepted, let total else { return nil }
    let lights = try light.map { try profile.light(argument: $0) }
    let errors = estimate.standardError
    let lamps = profile.model.lamps(lights, for: total, error: (errors.red, errors.blue))
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
    let seen = reading.reading(of: estimate.gains, profile: profile)?.withoutError
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
          + EstimateText.shading(file) + EstimateText.caution(file.difference)
          + EstimateText.assumption(file))
    }
    if estimate.gains != nil { return nil }
    complain(
      "\(shown(name)): no color to average: \(counts).\nChange the exposure or the region, then run the "
        + "command again.")
    return .badData
  }
}
