import CameraControl
import WbcalArguments
import WhiteBalance

struct Snapshot: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Save a camera's current picture, with the card's region drawn in.",
    discussion: """
      For placing the gray card before 'gray', 'calibrate' and other commands measure
      it. Problems with the region are reported. The numbers along the picture are the
      camera's pixels. The picture is brightened for display and cannot be measured;
      'wbcal bracket --count 1 -o chart.tiff' takes one that can. If the name ends in
      .jpg, the file is a JPEG file, else a PNG file.

        wbcal snapshot --device simulated -o card.png
        wbcal snapshot --device /dev/video0 --region 200,100,300,200 -o card.jpg
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @OptionGroup var card: CardOptions
  @Option(
    name: .shortAndLong, help: "The picture to write; - for standard output.",
    completion: .file(extensions: ["png", "jpg"]))
  var output: String
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws { _ = try PreviewFile(output) }

  func execute() async throws {
    let frame = try await CameraSession.with(device, card: card, for: .reading) { session in
      try await session.snapshot()
    }
    // Refuses a region outside of the frame.
    let estimate = try card.estimator.estimate(frame)
    let region = card.estimator.rectangle(in: frame.layout)
    try PreviewFile(output).write(frame, gains: nil, rectangle: region)
    let name = "\(GrayCardEstimator.Region.rectangle(region))"
    if output != "-" {
      let (width, height) = (frame.layout.width, frame.layout.height)
      if json {
        struct Record: Encodable {
          var file: String
          var width, height: Int
          var region: String
          var accepted: Bool
          var reasons: [String]
        }
        try printJSON(
          Record(
            file: output, width: width, height: height, region: name,
            accepted: estimate.isAccepted, reasons: estimate.refusals.map(\.description)))
      } else {
        try StandardOutput.line(
          "wrote \(output): the camera's \(width)×\(height) pixels with --region \(name)")
      }
    }
    if !estimate.isAccepted { remark("In the region: \(estimate.refusals.sentenceWithAdvice).") }
  }
}

extension CameraSession {
  /// Returns a frame from the camera after its automatic modes have had time to adjust.
  func snapshot() async throws -> Frame {
    var frame: (layout: FrameLayout, bytes: [UInt8])?
    for index in 0...Camera.latencyBound {
      if Task.isCancelled { throw CameraError.cancelled }
      let isLast = index == Camera.latencyBound
      frame = try await camera.port.withNextFrame(where: { _ in isLast }) { info, bytes in
        (info.layout, unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) })
      }
    }
    guard let frame else { throw CameraError.cancelled }
    let layout = try frame.layout.replacing(
      blackLevel: camera.blackLevel, whiteLevel: camera.whiteLevel, transfer: camera.transfer)
    return try Frame(layout: layout, bytes: frame.bytes)
  }
}
