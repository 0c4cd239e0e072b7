import CameraControl
import CameraProfiles
import ColorScience
import WhiteBalance

/// A camera's picture of the card, while several cameras are matched in color and brightness.
struct CardMatch: Sendable {
  let session: CameraSession
  /// The camera, with the measured tone curve.
  private var camera: Camera
  private(set) var applied: AppliedWhiteBalance
  /// The linear values of the card before the match; `nil` if it could not be read.
  private let before: LinearRGB?
  /// The linear values of the card now, relative to white.
  private(set) var card: LinearRGB
  /// The largest linear green that the exposure time allows, relative to white; `nil` if the
  /// exposure time cannot be set.
  private let brightest: Double?

  var setsExposure: Bool { brightest != nil }

  /// The linear green of the card, relative to white, that all cameras can show; `nil` for no
  /// cameras.
  ///
  /// It is that of the dimmest camera, so that exposures become shorter and never longer. If some
  /// exposures are fixed, it is that of the dimmest of these cameras.
  static func commonLevel(_ matches: [CardMatch]) -> Double? {
    let fixed = matches.filter { !$0.setsExposure }
    let levels = (fixed.isEmpty ? matches : fixed).map(\.card.green)
    return (levels + matches.compactMap(\.brightest)).min()
  }

  /// Locks the exposure, makes the card neutral, and measures the tone curve if it is not known.
  init(startingWith session: CameraSession) async throws {
    self.session = session
    camera = session.camera
    let (codes, reported) = try await camera.cardCodes()
    try await camera.lockExposure()
    applied = try await session.balanceOnCard()
    if camera.transfer == nil, try await camera.hasManualExposure {
      camera.transfer = try await CameraSession.exposureSeries(of: camera)?.transfer
    }
    let curve = camera.transfer ?? reported
    before = codes.map {
      LinearRGB(
        red: curve.linear($0.red), green: curve.linear($0.green), blue: curve.linear($0.blue))
    }
    let card = try await camera.acceptedCard()
    self.card = card
    brightest = try await camera.brightest(relativeTo: card.green)
  }

  /// Sets the exposure at which the card has the level, and verifies that it is still neutral.
  func exposed(at level: Double) async throws -> CardMatch {
    var match = self
    try await camera.adjustExposure(toCardLevel: level)
    match.card = try await camera.acceptedCard()
    // If something is clipped, the color may change with the brightness.
    if let now = Neutrality(of: match.card), let former = Neutrality(of: card),
      now.ciede2000 > former.ciede2000 + 0.1
    {
      match.applied = try await session.balanceOnCard()
      match.card = try await camera.acceptedCard()
    }
    return match
  }

  /// Returns the match as it is stored in a room.
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
  fileprivate func balanceOnCard() async throws -> AppliedWhiteBalance {
    guard let laws = knownLaws?.withGreenHeld else {
      return try await camera.balanceOnCard().applied
    }
    return try await ProbedCamera(camera, laws: laws).balanceOnCard().applied
  }
}

extension Camera {
  /// Returns the mean codes of the card at the current settings, automatic or not, with black 0 and
  /// white 1, and the transfer function that the pictures' format states. There are no codes if the
  /// card cannot be read.
  fileprivate func cardCodes() async throws -> (codes: LinearRGB?, transfer: TransferFunction) {
    var reader = self
    reader.transfer = .linear
    var reported = TransferFunction.sRGB
    // The automatic modes of a camera that has just been opened need some frames.
    for _ in 0..<Self.latencyBound { reported = try await reader.nextEstimate().0.layout.transfer }
    let estimate = try await reader.estimate()
    return (estimate.isUsableAsMean ? estimate.response : nil, reported)
  }

  fileprivate func acceptedCard() async throws -> LinearRGB {
    let estimate = try await estimate()
    guard estimate.isAccepted else { throw CameraError.cardUnreadable(estimate.refusals) }
    return estimate.response
  }

  /// Returns the largest linear value that a card can reach by the exposure time alone; `nil` if
  /// the exposure time cannot be set.
  fileprivate func brightest(relativeTo level: Double) async throws -> Double? {
    guard try await hasManualExposure, let control = await port.description(of: .exposureTime)
    else {
      return nil
    }
    let time = try await port.value(of: control.id)
    return level * Double(control.largest) / Double(max(time, 1))
  }
}
