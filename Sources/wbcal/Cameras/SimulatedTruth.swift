import CameraControl
import ColorScience
import SimulatedCamera
import WbcalFoundation
import WhiteBalance

/// What a simulated camera's picture is in truth at the end of a command, and what becomes of it.
struct SimulatedTruth: Encodable {
  /// The frames that the command had looked at, or let pass.
  private let frames: Int
  /// The gains of the last frame, in every twentieth of 300 more, and after the stream was started
  /// anew; red, green and blue. None of a camera that is gone.
  private var gains: [Double]?
  private var later: [[Double]] = []
  private var restarted: [Double]?

  /// Lets a camera go on after a command.
  init(of camera: SimulatedCamera) async {
    frames = await camera.frames
    do {
      gains = await camera.gains.list
      for _ in 0..<15 { later.append(try await Self.gains(of: camera, after: 20)) }
      await camera.stopStreaming()
      restarted = try await Self.gains(of: camera, after: 60)
    } catch {
      // It is gone, or sends no more: what was seen so far is all there is.
    }
  }

  private static func gains(
    of camera: SimulatedCamera, after frames: Int
  ) async throws(CameraError) -> [Double] {
    for _ in 0..<frames { try await camera.withNextFrame { _, _ in } }
    return await camera.gains.list
  }

  /// Writes it to a file.
  func write(to path: String) throws {
    try replaceFile(path, with: JSONEncoder().encode(self), followingLinks: false)
  }
}

extension Gains {
  fileprivate var list: [Double] { [red, green, blue] }
}
