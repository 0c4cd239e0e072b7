import CameraControl
import CameraProfiles
import ColorScience
import WhiteBalance

/// What a camera makes of the card in front of it, on the way to one color and brightness in all.
struct CardMatch: Sendable {
  let session: CameraSession
  /// The camera, with the tone curve that was found.
  private var camera: Camera
  private(set) var applied: AppliedWhiteBalance
  /// The card's linear light before; `nil` where it could not be read.
  private let before: LinearRGB?
  /// The card's linear light now, white 1.
  private(set) var card: LinearRGB
  /// The brightest that the exposure time allows; `nil` where that is not set by hand.
  private let brightest: Double?

  var setsExposure: Bool { brightest != nil }

  /// The linear green, white 1, that all cameras can show of the card; `nil` of none.
  ///
  /// It is that of the dimmest, so that exposures become shorter and never longer; where the
  /// exposure of some is fixed, that of the dimmest of these.
  static func commonLevel(_ matches: [CardMatch]) -> Double? {
    let fixed = matches.filter { !$0.setsExposure }
    let levels = (fixed.isEmpty ? matches : fixed).map(\.card.green)
    return (levels + matches.compactMap(\.brightest)).min()
  }

  /// Fixes the exposure, makes the card neutral, and finds the tone curve if it is not known.
  init(startingWith session: CameraSession) async throws {
    self.session = session
    camera = session.camera
    let (codes, told) = try await camera.cardCodes()
    try await camera.lockExposure()
    applied = try await session.neutralizeCard()
    if camera.transfer == nil, try await camera.canExpose() {
      camera.transfer = try await CameraSession.exposureSeries(of: camera)?.transfer
    }
    let curve = camera.transfer ?? told
    before = codes.map {
      LinearRGB(
        red: curve.linear($0.red), green: curve.linear($0.green), blue: curve.linear($0.blue))
    }
    let card = try await camera.acceptedCard()
    self.card = card
    brightest = try await camera.brightest(beside: card.green)
  }

  /// Moves the exposure to where the card has the level, and sees that it is still neutral.
  func exposed(at level: Double) async throws -> CardMatch {
    var match = self
    try await camera.exposeCard(at: level)
    match.card = try await camera.acceptedCard()
    // Where something is clipped, a color may come with the brightness.
    if let now = Neutrality(of: match.card), let former = Neutrality(of: card),
      now.ciede2000 > former.ciede2000 + 0.1
    {
      match.applied = try await session.neutralizeCard()
      match.card = try await camera.acceptedCard()
    }
    return match
  }

  /// The match as a room keeps it.
  func member(_ level: Double) async throws -> Room.Member {
    let exposure: Set<ControlID> = [
      .exposureMode, .autoGain, .exposurePriority, .exposureTime, .gain,
    ]
    let reference = LabColor(LinearRGB(SIMD3(repeating: level)), in: .sRGB)
    func difference(_ card: LinearRGB) -> Double {
      LabColor(card, in: .sRGB).ciede2000(to: reference)
    }
    return Room.Member(
      device: session.device.text, identity: session.identity, profile: session.profile,
      toneCurve: camera.transfer,
      exposure: setsExposure
        ? try await camera.colorSettings(of: []).filter { exposure.contains($0.id) } : [],
      whiteBalance: applied.values, card: card, before: before.map(difference),
      after: difference(card))
  }
}

extension CameraSession {
  /// Makes the card neutral, by the laws if they are known.
  fileprivate func neutralizeCard() async throws -> AppliedWhiteBalance {
    guard let laws = knownLaws?.withGreenHeld else {
      return try await camera.neutralizeCard().applied
    }
    return try await ProbedCamera(camera, laws: laws).neutralizeCard().applied
  }
}

extension Camera {
  /// The card as it is shown now, automatic modes or not, as mean codes with black 0 and white 1,
  /// and the function that they are said to follow; no codes where the card cannot be read.
  fileprivate func cardCodes() async throws -> (codes: LinearRGB?, transfer: TransferFunction) {
    var reader = self
    reader.transfer = .linear
    var told = TransferFunction.sRGB
    // The automatic modes of a camera that has just been opened want some frames.
    for _ in 0..<Self.latencyBound { told = try await reader.nextEstimate().0.layout.transfer }
    let estimate = try await reader.estimate()
    return (estimate.isFairMean ? estimate.response : nil, told)
  }

  fileprivate func acceptedCard() async throws -> LinearRGB {
    let estimate = try await estimate()
    guard estimate.isAccepted else { throw CameraError.nothingToSee(estimate.refusals) }
    return estimate.response
  }

  /// How bright a card can become by the exposure time alone; `nil` where that is not set by hand.
  fileprivate func brightest(beside level: Double) async throws -> Double? {
    guard try await canExpose(), let control = await port.description(of: .exposureTime) else {
      return nil
    }
    let time = try await port.value(of: control.id)
    return level * Double(control.largest) / Double(max(time, 1))
  }
}
