import SimulatedCamera
import SimulatedScenes
import Testing

@testable import CameraControl

/// Learns a simulated camera under lamps that are switched on one after the other.
func learned(
  _ camera: Camera, _ port: SimulatedCamera, under lamps: [String]
) async throws -> CameraLearning {
  var learning = CameraLearning(try await camera.holdingBalance())
  for (index, lamp) in lamps.enumerated() {
    await port.setLamp(try #require(MeasuredLamp(named: lamp)))
    try await learning.camera.lockExposure()
    try await learning.add(learning.camera, isLast: index == lamps.count - 1)
  }
  return learning
}
