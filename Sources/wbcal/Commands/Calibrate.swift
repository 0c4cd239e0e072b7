import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

struct Calibrate: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Calibrate a camera from shots of gray cards or color charts under known lights.",
    discussion: """
      One shot is enough to start; two under very different lights, such as
      incandescent and daylight, reach the limit that the camera sets. A LIGHT is a
      standard illuminant (A, D65, FL11, LED-B3), xy:0.3127,0.3290, 2856K (a black
      body), D5600K (daylight), 4012K/+0.0031 (temperature and Duv) or spd:FILE, a
      spectrum in CSV, CGATS (.sp) or IES TM-27 (.spdx). A SOURCE is a picture,
      rgb:R,G,B (linear values, with black subtracted and without gains) or a camera.
      File names in a table are relative to the table. A picture's name may contain a
      *, such as 'card*.png' for a bracket: the brightest picture that is not clipped
      is the shot.

      A spectrum in CSV has rows of nanometers and power at equal steps, and may have
      a row such as class,led. Steps of more than 1 nm are interpolated by Sprague's
      polynomials, as CIE recommends: x and y are within 1e-4 at 5 nm, and at 10 nm
      for lamps without narrow lines. A table's region is the card's rectangle in the
      row's picture, in quotation marks: "796,908,36,36".

      One shot of a ColorChecker Classic replaces several shots of a gray card, and
      measures colors as well: the profile then has gains and color matrices for any
      light of known spectrum ('wbcal profile matrix'). Pictures of a chart must be
      linear: raw photographs, or TIFF marked as linear.

      For a camera, the exposure, the tone curve and the control laws are measured as
      well; its settings are restored at the end. You are asked to switch on each
      --light, unless there is only one or --change-light names a command. The
      simulated room changes its light by itself or by --change-light, unless the
      device's light= fixes it; with prompt=1 it asks you, for practice.

        wbcal calibrate --device simulated --light A --light D65 -o desk.json
        wbcal calibrate --device /dev/video0 --light 2856K --light D5600K -o desk.json
        wbcal calibrate --shot lamp.dng@2856K --shot sky.dng@D5600K -o desk.json
        wbcal calibrate --shot 'card*.tiff@D65' -o desk.json
        wbcal calibrate --shots shots.csv -o desk.json
        wbcal calibrate --profile desk.json --add tube.dng@FL11
        wbcal calibrate --chart chart.dng@D5600K -o camera.json

      --flat measures the shading of the lens and adds it to the --profile, for
      pictures of that size and kind; 'estimate', 'balance' and 'bracket' with the
      profile correct it, and DNG files contain it. The surface is plain and neutral,
      fills the picture and is out of focus: a white screen, or paper under an
      overcast sky. Its own unevenness is subtracted if there are pictures of it
      turned together with its light. A picture with an edge, an object, clipping or
      light from one side is refused, and the message states the place. An object is
      noticed if it is wider than a tenth of the picture and differs by 8 %; fainter
      ones may count as shading.

        wbcal calibrate --profile desk.json --flat white.dng
        wbcal calibrate --profile desk.json --flat a.dng@0 --flat b.dng@180

      The profile is replaced completely, or not changed at all.
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Option(help: "A light for the card in front of the camera; repeat it for more shots.")
  var light: [String] = []
  @Option(
    help: ArgumentHelp(
      "A shell command that switches on each --light, so that nobody is asked to; $WBCAL_LIGHT "
        + "contains the light's name.", valueName: "command"))
  var changeLight: String?
  @Option(help: ArgumentHelp("A shot; repeat it for more.", valueName: "SOURCE@LIGHT"))
  var shot: [String] = []
  @Option(
    help: ArgumentHelp(
      "A table of shots: columns r,g,b or image, light, and optionally class, region, noise, "
        + "uncertainty and note."),
    completion: .file(extensions: ["csv"]))
  var shots: String?
  @Option(
    name: .shortAndLong,
    help: "The profile to write; - for standard output. By default that of --profile.",
    completion: .json)
  var output: String?
  @Option(
    help: "A profile to add shots to: the camera is fitted again to all shots.",
    completion: .json)
  var profile: String?
  @Option(help: ArgumentHelp("As --shot, with --profile.", valueName: "SOURCE@LIGHT"))
  var add: [String] = []
  @Option(help: RequestedFlat.help) var flat: [String] = []
  @OptionGroup var charts: ChartOptions
  @OptionGroup var picture: PictureOptions
  @OptionGroup var recording: RecordOptions
  @Flag(
    help: "Omit the check, of some seconds, that the settings stay; the first 'set' makes it.")
  var noWatch = false
  @Flag(
    help: "Accept pictures of other cameras and kinds as this camera's; the profile states this.")
  var anyCamera = false
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    try forbid(
      !flat.isEmpty && profile == nil,
      "--flat requires --profile, the camera's profile, to which the flat field is added. If there "
        + "is none, make one first, such as with 'wbcal calibrate --shot card.dng@D65 -o "
        + "camera.json'; then write 'wbcal calibrate --profile camera.json --flat "
        + "\(flat.first ?? "")'.")
    try forbid(output == nil && profile == nil, "name the profile to write with --output.")
    try forbid(!add.isEmpty && profile == nil, "--add requires --profile, the profile to add to.")
    let hasShots = !(shot + add + charts.chart).isEmpty || shots != nil
    try forbid(
      device == nil && !hasShots && flat.isEmpty,
      "there is no shot; give --device and --light, --shot, --shots or --chart.")
    try forbid(
      !flat.isEmpty && (device != nil || hasShots),
      "--flat cannot be combined with shots: first calibrate, then add the flat field.")
    try forbid(
      !flat.isEmpty && picture.card.region != nil, "--region, for a card, requires a shot.")
    for argument in flat { _ = try RequestedFlat(argument: argument) }
    try forbid(changeLight != nil && device == nil, "--change-light requires --device.")
    try forbid(noWatch && device == nil, "--no-watch requires --device.")
    try forbid(
      (device == nil) != light.isEmpty,
      "--device and --light, the light on the card, require each other.")
    if !hasShots, flat.isEmpty { try picture.requireForCamera() }
    _ = try recording.recording(of: device)
    try forbid(
      light.count > 1 && device?.light != nil,
      "the device's light= fixes the light; omit it to take shots under several lights.")
  }

  func execute() async throws {
    guard flat.isEmpty else {
      let (measured, profile) = try await orNothingSaved { try saveFlatField() }
      return try summarize(measured, profile)
    }
    let (profile, frames) = try await orNothingSaved { try await calibrate() }
    try summarize(profile, frames: frames)
  }

  /// Returns the result of `body`, or adds to its error that nothing was saved.
  private func orNothingSaved<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch {
      let isCancelled = error as? CameraError == .cancelled
      if isCancelled || error is ValidationError || error is ExitCode { throw error }
      var failure = Failure(error)
      if !failure.message.hasSuffix("Nothing was saved.") {
        failure.message += ". Nothing was saved."
      }
      throw failure
    }
  }

  var target: String { output ?? profile ?? "-" }

  /// The shots that were asked for, and the profile to which they are added.
  private struct Request {
    var shots: [RequestedShot]
    var charts: [RequestedChart]
    var former: FormerProfile?
  }

  /// The shots that were taken, and the camera or the pictures that they are of.
  private struct Evidence {
    var camera: CameraShots?
    var cards: [CalibrationShot]
    var charts: [ChartShot] = []
    var pictures: PictureOrigin?
  }

  // Work without a camera is in functions of its own: an asynchronous function contains a copy of
  // it for each way that leads to it.
  private func calibrate() async throws -> (CameraProfile, frames: Int?) {
    let request = try request()
    let former = request.former?.profile
    let found: CameraShots? = if let device { try await cameraShots(device, former) } else { nil }
    var taken = Evidence(camera: found, cards: found?.shots ?? [], pictures: former?.pictures)
    for one in request.shots {
      taken.cards.append(try await shot(one, former, pictures: &taken.pictures))
    }
    return (try save(&taken, request), found?.frames)
  }

  private func request() throws -> Request {
    var requested = try shots.map { try ShotTable(path: $0).shots } ?? []
    requested += try (shot + add).map { try RequestedShot(argument: $0) }
    let requestedCharts = try charts.chart.map { try RequestedChart(argument: $0) }
    let former = try profile.map { try FormerProfile(path: $0) }
    try refuse(
      output: target,
      over: [shots, charts.sheet.reflectances].compactMap(\.self) + requested.flatMap(\.files)
        + requestedCharts.map(\.path)
        + light.compactMap { Light.spectrumFile(argument: $0, folder: nil) })
    return Request(shots: requested, charts: requestedCharts, former: former)
  }

  /// Reads the charts, and writes the profile of all shots.
  private func save(_ taken: inout Evidence, _ request: Request) throws -> CameraProfile {
    taken.charts = try request.charts.map {
      try read($0, request.former?.profile, pictures: &taken.pictures)
    }
    var editionRemark: String?
    if charts.sheet.isEditionOpen {
      (taken.charts, editionRemark) = Self.ofLikelierEdition(taken.charts)
    }
    let saved: CameraProfile
    if let path = profile, areSameFile(path, target) {
      // Another run may have added shots since the profile was read; they must not be lost.
      saved = try withLock(on: path) { try write(taken, addedTo: FormerProfile(path: path)) }
    } else {
      saved = try write(taken, addedTo: request.former)
    }
    if let editionRemark { remark(editionRemark) }
    return saved
  }

  private func write(_ taken: Evidence, addedTo former: FormerProfile?) throws -> CameraProfile {
    let found = taken.camera
    let isOther = found != nil && found?.identity.id != former?.profile.device?.id
    let own = isOther ? nil : former?.profile
    let levels = found == nil ? nil : picture.card
    var profile = try Self.profile(
      cards: (former?.cards ?? []) + taken.cards, charts: (former?.charts ?? []) + taken.charts,
      through: found?.laws)
    (profile.device, profile.pictures) = (found?.identity ?? own?.device, taken.pictures)
    profile.laws = found?.laws ?? own?.laws
    profile.exposure = found?.exposure ?? own?.exposure
    profile.transfer = found?.transfer ?? own?.transfer
    profile.blackLevel = levels?.black ?? own?.blackLevel
    profile.whiteLevel = levels?.white ?? own?.whiteLevel
    profile.flatFields = own?.flatFields ?? []
    try profile.write(to: target)
    return profile
  }

  /// Returns the shots that a camera takes of the card under each light, with the named classes.
  private func cameraShots(
    _ device: DeviceSpecification, _ former: CameraProfile?
  ) async throws -> CameraShots {
    let lights = try light.map { try Light.read(argument: $0, folder: nil) }
    let changing = LightChange(command: changeLight, count: lights.count)
    var found = try await CameraSession.with(
      device, card: picture.card, profile: former, for: .borrowing,
      recording: try recording.recording(of: device)
    ) { session in
      if noWatch { session.endWhenSeen() }
      return try await session.shoot(lights.map(\.light), changing)
    }
    if noWatch, found.laws != nil, found.laws?.persistence == nil {
      remark(
        "It was not checked whether the settings stay, or whether gains start from where the "
          + "automatic mode stopped; the first 'wbcal set' with the profile does that.")
    }
    found.shots = try zip(found.shots, lights).map { shot, light in
      try CalibrationShot(
        light: shot.light, response: shot.response, lightClass: light.lightClass,
        noise: shot.noise, source: shot.source)
    }
    return found
  }

  /// Returns the profile that shots make, without any other data of the camera.
  ///
  /// - Parameter laws: the laws of the controls through which a camera took the shots.
  static func profile(
    cards: [CalibrationShot], charts: [ChartShot] = [], through laws: ControlLaws? = nil
  ) throws -> CameraProfile {
    let charts = try withoutDoubts(cards: cards, charts: charts)
    let calibration: Calibration
    do { calibration = try Calibration(fitting: cards, charts: charts) } catch {
      guard let laws, case .contradiction = error else { throw error }
      throw contradiction("\(error)", through: laws)
    }
    return CameraProfile(
      created: Date.now.formatted(.iso8601), generator: "wbcal \(Wbcal.version)",
      model: .calibrated(calibration))
  }

  /// Returns the failure for shots of a camera that contradict each other: besides the names of the
  /// lights, its controls may be the cause.
  private static func contradiction(_ text: String, through laws: ControlLaws) -> Failure {
    let names = laws.reference.map(\.id.rawValue).joined(separator: " and ")
    let advice = CameraError.adviceWithoutProfile
    return .badData(
      text + ". If the lights are right, the camera changes its colors by more than \(names); "
        + advice)
  }

  private struct FormerProfile {
    var profile: CameraProfile
    var cards: [CalibrationShot]
    var charts: [ChartShot]

    init(path: String) throws {
      profile = try CameraProfile(source: path)
      guard let calibration = profile.calibration else {
        throw Failure.badData("\(path) was imported, and contains no shots to add to")
      }
      (cards, charts) = (calibration.cards, calibration.charts)
    }
  }

  /// Merges a picture's origin into the common origin of the other pictures.
  func join(
    _ origin: PictureOrigin, path: String, _ former: CameraProfile?,
    to pictures: inout PictureOrigin?
  ) throws {
    let difference =
      pictures.map { $0.difference(from: origin) } ?? former?.difference(from: origin)
    guard let difference else {
      pictures = pictures?.completed(by: origin) ?? origin
      return
    }
    guard anyCamera else {
      let others = former == nil ? "the other shots" : "the profile"
      throw Failure.differs(path, from: others, difference)
    }
    var joined = pictures ?? PictureOrigin()
    joined.others = (joined.others ?? []) + ["\(path): \(difference)"]
    pictures = joined
  }

  private func shot(
    _ request: RequestedShot, _ former: CameraProfile?, pictures: inout PictureOrigin?
  ) async throws -> CalibrationShot {
    let response: LinearRGB
    let source: String
    var noise = request.noise ?? CalibrationShot.defaultNoise
    func weigh(_ estimate: GrayCardEstimate) {
      noise = max(noise, estimate.standardError.red, estimate.standardError.blue)
    }
    switch request.source {
    case .response(let value): (response, source) = (value, "rgb")
    case .picture(let path, let region):
      var estimator = picture.card.estimator
      if let region { estimator.region = region }
      let best = try brightestCard(in: path, estimator)
      try join(best.origin, path: best.path, former, to: &pictures)
      weigh(best.estimate)
      (response, source) = (best.estimate.response, best.path)
    case .device(let device):
      let estimate = try await CameraSession.with(
        device, card: picture.card, profile: former, for: .borrowing
      ) { try await $0.cardAtReference(of: request.light, place: device.text) }
      weigh(estimate)
      (response, source) = (estimate.response, device.text)
    }
    do {
      return try CalibrationShot(
        light: request.light, response: response, lightClass: request.lightClass,
        noise: noise, source: source)
    } catch {
      throw Failure.badData("\(request.place): \(error)")
    }
  }

  /// Returns the card in a picture; of several pictures, the brightest accepted one.
  private func brightestCard(
    in name: String, _ estimator: GrayCardEstimator
  ) throws -> (path: String, estimate: GrayCardEstimate, origin: PictureOrigin) {
    var best: (path: String, estimate: GrayCardEstimate, origin: PictureOrigin)?
    var refusals: [Failure] = []
    let paths = try pictureFiles(named: name)
    for path in paths {
      let (picture, origin) = try picture.pictureAndOrigin(path: path)
      let estimate = try estimator.estimate(picture.frame)
      do {
        try Self.accept(estimate, place: path)
        if let best, best.estimate.response.green >= estimate.response.green { continue }
        best = (path, estimate, origin)
      } catch {
        refusals.append(Failure(error))
      }
    }
    if let best { return best }
    if let refusal = refusals.first, refusals.count == 1 { throw refusal }
    throw Failure.badData(
      "none of the \(paths.count) pictures \(name) is well exposed: "
        + refusals.map(\.message).joined(separator: "; "))
  }

  static func accept(_ estimate: GrayCardEstimate, place: String) throws {
    guard !estimate.isAccepted else { return }
    throw Failure(estimate.refusals, at: place)
  }

  /// Returns lines about the expected errors of the fit's gains, and the shot that would improve it
  /// most.
  static func expectations(of calibration: Calibration, through laws: ControlLaws?) -> [String] {
    let errors = errors(of: calibration, through: laws).map {
      "\($0.lightClass.rawValue) \(fixed(100 * $0.error, decimals: 1)) %"
    }
    var lines = doubt(of: calibration).map { [$0] } ?? []
    lines += ["gains expected within (standard error): " + errors.joined(separator: ", ")]
    if let best = bestNextShot(of: calibration) {
      lines.append(
        "a shot under \(best.light) would help most: from \(fixed(100 * best.now, decimals: 1)) % to "
          + "\(fixed(100 * best.after, decimals: 1)) % error over all kinds of lamps"
      )
    }
    return lines
  }

  /// Returns the standard error of gains under a typical lamp of each class.
  static func errors(
    of calibration: Calibration, through laws: ControlLaws?
  ) -> [(lightClass: LightClass, error: Double)] {
    let lights: [(LightClass, String)] = [
      (.thermal, "A"), (.daylight, "D65"), (.led, "LED-B3"), (.fluorescent, "FL11"),
      (.other, "HP4"),
    ]
    return lights.compactMap { lightClass, name in
      guard let light = StandardIlluminant(named: name),
        let errors = calibration.uncertainty.covariance(
          at: light.chromaticity, lightClass: lightClass)?.standardErrors
      else { return nil }
      return (lightClass, error(max(errors.red, errors.blue), through: laws))
    }
  }

  /// Adds the error of the control laws to an error of gains that a calibration predicts. The error
  /// of the laws is in all shots, and cancels only near their lights. A small one is already part
  /// of the calibration's errors.
  static func error(_ error: Double, through laws: ControlLaws?) -> Double {
    guard let laws, laws.fitError > 4 * CalibrationShot.defaultNoise else { return error }
    return (error * error + laws.fitError * laws.fitError).squareRoot()
  }

  /// Returns the light of the shot that would reduce the error most, and the error over all kinds
  /// of lamps now and after it; `nil` if no shot would reduce it much.
  static func bestNextShot(
    of calibration: Calibration
  ) -> (light: String, now: Double, after: Double)? {
    let expected = calibration.nextShots()
    let now = expected.expectedError
    guard let best = expected.shots.first, best.expectedError < 0.8 * now else { return nil }
    return (best.light, now, best.expectedError)
  }

  /// Returns the warning about a calibration that nothing verifies; `nil` for any other.
  static func doubt(of calibration: Calibration) -> String? {
    calibration.uncheckedLight.map {
      "a single light cannot be checked: if it was not \($0.name), all gains and temperatures are "
        + "wrong by as much; a shot under another light checks it"
    }
  }

  private func summarize(_ profile: CameraProfile, frames: Int?) throws {
    // If the profile itself is written to standard output, nothing else may be.
    if target == "-" { return }
    if json { return try printJSON(profile, version: nil) }
    var lines: [String] = []
    for fitted in profile.calibration?.shots ?? [] {
      let residual = [fitted.residual.red, fitted.residual.blue].map {
        fixed($0 * 100, decimals: 2)
      }
      lines.append(
        "\(fitted.shot.light.name): residual \(residual[0]) % red, \(residual[1]) % blue"
          + (fitted.remark.map { "; \($0)" } ?? ""))
    }
    lines += profile.pictures?.others?.map { "accepted as this camera's: \($0)" } ?? []
    if let laws = profile.laws { lines += laws.summary }
    if let laws = profile.exposure { lines += laws.summary }
    if let calibration = profile.calibration {
      lines +=
        Self.expectations(of: calibration, through: profile.laws)
        + Self.chartSummary(of: calibration, through: profile.laws)
    }
    if let frames { lines.append("used \(frames) frames") }
    lines.append("saved \(target)")
    try StandardOutput.line(lines.joined(separator: "\n"))
  }
}
