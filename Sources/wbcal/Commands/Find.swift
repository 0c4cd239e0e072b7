import CalibrationTargets
import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

struct Find: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Propose the place of a gray card or a color chart in a picture.",
    discussion: """
      Prints the --region of a card, with the gains there, or the --corners of a
      chart (a ColorChecker Classic), with the number of its readable patches. It is
      a proposal: -o draws it into a preview with axes, so that you can confirm it
      before you use it. The preview is drawn even if nothing is found.

        wbcal find card shot.dng -o where.png
        wbcal find card shot.dng --card-size 300 --profile desk.json --json
        wbcal find card --device /dev/video0 -o where.png
        wbcal find chart shot.dng -o where.png
        wbcal find chart frame.raw --raw 1920x1080:RG10 --black 64
      """)

  /// The object to find.
  enum Target: String, CaseIterable, ExpressibleByArgument { case card, chart }

  /// The picture in which to find it.
  struct Scene {
    var name: String
    var frame: Frame
    /// The difference from the profile's camera in words, if it is another camera.
    var otherCamera: String?
    /// The gains that the camera already applies, if its profile knows them.
    var applied: Gains?
    /// `true` if other programs rotate the picture before they show it.
    var isTurned = false
    /// `true` if nothing states how the numbers are coded.
    var isCurveAssumed = false
  }

  @Argument(help: "The object to find.") var target: Target
  @Argument(help: "The picture; - for one from standard input.", completion: .file())
  var file: String?
  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @OptionGroup(omitting: "region") var picture: PictureOptions
  @Option(
    help: ArgumentHelp(
      "The approximate width of the card; other surfaces are not proposed.",
      valueName: "pixels"))
  var cardSize: Int?
  @OptionGroup var reading: LightReadingOptions
  @Option(
    name: .shortAndLong,
    help: "A PNG or JPEG picture with axes in which the proposal is drawn.",
    completion: .file(extensions: ["png", "jpg"]))
  var output: String?
  @Flag(help: "Write the proposal as JSON.") var json = false

  func validate() throws {
    try forbid((file == nil) == (device == nil), "name a picture, or a camera with --device.")
    if device != nil { try picture.requireForCamera() }
    try forbid(cardSize != nil && target == .chart, "--card-size is for a card, not for a chart.")
    try forbid(
      reading.profile != nil && target == .chart,
      "--profile is for a card: the place of patches needs no profile.")
    try forbid(
      cardSize.map { $0 < 1 } == true,
      "--card-size must be the card's width in pixels, at least 1.")
  }
  /// Prints the possible position of the card or chart in a picture or a camera's view, with the
  /// result there, and draws both. If nothing is found, it draws the picture alone.
  func execute() async throws {
    let profile = try reading.loadedProfile()
    let name = device?.text ?? file ?? ""
    if let output, output != "-" {
      try refuse(output: output, over: [file, reading.profile].compactMap(\.self))
    }
    let preview = try output.map { try PreviewFile($0) }
    do {
      let scene = try await scene(profile: profile)
      switch target {
      case .card: try proposeCard(in: scene, profile: profile, draw: preview)
      case .chart: try proposeChart(in: scene, draw: preview)
      }
    } catch {
      if error is ExitCode || error is ValidationError { throw error }
      throw try answer(Failure(error, about: name), name: name)
    }
  }

  /// Reports that there is no proposal; returns the exit code.
  private func answer(_ failure: Failure, name: String) throws -> ExitCode {
    complain(failure.message)
    if json, output != "-" { try printJSON(failure, of: NoProposalRecord(file: name)) }
    return failure.code
  }

  private func scene(profile: CameraProfile?) async throws -> Scene {
    if let device {
      return try await CameraSession.with(
        device, card: picture.card, profile: profile, for: .reading
      ) { try await Self.scene(of: $0) }
    }
    let path = file ?? ""
    let (picture, origin) = try picture.pictureAndOrigin(path: path, saysCurve: target == .card)
    return Scene(
      name: path, frame: picture.frame,
      otherCamera: try profile?.difference(
        from: origin, path: path, anyCamera: reading.anyCamera),
      isTurned: picture.orientation != 1,
      isCurveAssumed: self.picture.isCurveAssumed(of: picture))
  }

  /// Returns a picture from a camera.
  static func scene(of session: CameraSession) async throws -> Scene {
    // Only the camera's own profile is used to determine the light.
    let laws = session.otherCamera == nil ? session.knownLaws : nil
    let applied = laws?.gains(at: try await session.camera.settings())
    return Scene(name: session.device.text, frame: try await session.snapshot(), applied: applied)
  }

  /// Returns the possible position of the chart, and the reading of its patches.
  static func chart(in scene: Scene) throws -> ChartSheetOptions.Found {
    do {
      return try ChartSheetOptions.find(in: scene.frame, isCurveAssumed: scene.isCurveAssumed)
    } catch {
      if case .frame(let error) = error as? ChartFinderError { throw error }
      throw Failure.badData(
        "\(scene.name): \(error)",
        advice:
          ". Give its corners with --corners where it is used, or take a picture from closer, "
          + "with the chart flat.")
    }
  }

  /// Returns the possible position of the card, and the estimate there.
  func card(in scene: Scene) throws -> (CardProposal, GrayCardEstimate) {
    var finder = CardFinder()
    finder.cardWidth = cardSize
    let proposal: CardProposal
    do { proposal = try finder.card(in: scene.frame) } catch {
      if case .frame(let error) = error { throw error }
      throw Failure.badData(
        "\(scene.name): \(error)",
        advice: ". Give the card's --region or its width with --card-size, or take a picture from "
          + "closer.")
    }
    let estimator = GrayCardEstimator(region: .rectangle(proposal.region))
    return (proposal, try estimator.estimate(scene.frame))
  }

  /// Returns the light on a card, if that can be determined.
  private func light(
    on estimate: GrayCardEstimate, in scene: Scene, profile: CameraProfile?
  ) -> LightReading? {
    let card = CameraCard(estimate: estimate, applied: scene.applied, profile: profile)
    return reading.reading(of: device == nil ? estimate.gains : card.gains, profile: profile)
  }

  /// Returns a proposal of the card as JSON.
  func record(
    _ proposal: CardProposal, _ estimate: GrayCardEstimate, in scene: Scene, profile: CameraProfile?
  ) -> ProposalRecord {
    var record = EstimateRecord(
      estimate, file: scene.name, seen: light(on: estimate, in: scene, profile: profile),
      model: profile?.identity)
    record.otherCamera = scene.otherCamera
    let region = GrayCardEstimator.Region.rectangle(proposal.region)
    return ProposalRecord(proposal, region: "\(region)", estimate: record)
  }

  /// Returns the result of a search. If nothing is found, the reason is printed, and the picture
  /// alone is drawn.
  private func result<Found>(
    in scene: Scene, draw preview: PreviewFile?, _ search: (Scene) throws -> Found
  ) throws -> Found {
    do { return try search(scene) } catch {
      guard let failure = error as? Failure else { throw error }
      let code = try answer(failure, name: scene.name)
      try draw(scene, in: preview)
      throw code
    }
  }

  private func proposeChart(in scene: Scene, draw preview: PreviewFile?) throws {
    let found = try result(in: scene, draw: preview, Self.chart)
    let (proposal, reading) = (found.proposal, found.reading)
    found.remark(about: scene.name, isCurveAssumed: scene.isCurveAssumed)
    if output != "-" {
      let numbers = proposal.corners.flatMap { [$0.x, $0.y] }
      if json {
        try printJSON(ProposalRecord(found, file: scene.name))
      } else {
        let readable = reading.patches.count(where: \.isReadable)
        try StandardOutput.line(
          "\(scene.name): proposed --corners "
            + numbers.map { fixed($0, decimals: 0) }.joined(separator: ",")
            + " (confidence \(fixed(proposal.confidence, decimals: 2))), "
            + "\(readable) of \(reading.patches.count) patches are readable")
      }
    }
    for problem in reading.problems { remark("\(scene.name): \(problem).") }
    // Neutral 6.5.
    let gray = reading.patches[20]
    try draw(
      scene, in: preview, gains: gray.isReadable ? Gains(neutralizing: gray.response) : nil,
      polygons: proposal.polygons)
    remark("This is a proposal: check the patches, then use it with 'wbcal calibrate --chart'.")
  }

  private func proposeCard(
    in scene: Scene, profile: CameraProfile?, draw preview: PreviewFile?
  ) throws {
    let (proposal, estimate) = try result(in: scene, draw: preview, card)
    if json, output != "-" {
      try printJSON(record(proposal, estimate, in: scene, profile: profile))
    } else if output != "-" {
      let region = GrayCardEstimator.Region.rectangle(proposal.region)
      try StandardOutput.line(
        "\(scene.name): proposed --region \(region) "
          + "(confidence \(fixed(proposal.confidence, decimals: 2)))")
      if let gains = estimate.gains, estimate.isAccepted {
        let light = light(on: estimate, in: scene, profile: profile)
        try StandardOutput.line(
          "\(scene.name): if that is the card: "
            + EstimateText.line(estimate, gains: gains, seen: light)
            + EstimateText.caution(scene.otherCamera))
      }
    }
    if !estimate.isAccepted {
      complain("\(scene.name): \(estimate.refusals.sentenceWithAdvice).")
    }
    try draw(scene, in: preview, gains: estimate.gains, rectangle: proposal.region)
    guard estimate.isAccepted else { throw ExitCode.badData }
    remark("This is a proposal: check the region, then use it with 'wbcal estimate --region'.")
  }

  private func draw(
    _ scene: Scene, in preview: PreviewFile?, gains: Gains? = nil,
    rectangle: PixelRectangle? = nil, polygons: [[SIMD2<Double>]] = []
  ) throws {
    guard let preview else { return }
    try preview.write(scene.frame, gains: gains, rectangle: rectangle, polygons: polygons)
    let name = preview.path == "-" ? "the preview" : preview.path
    remark(
      "The numbers along \(name) are pixels of "
        + (device == nil ? "\(scene.name) as it is stored" : "the camera's picture")
        + (scene.isTurned ? "; other programs rotate it before they show it." : "."))
  }
}

/// The keys of a search that found nothing.
private struct NoProposalRecord: JSONRecord {
  var proposal = false
  var file: String
}

/// A proposal as JSON; its results are valid only after a user has checked the position.
struct ProposalRecord: JSONRecord {
  struct Patch: JSONRecord {
    var name: String
    /// Red, green and blue, with black 0 and white 1.
    var response: [Double]
    var reasons: [String]
  }

  var proposal = true
  var file: String
  var confidence: Double
  /// Only of a card.
  var region: String?
  var estimate: EstimateRecord?
  /// Only of a chart.
  var corners: String?
  var patches: [Patch]?
  /// The transfer function with which the chart was read.
  var transfer: String?

  init(_ proposal: CardProposal, region: String, estimate: EstimateRecord) {
    (file, self.region, confidence) = (estimate.file, region, proposal.confidence)
    self.estimate = estimate
  }

  init(_ found: ChartSheetOptions.Found, file: String) {
    (self.file, confidence) = (file, found.proposal.confidence)
    transfer = found.transfer.name
    corners = found.proposal.corners.flatMap { [$0.x, $0.y] }.map { fixed($0, decimals: 1) }
      .joined(separator: ",")
    patches = found.reading.patches.map { patch in
      Patch(
        name: patch.name,
        response: [patch.response.red, patch.response.green, patch.response.blue],
        reasons: patch.problems.map { $0.sentence(about: patch.name) })
    }
  }
}
