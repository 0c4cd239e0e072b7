import CameraControl

#if GenICam
import GenICam
#endif
#if os(Linux)
import Video4Linux
#endif

extension ConnectedCamera {
  /// Returns the cameras that this program can use: those of the kernel, then machine-vision
  /// cameras.
  static func all() async -> [ConnectedCamera] { await ofKernel() + machineVision() }

  static func ofKernel() async -> [ConnectedCamera] {
    #if os(Linux)
    await VideoDevice.connected()
    #else
    []
    #endif
  }

  /// Returns the machine-vision cameras, for which it asks all computers of the network during a
  /// second.
  static func machineVision() async -> [ConnectedCamera] {
    #if GenICam
    await GenICamCamera.connected()
    #else
    []
    #endif
  }
}
