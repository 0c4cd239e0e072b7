import CameraControl
import WbcalExampleCamera
import WhiteBalance

/// Focus as in an app with a mode switch and a slider for the lens.
@main struct FocusExample {
  static func main() async throws {
    let camera = Camera(try await exampleCamera())
    let before = try await camera.settings()
    let modes = await camera.supportedFocusModes
    print("modes:", modes.map(\.rawValue).joined(separator: ", "))

    // The camera focuses once; the call returns when it has finished.
    if modes.contains(.automatic) {
      try await camera.setFocusMode(.automatic)
      print("focused by the camera at", try await camera.lensPosition)
    }

    // The slider: 0 is near, 1 is far.
    if await camera.canSetLensPosition {
      for position in [0, 0.5, 1] {
        let setting = try await camera.setLensPosition(position)
        let measure = try await camera.focusMeasure()
        print("position", setting.position, "has a sharpness of", measure.sharpness)
      }
      // A lens without autofocus is focused by its pictures.
      let sweep = try await camera.sweepFocus()
      print("sharpest at", sweep.position)
    }
    try await camera.restore(before)
  }
}
