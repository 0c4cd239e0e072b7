import CWbcalVideo4Linux
import CameraControl
import Testing
import WhiteBalance

@testable import Video4Linux

/// Formats with their sizes and rates, and requests that must be fulfilled exactly.
struct OfferedFormatTests {
  private func device(
    _ request: FormatRequest = FormatRequest(),
    _ change: (inout ScriptedDriver.State) -> Void = { _ in }
  ) async throws -> VideoDevice {
    let driver = ScriptedDriver {
      $0.formats = ["YUYV", "H264"]
      $0.sizes = [(16, 16), (640, 480)]
      $0.intervals = [(1, 30), (1001, 15000)]
      ($0.picture.width, $0.picture.height, $0.picture.bytesperline) = (16, 16, 32)
      $0.rate = (30, 1)
      change(&$0)
    }
    return try await VideoDevice(
      opening: "/dev/null", in: DeviceList { (_) throws(CameraError) in driver }, request: request,
      frameTimeout: .milliseconds(50))
  }

  @Test func listsOfTheDriver() async throws {
    let formats = try await device().offeredFormats()
    #expect(formats.map(\.name) == ["YUYV", "H264"] && formats.map(\.isReadable) == [true, false])
    #expect(formats[0].sizes.map(\.description) == ["16x16", "640x480"])
    #expect(formats[0].sizes[1].rates.description == "30, 14.985 fps")
  }

  @Test func rangesOfTheDriver() async throws {
    let formats = try await device {
      $0.range = (
        v4l2_frmsize_stepwise(
          min_width: 32, max_width: 1920, step_width: 8, min_height: 32, max_height: 1080,
          step_height: 2),
        v4l2_frmival_stepwise(
          min: v4l2_fract(numerator: 1, denominator: 60),
          max: v4l2_fract(numerator: 1, denominator: 2), step: v4l2_fract())
      )
    }.offeredFormats()
    #expect(formats[0].sizes.map(\.description) == ["32x32…1920x1080 in steps of 8x2"])
    #expect(formats[0].sizes[0].rates.description == "2…60 fps")
  }

  @Test func driversWithoutLists() async throws {
    let formats = try await device { ($0.sizes, $0.intervals) = ([], []) }.offeredFormats()
    #expect(formats[0].sizes == [])
  }

  private func refusal(_ request: FormatRequest) async throws -> CameraError? {
    do {
      try await device(request).withNextFrame { _, _ in }
      return nil
    } catch let error as CameraError { return error }
  }

  @Test func whatIsRequiredIsDeliveredOrRefused() async throws {
    var request = FormatRequest(width: 640, height: 480)
    // The nearest size is used, and the stream starts.
    #expect(try await refusal(request) == .stalled(camera: "Scripted Camera", seconds: 0.05))
    request.required = [.size]
    #expect(
      try await refusal(request)
        == .noFormat(
          camera: "Scripted Camera", asked: "640x480 as YUYV", offered: ["16x16", "640x480"]))
    request = FormatRequest(width: 16, height: 16, framesPerSecond: 24)
    request.required = [.size, .rate]
    #expect(
      try await refusal(request)
        == .noFormat(
          camera: "Scripted Camera", asked: "24 fps at 16x16 as YUYV",
          offered: ["30, 14.985 fps"]))
    request.framesPerSecond = 29.97
    #expect(try await refusal(request) == .stalled(camera: "Scripted Camera", seconds: 0.05))
  }
}
