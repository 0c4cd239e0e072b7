import CWbcalVideo4Linux
import CameraControl
import ColorScience
import Foundation
import Glibc
import Testing
import WhiteBalance

@testable import Video4Linux

struct OutputDeviceTests {
  private func driver(
    _ abilities: Int32 = V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING | V4L2_CAP_READWRITE,
    change: (inout ScriptedDriver.State) -> Void = { _ in }
  ) -> ScriptedDriver {
    ScriptedDriver {
      $0.capabilities = abilities
      change(&$0)
    }
  }

  private let layout = try! FrameLayout(
    width: 4, height: 2, format: .subsampled(.yuyv), transfer: .bt709,
    encoding: LumaChromaEncoding(matrix: .bt709, range: .full))
  private let frame: [UInt8] = (0..<16).map { UInt8($0 + 1) }

  @Test func framesAreWrittenWhole() throws {
    let asked = Guarded(v4l2_pix_format())
    let driver = driver {
      $0.take = { picture in
        let seen = picture
        asked.withLock { $0 = seen }
        picture.bytesperline = 12
        picture.sizeimage = 30
      }
    }
    let output = try OutputDevice(driver, path: "/dev/video9")
    let taken = try output.start(layout, rate: FrameRate(frames: 30_000, seconds: 1001))
    #expect(taken.bytesPerRow == 12 && taken.encoding == layout.encoding)
    #expect(output.frameSize == 30)
    let told = asked.withLock { $0 }
    #expect(told.width == 4 && told.height == 2 && told.pixelformat == code(fourCC: "YUYV"))
    #expect(told.xfer_func == V4L2_XFER_FUNC_709.rawValue)
    #expect(told.ycbcr_enc == V4L2_YCBCR_ENC_709.rawValue)
    #expect(told.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue)
    #expect(told.priv == V4L2_PIX_FMT_PRIV_MAGIC)
    let padded = frame + [UInt8](repeating: 0, count: 14)
    #expect(try [1, 2, 3].map { _ in try output.write(padded.span) } == [true, true, false])
    driver.state.withLock {
      #expect($0.shown.map(\.count) == [30, 30])
      #expect($0.shown[0].bytes == [1, 2, 3, 4, 5, 6, 7, 8])
      #expect($0.calls.contains(CV4L_S_PARM))
    }
  }

  /// A device with buffers, of which the scripted driver has two, gets its frames in them.
  @Test func framesInBuffers() throws {
    let driver = driver()
    do {
      let output = try OutputDevice(driver, path: "/dev/video9")
      #expect(try output.start(layout) == layout)
      #expect(try [1, 2, 3].map { _ in try output.write(frame.span) } == [true, true, false])
      driver.state.withLock {
        #expect($0.shown.map(\.count) == [16, 16])
        #expect($0.shown[1].bytes == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect($0.mapped == 2)
        // Streaming starts after the first frame, not before.
        let order = $0.calls.filter { $0 == CV4L_QBUF || $0 == CV4L_STREAMON }
        #expect(order == [CV4L_QBUF, CV4L_STREAMON, CV4L_QBUF])
        // One frame has been shown.
        $0.steps = [.frame(.init(used: 16, sequence: 0))]
      }
      #expect(try output.write(frame.span))
      #expect(try !output.write(frame.span))
    }
    driver.state.withLock {
      #expect($0.mapped == 0 && $0.calls.suffix(2) == [CV4L_STREAMOFF, CV4L_REQBUFS])
    }
  }

  @Test(arguments: [
    (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING, "it is a camera"),
    (V4L2_CAP_VIDEO_M2M | V4L2_CAP_STREAMING, "it encodes, decodes or converts"),
    (V4L2_CAP_VIDEO_OUTPUT_MPLANE | V4L2_CAP_STREAMING, "luma and chroma in separate buffers"),
    (V4L2_CAP_VIDEO_OUTPUT, "only in an unsupported way"),
    (V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_READWRITE, "only in an unsupported way"),
    (V4L2_CAP_RADIO, "it is not a video output"),
  ])
  func whatIsNoOutput(abilities: Int32, reason: String) throws {
    let driver = driver(abilities)
    let error = #expect(throws: CameraError.self) {
      try OutputDevice(driver, path: "/dev/video9")
    }
    #expect(try "\(#require(error))".hasPrefix("/dev/video9 does not accept pictures: "))
    #expect(try "\(#require(error))".contains(reason))
  }

  @Test func filesAreNoOutputs() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    for (path, reason) in [
      (file, "there is no such device"), ("/tmp", "it is a directory"),
      ("/dev/null", "it is not a video device"),
    ] {
      #expect(throws: CameraError.notAnOutputDevice(path, reason: reason)) {
        try OutputDevice(opening: path)
      }
    }
    try Data().write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(throws: CameraError.notAnOutputDevice(file, reason: "it is a file")) {
      try OutputDevice(opening: file)
    }
  }

  @Test func formatsThatAreNotTaken() throws {
    let other = driver { $0.take = { $0.pixelformat = code(fourCC: "RGB3") } }
    let output = try OutputDevice(other, path: "/dev/video9")
    #expect(
      throws: CameraError.formatNotAccepted(
        "/dev/video9", requested: "YUYV of 4×2 pixels", accepted: "RGB3 of 4×2 pixels")
    ) { try output.start(layout) }
    let none = driver { $0.errors[CV4L_S_FMT] = EINVAL }
    let strict = try OutputDevice(none, path: "/dev/video9")
    #expect(
      throws: CameraError.formatNotAccepted(
        "/dev/video9", requested: "YUYV of 4×2 pixels", accepted: nil)
    ) { try strict.start(layout) }
    let planes = try FrameLayout(width: 4, height: 2, format: .subsampled(.planar444))
    #expect(throws: CameraError.self) { try output.start(planes) }
  }

  @Test func outputsThatFail() throws {
    let busy = driver { $0.errors[CV4L_S_FMT] = EBUSY }
    #expect(throws: CameraError.busy(camera: "/dev/video9")) {
      try OutputDevice(busy, path: "/dev/video9").start(layout)
    }
    for (number, error) in [
      (ENODEV, CameraError.vanished(camera: "/dev/video9")),
      (EIO, .system(call: "VIDIOC_QBUF", number: 5, text: "Input/output error")),
    ] {
      let driver = driver { $0.errors[CV4L_QBUF] = number }
      let output = try OutputDevice(driver, path: "/dev/video9")
      _ = try output.start(layout)
      #expect(throws: error) { try output.write(frame.span) }
    }
    let large = driver { $0.take = { $0.sizeimage = UInt32(ScriptedDriver.bufferSize) + 1 } }
    let output = try OutputDevice(large, path: "/dev/video9")
    _ = try output.start(layout)
    let bytes = [UInt8](repeating: 0, count: output.frameSize)
    #expect(
      throws: CameraError.system(
        call: "VIDIOC_QUERYBUF", number: 22, text: "the buffers of /dev/video9 are too small")
    ) { try output.write(bytes.span) }
  }

  @Test func rateOfACamera() async throws {
    let driver = ScriptedDriver { $0.rate = (30_000, 1001) }
    let list = DeviceList { (_) throws(CameraError) in driver }
    let device = try await VideoDevice(opening: "/dev/null", in: list)
    #expect(try await device.frameRate() == FrameRate(frames: 30_000, seconds: 1001))
    driver.state.withLock { $0.rate = (0, 0) }
    #expect(try await device.frameRate() == nil)
  }
}
