public import CameraControl

extension VideoDevice {
  /// Waits until a camera that went away is plugged in again, wherever: the path of its node now.
  ///
  /// - Throws: `CameraError.vanished` where it does not come back in time, or why it may not be
  ///   opened; `cancelled`.
  public static func waitForReturn(
    of identity: CameraIdentity, within time: Duration
  ) async throws(CameraError) -> String {
    try await waitForReturn(of: identity, within: time, in: DeviceList())
  }

  static func waitForReturn(
    of identity: CameraIdentity, within time: Duration, in list: DeviceList
  ) async throws(CameraError) -> String {
    let deadline = ContinuousClock.now + time
    let executor = DeviceExecutor()
    while true {
      let found = await executor.run { list.cameras().first { $0.identity.id == identity.id } }
      if let found, found.problem == nil { return found.path }
      // A node may be there some time before its rights are.
      if ContinuousClock.now >= deadline {
        throw found?.problem ?? .vanished(camera: identity.name)
      }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }
}
