import CameraControl
import ColorScience
import Foundation
import SimulatedCamera
import WhiteBalance

/// How the light on the card changes between shots.
struct LightChange: Sendable {
  /// A command for the shell.
  var command: String?
  /// How many lights there are; a single one shines already.
  var count: Int
}

/// What a camera was found to be.
struct CameraShots: Sendable {
  var shots: [CalibrationShot] = []
  var identity: CameraIdentity
  var controls: WhiteBalanceControls?
  var curve: TransferFunction?
}

extension CameraSession {
  /// Exposure, tone curve and the meaning of the controls, then a shot of the card under each
  /// light.
  func shoot(_ lights: [Light], _ change: LightChange) async throws -> CameraShots {
    var camera = camera
    var result = CameraShots(identity: await camera.port.identity)
    for light in lights {
      try await changeLight(to: light.name, change)
      guard let controls = result.controls else {
        camera = try await prepared(place: "under \(light.name)")
        let controls =
          if let known { known } else { try await probeControls(camera) }
        camera.latency = controls.latency
        (result.curve, result.controls) = (camera.curve, controls)
        result.shots.append(try await shot(of: light, camera, controls))
        continue
      }
      _ = try await camera.lockExposure()
      result.shots.append(try await shot(of: light, camera, controls))
    }
    return result
  }

  /// The camera with its exposure locked, at the reference, and with its tone curve found.
  private func prepared(place: String) async throws -> Camera {
    var camera = camera
    if try await camera.lockExposure() == false, !isSimulated {
      remark("The camera's exposure cannot be told; keep it from changing.")
    }
    if let known {
      try await camera.setToReference(known)
    } else {
      try await camera.setToReference()
    }
    try Calibrate.accept(try await camera.estimate(), place: place)
    if camera.curve == nil, let curve = try await camera.findToneCurve(), curve != .sRGB {
      camera.curve = curve
      remark("The pictures follow the tone curve \(curve.name), not the one that they claim.")
    }
    return camera
  }

  /// The card at the reference, under the light that is on it.
  func cardAtReference(place: String) async throws -> GrayCardEstimate {
    let estimate = try await prepared(place: place).estimate()
    try Calibrate.accept(estimate, place: place)
    return estimate
  }

  /// The response to the card at the reference, from where the controls come nearest to neutral:
  /// there the errors of their laws cancel when the light is set again.
  private func shot(
    of light: Light, _ camera: Camera, _ controls: WhiteBalanceControls
  ) async throws -> CalibrationShot {
    let response: LinearRGB
    let source = await camera.port.identity.id
    do {
      response = try await camera.neutralizeCard(controls: controls).response
    } catch {
      // Out of reach is no reason not to know the response.
      guard case .gainsOutOfRange = error else { throw error }
      try await camera.setToReference(controls)
      let estimate = try await camera.estimate()
      try Calibrate.accept(estimate, place: "under \(light.name)")
      response = estimate.response
    }
    return try CalibrationShot(light: light, response: response, source: source)
  }

  /// Makes the named light shine on the card: by itself in the simulated room, by a command, or by
  /// the person's hands.
  private func changeLight(to name: String, _ change: LightChange) async throws {
    if let command = change.command {
      try run(command, light: name)
    } else if let simulated {
      if !lightIsFixed { await simulated.setLamp(try DeviceSpecification.lamp(named: name)) }
    } else if change.count > 1 {
      try await Prompt.ask(
        "Put the light \(name) on the gray card, the card in the middle of the picture, and press Return."
      )
    }
  }

  private func run(_ command: String, light: String) throws {
    let status = try ShellCommand.run(command, environment: ["WBCAL_LIGHT": light])
    guard status == 0 else {
      throw Failure(
        message:
          "the command that changes the light to \(light) failed (status \(status)): \(command)",
        code: .inputOutput)
    }
  }
}
