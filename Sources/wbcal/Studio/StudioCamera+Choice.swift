import CameraControl
import CameraProfiles

extension StudioCamera {
  /// A camera that a page can choose.
  struct Choice: JSONRecord, Sendable {
    var device, name: String
    /// `true` if it is simulated.
    var demo: Bool
    /// The reason that it cannot be opened.
    var problem: String?
  }

  struct Choices: JSONRecord, Sendable { var cameras: [Choice] }

  /// Returns the connected cameras, the one that the command line names, and a simulated one.
  func choices() async -> Choices {
    let connected = await kernelCameras.cameras() + networkCameras.cameras()
    return Choices(cameras: Self.choices(connected, given: given, givenIdentity))
  }

  static func choices(
    _ connected: [ConnectedCamera], given: DeviceSpecification, _ identity: CameraIdentity?
  ) -> [Choice] {
    func isGiven(_ camera: ConnectedCamera) -> Bool {
      [camera.path, camera.identity.id].contains(given.name) || camera.identity == identity
    }
    var choices = connected.map { camera in
      Choice(
        device: isGiven(camera) ? given.text : camera.identity.id, name: camera.identity.name,
        demo: false, problem: camera.problem?.plainSentence)
    }
    if !connected.contains(where: isGiven) {
      choices.append(
        Choice(device: given.text, name: identity?.name ?? given.text, demo: given.isSimulated))
    }
    if !given.isSimulated {
      choices.append(Choice(device: "simulated", name: "simulated", demo: true))
    }
    return choices
  }

  /// Returns the camera of a name in the list; a page can use no other.
  func listed(_ device: String?) async throws -> DeviceSpecification {
    guard let device, await choices().cameras.contains(where: { $0.device == device }) else {
      throw StudioProblem.usage("name a 'device' that 'cameras' lists")
    }
    return try DeviceSpecification(argument: device)
  }
}
