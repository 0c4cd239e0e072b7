import CWbcalVideo4Linux
import CameraControl
import ColorScience
import Glibc
import Synchronization
import Testing
import WhiteBalance

@testable import Video4Linux

/// A decoder for which pictures of an even number of bytes are whole and become frames filled with
/// that number; those of an odd number are damaged.
private final class CountingDecoder: FrameDecoder {
  let size: (width: Int, height: Int)
  let isSupported: Bool
  let decoded = Mutex(0)

  init(width: Int = 16, height: Int = 16, isSupported: Bool = true) {
    size = (width, height)
    self.isSupported = isSupported
  }

  func layout(of picture: Span<UInt8>) throws(FrameDecodingError) -> FrameLayout {
    if !isSupported { throw .unsupported("12 bits") }
    if picture.count % 4 == 3 { throw .damaged("no header") }
    let encoding = LumaChromaEncoding(matrix: .bt601, range: .full)
    return try! FrameLayout(
      width: size.width, height: size.height, format: .subsampled(.planar444), encoding: encoding)
  }

  func decode(
    _ picture: Span<UInt8>, layout: FrameLayout, into frame: inout MutableSpan<UInt8>
  ) throws(FrameDecodingError) {
    decoded.withLock { $0 += 1 }
    for index in frame.indices { frame[index] = UInt8(truncatingIfNeeded: picture.count) }
    if picture.count % 2 == 1 { throw .damaged("it ends before its picture does") }
  }
}

/// Tests the treatment of buffers whose contents are not frames that can be measured.
struct FrameContentTests {
  private func driver(
    _ frames: [UInt32], change: (inout ScriptedDriver.State) -> Void = { _ in }
  ) -> ScriptedDriver {
    ScriptedDriver {
      $0.formats = ["MJPG"]
      $0.picture.width = 16
      $0.picture.height = 16
      $0.steps = frames.enumerated().map {
        .frame(.init(used: $0.element, sequence: UInt32($0.offset)))
      }
      change(&$0)
    }
  }

  private func device(
    _ driver: ScriptedDriver, _ decoder: (any FrameDecoder)?, timeout: Duration = .seconds(3)
  ) async throws -> VideoDevice {
    let list = DeviceList { (_) throws(CameraError) in driver }
    return try await VideoDevice(
      opening: "/dev/null", in: list, frameTimeout: timeout, decoder: decoder)
  }

  @Test func picturesAreDecoded() async throws {
    let device = try await device(driver([100, 102]), CountingDecoder())
    for byte in [100, 102] {
      let (info, bytes) = try await device.withNextFrame { info, bytes in
        (info, [bytes[0], bytes[767], UInt8(bytes.count / 8)])
      }
      #expect(bytes == [UInt8(byte), UInt8(byte), 96])
      #expect(info.layout.encoding == LumaChromaEncoding(matrix: .bt601, range: .full))
      #expect(info.layout.transfer == .sRGB)
    }
  }

  @Test func whatNobodyLooksAtIsNotDecoded() async throws {
    let decoder = CountingDecoder()
    let device = try await device(driver([100, 102, 104]), decoder)
    for _ in 0..<2 {
      let found = try await device.withNextFrame(where: { _ in false }) { _, _ in true }
      #expect(found == nil)
    }
    #expect(decoder.decoded.withLock { $0 } == 0)
    let sequence = try await device.withNextFrame { info, _ in info.sequence }
    #expect(sequence == 2)
    #expect(decoder.decoded.withLock { $0 } == 1)
  }

  /// Only the frames of the readings are decoded; the scripted ones all have the same time.
  @Test func readingsDecodeOnlyWhatTheyTell() async throws {
    let decoder = CountingDecoder()
    let device = try await device(
      driver([UInt32](repeating: 100, count: 50)), decoder, timeout: .milliseconds(50))
    var readings = Camera(device).readings(perSecond: 10).makeAsyncIterator()
    _ = try await readings.next()
    await #expect(throws: CameraError.self) { try await readings.next() }
    #expect(decoder.decoded.withLock { $0 } == 1)
  }

  @Test func damagedPicturesAreSkippedAndCounted() async throws {
    let device = try await device(driver([101, 103, 0, 104]), CountingDecoder())
    let (sequence, byte) = try await device.withNextFrame { ($0.sequence, $1[0]) }
    // A picture of no bytes has a whole header here.
    #expect(sequence == 2 && byte == 0)
    #expect(await device.damagedFrames == 2)
  }

  @Test func aCameraThatSendsOnlyDamagedPicturesHasStalled() async throws {
    let driver = driver([101, 103, 101])
    let device = try await device(driver, CountingDecoder(), timeout: .milliseconds(50))
    await #expect(
      throws: CameraError.stalled(
        camera: "Scripted Camera", seconds: 0.05, damaged: 3,
        reason: "it ends before its picture does")
    ) { try await device.withNextFrame { _, _ in } }
  }

  /// Encoders fill the last blocks; a picture of any other size is a frame of another stream.
  @Test(arguments: [
    (16, 16, true), (16, 24, true), (31, 31, true), (32, 16, false), (8, 16, false),
  ])
  func picturesOfAnotherSizeAreDamaged(width: Int, height: Int, isTaken: Bool) async throws {
    let device = try await device(
      driver([100]), CountingDecoder(width: width, height: height), timeout: .milliseconds(50))
    if isTaken {
      let size = try await device.withNextFrame { info, _ in info.layout.height }
      #expect(size == height)
    } else {
      let error = await #expect(throws: CameraError.self) {
        try await device.withNextFrame { _, _ in }
      }
      #expect("\(try #require(error))".contains("\(width)×\(height) pixels instead of 16×16"))
    }
  }

  @Test func aKindThatIsNotDecodedIsNamed() async throws {
    let device = try await device(driver([100]), CountingDecoder(isSupported: false))
    await #expect(
      throws: CameraError.noFormat(
        camera: "Scripted Camera", asked: nil, offered: ["MJPG of an unsupported kind (12 bits)"])
    ) { try await device.withNextFrame { _, _ in } }
  }

  // MARK: - Rows

  private func rows(
    _ format: PixelFormat, _ width: Int, _ height: Int, told: Int, frame: Int
  ) throws -> Int? {
    try FrameLayout(width: width, height: height, bytesPerRow: told, format: format)
      .bytesPerRow(ofFrame: frame)
  }

  /// The frames have 640×480 pixels: by hand, YUYV has rows of 1280 bytes, NV12 one and a half rows
  /// of 640 for each row of the picture.
  @Test func rowsThatAFrameGivesAway() throws {
    let yuyv = PixelFormat.subsampled(.yuyv)
    #expect(try rows(yuyv, 640, 480, told: 1280, frame: 614_400) == nil)
    #expect(try rows(yuyv, 640, 480, told: 2048, frame: 614_400) == 1280)
    #expect(try rows(yuyv, 640, 480, told: 1280, frame: 1344 * 480) == 1344)
    #expect(try rows(.subsampled(.nv12), 640, 480, told: 1024, frame: 460_800) == 640)
    #expect(try rows(.subsampled(.yu12), 640, 480, told: 640, frame: 656 * 720) == 656)
    // These are shorter than a frame can be, or not a whole number of rows.
    #expect(try rows(yuyv, 640, 480, told: 1280, frame: 307_200) == nil)
    #expect(try rows(yuyv, 640, 480, told: 2048, frame: 614_401) == nil)
    // The last row may end with its pixels, 16 more rows may follow, and the rest of a page.
    #expect(try rows(yuyv, 640, 480, told: 2048, frame: 479 * 2048 + 1280) == nil)
    #expect(try rows(yuyv, 640, 480, told: 1280, frame: 496 * 1280) == nil)
    #expect(try rows(.gray(bits: 8), 64, 60, told: 64, frame: 4096) == nil)
  }

  @Test func aDriverThatToldAnotherRowIsNamed() async throws {
    func streaming(_ told: UInt32, _ frames: [UInt32]) -> ScriptedDriver {
      driver(frames) {
        $0.formats = ["YUYV"]
        $0.picture.bytesperline = told
      }
    }
    let error = CameraError.rowLength(
      camera: "Scripted Camera", reported: 64, actual: 32, frame: 512)
    let long = try await device(streaming(64, [UInt32](repeating: 512, count: 8)), nil)
    await #expect(throws: error) { try await long.withNextFrame { _, _ in } }
    #expect("\(error)".contains("reports rows of 64 bytes"))
    // A few frames that a connection truncated at the end of a row are not sufficient evidence.
    let lossy = try await device(streaming(64, [512, 512, 512, 510, 512, 512, 512, 1024]), nil)
    let sequence = try await lossy.withNextFrame { info, _ in info.sequence }
    #expect(sequence == 7)
    let short = try await device(streaming(32, [16 * 48]), nil)
    await #expect(
      throws: CameraError.rowLength(
        camera: "Scripted Camera", reported: 32, actual: 48, frame: 768)
    ) { try await short.withNextFrame { _, _ in } }
  }

  // MARK: - Planes

  private func planar(
    _ format: String, _ strides: [UInt32], _ frames: [[(used: UInt32, start: UInt32)]]
  ) -> ScriptedDriver {
    ScriptedDriver {
      $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING
      $0.formats = [format]
      $0.planar.width = 16
      $0.planar.height = 16
      $0.planar.num_planes = UInt8(strides.count)
      $0.planar.plane_fmt.0.bytesperline = strides[0]
      if strides.count > 1 { $0.planar.plane_fmt.1.bytesperline = strides[1] }
      $0.steps = frames.enumerated().map {
        .frame(.init(used: 0, sequence: UInt32($0.offset), planes: $0.element))
      }
    }
  }

  @Test func planesApartAreReadAsOneFrame() async throws {
    let driver = planar(
      "NM12", [24, 16],
      [
        [(used: 400, start: 8), (used: 100, start: 0)],
        [(used: 400, start: 8), (used: 132, start: 4)],
      ])
    let device = try await device(driver, nil)
    let (info, bytes) = try await device.withNextFrame { info, bytes in
      (info, [bytes[0], bytes[23], bytes[384], bytes[385], UInt8(bytes.count / 4)])
    }
    // The first frame lacks chroma: 16 × 8 bytes are needed.
    #expect(info.sequence == 1)
    #expect(bytes == [8, 31, 4, 5, 128])
    #expect(info.layout.chroma == [.init(offset: 384, bytesPerRow: 16)])
    #expect(driver.state.withLock { $0.mapped } == 4)
    await device.close()
    #expect(driver.state.withLock { $0.mapped } == 0)
  }

  @Test func onePlaneIsLentFromWhereItsSamplesStart() async throws {
    let device = try await device(
      planar("NV12", [16], [[(used: 16 * 24 + 12, start: 12)]]), nil)
    let (first, count) = try await device.withNextFrame { ($1[0], $1.count) }
    #expect(first == 12 && count == 16 * 24)
  }

  @Test func aPlaneLargerThanItsBufferIsDamaged() async throws {
    let device = try await device(
      planar("NV12", [16], [[(used: 5000, start: 0)]]), nil, timeout: .milliseconds(50))
    let error = await #expect(throws: CameraError.self) {
      try await device.withNextFrame { _, _ in }
    }
    #expect("\(try #require(error))".contains("5000 bytes exceed its buffer"))
  }
}
