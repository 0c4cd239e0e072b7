import Testing

@testable import Video4Linux

struct FormatRequestTests {
  private func choice(
    _ request: FormatRequest = FormatRequest(), _ offered: [DriverOffer], decodes: Bool = false
  ) -> String? {
    request.choice(of: offered, decodes: decodes).map {
      "\($0.fourCC) \($0.size.width)x\($0.size.height)"
    }
  }

  private func list(_ sizes: (Int, Int)...) -> DriverOffer.Sizes {
    .list(sizes.map { .init(width: $0.0, height: $0.1) })
  }

  @Test func finishedPicturesBeforeRawBeforeGray() {
    let formats = ["MJPG", "GREY", "RGGB", "NV12", "YUYV"].map { DriverOffer(fourCC: $0) }
    #expect(choice(formats) == "NV12 640x480")
    #expect(choice(Array(formats[..<3])) == "RGGB 640x480")
    #expect(choice(Array(formats[..<2])) == "GREY 640x480")
    #expect(choice(Array(formats[..<1])) == nil)
  }

  private func choice(_ offered: [DriverOffer], decodes: Bool = false) -> String? {
    choice(FormatRequest(), offered, decodes: decodes)
  }

  @Test func compressedFormatsAreNone() {
    #expect(choice([DriverOffer(fourCC: "YUYV", isCompressed: true)]) == nil)
    #expect(choice([DriverOffer(fourCC: "H264", isCompressed: true)], decodes: true) == nil)
  }

  /// Motion JPEG is chosen if it is requested, or if nothing else has color.
  @Test func motionJPEGIsTheLastResort() {
    let jpeg = DriverOffer(
      fourCC: "MJPG", isCompressed: true, sizes: list((640, 480), (1920, 1080)))
    let gray = DriverOffer(fourCC: "GREY")
    let small = DriverOffer(fourCC: "YUYV", sizes: list((320, 240)))
    #expect(choice([jpeg, gray], decodes: true) == "MJPG 640x480")
    #expect(choice([jpeg, gray, small], decodes: true) == "YUYV 320x240")
    #expect(choice([jpeg, DriverOffer(fourCC: "RGGB")], decodes: true) == "RGGB 640x480")
    let wanted = FormatRequest(width: 1900, height: 1000, fourCC: "MJPG")
    #expect(choice(wanted, [small, jpeg], decodes: true) == "MJPG 1920x1080")
    #expect(choice(wanted, [small, jpeg]) == nil)
    #expect(choice([jpeg, gray]) == "GREY 640x480")
  }

  @Test func theFormatAskedForOrNone() {
    let formats = ["YUYV", "NV12"].map { DriverOffer(fourCC: $0) }
    #expect(choice(FormatRequest(fourCC: "NV12"), formats) == "NV12 640x480")
    #expect(choice(FormatRequest(fourCC: "RGB3"), formats) == nil)
  }

  @Test func theNearestSize() {
    let formats = [
      DriverOffer(fourCC: "YUYV", sizes: list((320, 240), (640, 480), (1280, 720))),
      DriverOffer(fourCC: "NV12", sizes: list((1280, 720), (1920, 1080))),
    ]
    #expect(choice(formats) == "YUYV 640x480")
    #expect(choice(FormatRequest(width: 1920, height: 1080), formats) == "NV12 1920x1080")
    #expect(choice(FormatRequest(width: 1, height: 1), formats) == "YUYV 320x240")
  }

  @Test func sizesThatAreNone() {
    let formats = [DriverOffer(fourCC: "YUYV")]
    #expect(choice(FormatRequest(width: -1, height: Int.max), formats) == "YUYV 1x1048576")
    #expect(choice(FormatRequest(width: Int.min, height: 0), formats) == "YUYV 1x1")
  }

  @Test func sizesInSteps() {
    let formats = [
      DriverOffer(
        fourCC: "YUYV",
        sizes: .steps(
          from: .init(width: 48, height: 32), to: .init(width: 1000, height: 1000),
          step: .init(width: 16, height: 3)))
    ]
    #expect(choice(FormatRequest(width: 650, height: 481), formats) == "YUYV 656x482")
    #expect(choice(FormatRequest(width: 5000, height: 5000), formats) == "YUYV 992x998")
    #expect(choice(FormatRequest(width: 1, height: 1), formats) == "YUYV 48x32")
  }
}
