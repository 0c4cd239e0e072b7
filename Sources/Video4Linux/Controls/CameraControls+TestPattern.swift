import CameraControl
import CameraProfiles

extension CameraControls {
  /// Throws if the camera delivers a test pattern instead of pictures.
  func refuseTestPattern(camera: String) throws(CameraError) {
    let control = devices.lazy.compactMap { $0.table[.testPattern]?.description }.first
    guard let control, !control.items.isEmpty else { return }
    if let problem = TestPattern.problem(control, value: try value(of: control.id), camera: camera)
    {
      throw problem
    }
  }
}
