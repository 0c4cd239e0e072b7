import WhiteBalance
import CameraControl
import WbcalExampleCamera

/// Takes three pictures of different exposure, each the first frame that has its settings.
@main struct BracketExample {
  static func main() async throws {
    var camera = Camera(try await exampleCamera())
    camera.exposureLaws = try await camera.probeExposure()
    let before = try await camera.settings()
    try await camera.setExposureMode(.locked)
    try await camera.prepareBracket(of: 3)
    try await camera.capture(.exposureOffsets([-2, 0, 1])) { picture in
      print(
        "picture", picture.index, "at", picture.stops ?? .nan, "stops: frame",
        picture.info.sequence, "with", picture.buffer.bytes.count, "bytes")
    }
    // This releases the memory.
    try await camera.prepareBracket(of: 1)
    try await camera.restore(before)
  }
}
