import CameraControl

#if GenICam
import GenICam
#endif
#if os(Linux)
import Video4Linux
#endif

extension ConnectedCamera {
  /// Returns the cameras that this program can use: those of the kernel, then machine-vision
  /// cameras, for which it looks about a second.
  static func all() async -> [ConnectedCamera] {
    var cameras: [ConnectedCamera] = []
    #if os(Linux)
    cameras += await VideoDevice.connected()
    #endif
    #if GenICam
    cameras += await GenICamCamera.connected()
    #endif
    return cameras
  }
}
