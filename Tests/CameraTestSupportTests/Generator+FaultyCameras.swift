import CameraControl
import CameraProfiles
import SimulatedCamera
import SimulatedScenes
import WhiteBalanceTestSupport

extension Generator<SimulatedCamera.Configuration> {
  /// Simulated cameras with up to two faults: refused or misreported values, lost and frozen
  /// frames, stalls, too much or too little light, an unplugged cable. The simplest camera has no
  /// faults.
  static func faultyCameras(sensor: MeasuredSensor, lamp: MeasuredLamp) -> Generator {
    let frame = Generator<Int>.integer(in: 1...80, simplest: 80).withoutEdgeCases
    let fault: Generator<@Sendable (inout SimulatedCamera.Faults) -> Void> = .oneOf(
      .just { _ in }, frame.map { at in { $0.vanishesAtFrame = at } },
      frame.map { at in { $0.stallsAtFrame = at } },
      frame.map { at in { $0.frozenFrames = at..<at + 20 } },
      frame.map { at in { $0.lostFrames.formUnion([at, at + 2]) } },
      frame.map { at in { $0.forgetsAtFrame = at } },
      .just { $0.ignoresSettings = true }, .just { $0.misreports = true },
      .just { $0.refusesWhileAutomatic = true }, .just { $0.dropsUnchanged = true },
      Generator<Int>.integer(in: 1...64, simplest: 1).map { step in { $0.roundsTo = step } },
      Generator<Int>.integer(in: 1...4, simplest: 1).map { times in
        { $0.refusals[.redBalance] = Array(repeating: .automatic, count: times) }
      },
      Generator<Double>.number(in: 0.001...8, simplest: 1).map { light in { $0.exposure = light } })
    let latency = Generator<Int>.integer(in: 0...6, simplest: 2).withoutEdgeCases
    return zip(zip(fault, fault), latency).map { faults, latency in
      var configuration = SimulatedCamera.Configuration(sensor: sensor, lamp: lamp, size: (64, 48))
      faults.0(&configuration.faults)
      faults.1(&configuration.faults)
      configuration.latency = latency
      return configuration
    }
  }
}
