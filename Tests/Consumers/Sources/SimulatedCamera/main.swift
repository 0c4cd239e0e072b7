import SimulatedCamera
import SimulatedScenes

let camera = try SimulatedCamera(
  .init(sensor: MeasuredSensor.all[0], lamp: MeasuredLamp.all[0], size: (64, 48)))
let count = try await camera.withNextFrame { _, bytes in bytes.count }
precondition(count >= 64 * 48)
