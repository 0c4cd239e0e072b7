import CalibrationTargets
import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

extension Estimate {
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

  /// Prints the possible position of the card or chart in a picture or a camera's view, with the
  /// result there, and draws both. If nothing is found, it draws the picture alone.
  func propose(_ target: Target, profile: CameraProfile?) async throws {
    let name = device?.text ?? file[0]
    if let output, output != "-" {
      try refuse(output: output, over: file + [self.profile].compactMap(\.self))
    }
    let preview = try output.map { try PreviewFile($0) }
    let refused: ExitCode?
    do {
      let scene = try await scene(profile: profile)
      refused =
        switch target {
        case .card: try proposeCard(in: scene, profile: profile, draw: preview)
        case .chart: try proposeChart(in: scene, draw: preview)
        }
    } catch {
      if error is ExitCode || error is ValidationError { throw error }
      refused = try answer(Failure(error, about: name), name: name)
    }
    if let refused { throw refused }
  }

  /// Reports that there is no proposal.
  private func answer(_ failure: Failure, name: String) throws -> ExitCode {
    complain(failure.message)
    if json, output != "-" { try printJSON(ProposalRecord(failure, file: name)) }
    return failure.code
  }

  private func scene(profile: CameraProfile?) async throws -> Scene {
    guard let device else {
      let (picture, origin) = try picture.pictureAndOrigin(
        path: file[0], saysCurve: find != .chart)
      return Scene(
        name: file[0], frame: picture.frame,
        otherCamera: try profile?.difference(from: origin, path: file[0], anyCamera: anyCamera),
        applied: Gains(red: 1, blue: 1), isTurned: picture.orientation != 1,
        isCurveAssumed: self.picture.isCurveAssumed(of: picture))
    }
    return try await CameraSession.with(
      device, card: picture.card, profile: profile, for: .reading
    ) { try await Self.scene(of: $0) }
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
        "\(scene.name): \(error). Give its corners with --corners where it is used, or take a "
          + "picture from closer, with the chart flat.")
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
        "\(scene.name): \(error). Give the card's --region or its width with --card-size, or take "
          + "a picture from closer.")
    }
    let estimator = GrayCardEstimator(region: .rectangle(proposal.region))
    return (proposal, try estimator.estimate(scene.frame))
  }

  /// Returns a proposal of the card as JSON.
  func record(
    _ proposal: CardProposal, _ estimate: GrayCardEstimate, in scene: Scene, profile: CameraProfile?
  ) -> ProposalRecord {
    var record = record(estimate, name: scene.name, profile: profile, applied: scene.applied)
    record.otherCamera = scene.otherCamera
    let region = GrayCardEstimator.Region.rectangle(proposal.region)
    return ProposalRecord(proposal, region: "\(region)", estimate: record)
  }

  private func proposeChart(in scene: Scene, draw preview: PreviewFile?) throws -> ExitCode? {
    let found: ChartSheetOptions.Found
    do { found = try Self.chart(in: scene) } catch {
      guard let failure = error as? Failure else { throw error }
      let code = try answer(failure, name: scene.name)
      try draw(scene, in: preview, rectangle: nil, gains: nil)
      return code
    }
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
      scene, in: preview, rectangle: nil,
      gains: gray.isReadable ? Gains(neutralizing: gray.response) : nil,
      polygons: proposal.polygons)
    remark("This is a proposal: check the patches, then use it with 'wbcal calibrate --chart'.")
    return nil
  }

  private func proposeCard(
    in scene: Scene, profile: CameraProfile?, draw preview: PreviewFile?
  ) throws -> ExitCode? {
    let (proposal, estimate): (CardProposal, GrayCardEstimate)
    do { (proposal, estimate) = try card(in: scene) } catch {
      guard let failure = error as? Failure else { throw error }
      let code = try answer(failure, name: scene.name)
      try draw(scene, in: preview, rectangle: nil, gains: nil)
      return code
    }
    let region = GrayCardEstimator.Region.rectangle(proposal.region)
    if output != "-" {
      let seen = reading(of: estimate, profile: profile, applied: scene.applied)
      if json {
        try printJSON(record(proposal, estimate, in: scene, profile: profile))
      } else {
        let confidence = fixed(proposal.confidence, decimals: 2)
        try StandardOutput.line(
          "\(scene.name): proposed --region \(region) (confidence \(confidence))")
        if let gains = estimate.gains, estimate.isAccepted {
          try StandardOutput.line(
            "\(scene.name): if that is the card: "
              + EstimateText.line(estimate, gains: gains, seen: seen)
              + EstimateText.caution(scene.otherCamera))
        }
      }
    }
    if !estimate.isAccepted {
      complain("\(scene.name): \(estimate.refusals.sentenceWithAdvice).")
    }
    try draw(scene, in: preview, rectangle: proposal.region, gains: estimate.gains)
    guard estimate.isAccepted else { return .badData }
    remark("This is a proposal: check the region, then run the command again with it.")
    return nil
  }

  private func draw(
    _ scene: Scene, in preview: PreviewFile?, rectangle: PixelRectangle?, gains: Gains?,
    polygons: [[SIMD2<Double>]] = []
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

/// A proposal as JSON; its results are valid only after a user has checked the position.
struct ProposalRecord: Encodable {
  struct Patch: Encodable {
    var name: String
    /// Red, green and blue, with black 0 and white 1.
    var response: [Double]
    var reasons: [String]
  }

  var proposal: Bool
  var file: String
  /// Missing if nothing was found; the last three are missing if something was.
  var confidence: Double?
  var region: String?
  var estimate: EstimateRecord?
  var corners: String?
  var patches: [Patch]?
  /// The transfer function with which the chart was read.
  var transfer: String?
  var error: String?
  var exitCode: Int32?
  var reasons: [String]?

  init(_ proposal: CardProposal, region: String, estimate: EstimateRecord) {
    self.proposal = true
    (file, self.region, confidence) = (estimate.file, region, proposal.confidence)
    self.estimate = estimate
  }

  init(_ found: ChartSheetOptions.Found, file: String) {
    proposal = true
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

  init(_ failure: Failure, file: String) {
    proposal = false
    self.file = file
    (error, exitCode, reasons) = (failure.code.word, failure.code.rawValue, [failure.message])
  }
}
