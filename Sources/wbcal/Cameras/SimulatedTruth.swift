import CameraControl
import SimulatedCamera
import WbcalFoundation
import WhiteBalance

/// The true gains of a simulated camera's pictures at the end of a command and during later frames.
struct SimulatedTruth: JSONRecord {
  /// The number of frames that the command had read or skipped.
  private let frames: Int
  /// The red, green and blue gains: of the last frame, of every twentieth of 300 further frames,
  /// and after a restart of the stream. There are none if the camera is gone.
  private var gains: [Double]?
  private var later: [[Double]] = []
  private var restarted: [Double]?

  /// Reads further frames of a camera after a command.
  init(of camera: SimulatedCamera) async {
    frames = await camera.frames
    do {
      gains = await camera.gains.list
      for _ in 0..<15 { later.append(try await Self.gains(of: camera, after: 20)) }
      await camera.stopStreaming()
      restarted = try await Self.gains(of: camera, after: 60)
    } catch {
      // The camera is gone or sends no more frames; the gains so far remain.
    }
  }

  private static func gains(
    of camera: SimulatedCamera, after frames: Int
  ) async throws(CameraError) -> [Double] {
    for _ in 0..<frames { try await camera.withNextFrame { _, _ in } }
    return await camera.gains.list
  }

  /// Writes the record to a file.
  func write(to path: String) throws {
    try replaceFile(path, with: JSONEncoder().encode(self), followingLinks: false)
  }
}

extension Gains {
  fileprivate var list: [Double] { [red, green, blue] }
}
