import WhiteBalance
import CameraControl
import CameraProfiles
import WbcalExampleCamera

/// Exposure as in an app with three sliders, for duration, sensitivity and bias, and a display of
/// the offset.
@main struct ExposureExample {
  static func main() async throws {
    var camera = Camera(try await exampleCamera())
    let before = try await camera.settings()
    let modes = await camera.supportedExposureModes
    print("modes:", modes.map(\.rawValue).joined(separator: ", "))

    // No driver states the meaning of its gain's values, so it is measured in pictures.
    let laws = try await camera.probeExposure()
    camera.exposureLaws = laws
    if let durations = laws.durations { print("seconds:", durations) }
    print("gains:", laws.amplifications)

    // This sets both together; the call returns when the picture shows them.
    if let durations = laws.durations {
      let setting = try await camera.setExposure(
        duration: min(0.01, durations.upperBound),
        amplification: min(2, laws.amplifications.upperBound))
      print(
        "set to", setting.duration ?? .nan, "s and gain", setting.amplification ?? .nan,
        "first seen in frame", setting.firstFrame?.sequence ?? -1)
    }
    print("offset:", try await camera.exposureReading().offset, "stops")

    // The picture becomes brighter than middle gray by half a stop, by the camera's own
    // compensation or by manual exposure.
    let compensation = try await camera.compensateExposure(by: 0.5)
    print(
      "compensated:", compensation.reading.offset, "stops, by the camera:",
      compensation.isByCamera)
    try await camera.restore(before)
  }
}
