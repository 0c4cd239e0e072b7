import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

extension SetBalance {
  /// A camera that was set, and the expected picture of a gray card.
  private struct RoomSetting: Sendable {
    var applied: AppliedWhiteBalance
    /// `nil` if the camera's profile does not state the uncertainty of its gains.
    var card: ExpectedCard?
  }

  /// Sets all cameras of a room to the named light, each by its own profile.
  func set(_ room: Room, path: String) async throws {
    let unknown = room.cameras.filter { $0.profile == nil }.map(\.device)
    guard unknown.isEmpty else {
      throw Failure.badData(
        "\(path) has no profile of \(unknown.joined(separator: ", ")); a light's gains depend on "
          + "the camera: calibrate \(unknown.count == 1 ? "it" : "them"), and match again with "
          + "each --profile")
    }
    let devices = try room.cameras.map { try DeviceSpecification(room: $0.device, path: path) }
    let wanted = try room.cameras.map { member in
      try member.profile.map { try light.wantedGains($0, name: member.device) }
    }
    let opened = await CameraSession.openAll(devices, for: .setting, card: card) {
      index, identity in
      let expected = room.cameras[index].identity
      guard identity.id == expected.id else {
        throw Failure.badData(
          "this is \(identity.name) (\(identity.id)), not \(expected.name) (\(expected.id)); match "
            + "the cameras again, with names that 'wbcal devices' lists")
      }
      return room.cameras[index].profile
    }
    let inputs = opened.enumerated().map { index, session in session.map { (index, $0) } }
    let results = try await CameraSession.withAll(opened.compactMap { try? $0.get() }) {
      let results = try await CameraSession.onEach(
        inputs, of: \.1, "setting the white balance"
      ) { index, session in
        guard let wanted = wanted[index] else { throw CameraError.cancelled }
        // The card could be read at the matched settings, so that any change from there is visible.
        let member = room.cameras[index]
        try await session.camera.turnOffAutomatic()
        try await session.camera.restore(member.exposure + member.whiteBalance)
        // The one progress line is for all cameras.
        let known = session.knownLaws
        let laws = if let known { known } else { try await session.camera.probe().laws }
        let camera = ProbedCamera(session.camera, laws: laws.withGreenHeld)
        let applied = try await camera.lock(at: wanted.gains)
        return (
          camera.laws,
          RoomSetting(
            applied: applied,
            card: session.expectedCard(applied, wanted.covariance, by: laws))
        )
      }
      for (session, result) in zip(opened, results) where !noStore {
        if case (.success(let session), .success(let (laws, setting))) = (session, result) {
          await session.keep(setting.applied, by: laws)
        }
      }
      return results.map { $0.map { $0.1 } }
    }
    try report(results, of: room)
  }

  private func report(_ results: [Result<RoomSetting, Failure>], of room: Room) throws {
    let cards = results.compactMap { try? $0.get() }.map(\.card)
    let known = cards.compactMap(\.self)
    let mutual = known.count == cards.count ? ExpectedCard.largestDifference(of: known) : nil
    var code: ExitCode?
    for (member, result) in zip(room.cameras, results) {
      switch result {
      case .failure(let failure):
        complain("\(member.device): \(failure.message)")
        if json { try printJSON(failure, of: ["device": member.device]) }
        code = code ?? failure.code
      case .success(let setting):
        let residual = Neutrality(residual: setting.applied.residualGains)
        if json {
          var record = AppliedRecord(setting.applied, residual: residual, expected: setting.card)
          // A camera with such gains would have been refused.
          record.relativeToAutomatic = nil
          (record.device, record.mutual, record.brightness) = (member.device, mutual, nil)
          try printJSON(record)
        } else {
          for line in lines(setting.applied, residual: residual, expected: setting.card) {
            try StandardOutput.line("\(member.device): \(line)")
          }
        }
      }
    }
    if !json, cards.count > 1 {
      try StandardOutput.line(
        mutual.map {
          "two cameras are expected to show a gray card at most CIEDE2000 \(fixed($0, decimals: 2)) "
            + "apart (standard error)"
        } ?? "the difference between the cameras cannot be determined from their profiles")
    }
    if let code { throw code }
  }
}

extension DeviceSpecification {
  /// Creates the specification of a camera that a room names.
  fileprivate init(room name: String, path: String) throws {
    do { try self.init(argument: name) } catch {
      throw Failure.badData("cannot use room \(path): '\(name)' does not name a camera")
    }
  }
}
