import CameraControl
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

struct Snapshot: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Save a camera's current picture, with the card's region drawn in, or as DNG.",
    discussion: """
      For placing the gray card before 'gray', 'calibrate' and other commands measure
      it. Problems with the region are reported. The numbers along the picture are the
      camera's pixels. The picture is brightened for display and cannot be measured;
      'wbcal bracket --count 1 -o chart.tiff' takes one that can. If the name ends in
      .jpg, the file is a JPEG file, else a PNG file.

      If the name ends in .dng, or with --to dng, the sensor's own codes are written
      as a DNG file, with the color matrices of the --profile, or that for the
      --light, the exposure time if it is known, and as white (AsShotNeutral) that of
      the --light, or else the card, if the region shows one, or else the gains in
      force, if the profile has the control laws of the camera. A flat field of the
      profile ('wbcal calibrate --flat') is written into the file, for converters. Only
      raw frames, or linear red, green and blue, can be written so.

        wbcal snapshot --device simulated -o card.png
        wbcal snapshot --device simulated:format=RG12 --profile desk.json -o card.dng
        wbcal snapshot --device /dev/video0 --region 200,100,300,200 -o card.jpg
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @OptionGroup var card: CardOptions
  @Option(
    name: .shortAndLong, help: "The picture to write; - for standard output.",
    completion: .file(extensions: ["png", "jpg", "dng"]))
  var output: String
  @Option(help: "Write the sensor's codes and the camera's color: dng.") var to: DNGCamera.Format?
  @Option(
    help: ArgumentHelp("With dng: \(ProfileSource.help)"), completion: .profile)
  var profile: String?
  @Option(help: "With dng and --profile: the light on the scene, as for 'wbcal calibrate'.")
  var light: String?
  @Flag(help: "Write the result as JSON.") var json = false

  private var isDNG: Bool { to == .dng || DNGCamera.isNamed(output) }

  func validate() throws {
    try forbid(light != nil && profile == nil, "--light requires --profile.")
    guard isDNG else {
      try forbid(profile != nil, "--profile requires --to dng, or a name that ends in .dng.")
      _ = try PreviewFile(output)
      return
    }
    try forbid(
      output != "-" && !DNGCamera.isNamed(output),
      "\(output) would be a DNG file: use a name that ends in .dng.")
  }

  func execute() async throws {
    if isDNG { return try await writeDNG() }
    let frame = try await CameraSession.with(device, card: card, for: .reading) { session in
      try await session.snapshot()
    }
    // Refuses a region outside of the frame.
    let estimate = try card.estimator.estimate(frame)
    let region = card.estimator.rectangle(in: frame.layout)
    try PreviewFile(output).write(frame, gains: nil, rectangle: region)
    try show(frame.layout, region, estimate)
    if !estimate.isAccepted { remark("In the region: \(estimate.refusals.sentenceWithAdvice).") }
  }

  private func show(
    _ layout: FrameLayout, _ region: PixelRectangle, _ estimate: GrayCardEstimate,
    neutral: LinearRGB? = nil
  ) throws {
    guard output != "-" else { return }
    let name = "\(GrayCardEstimator.Region.rectangle(region))"
    let (width, height) = (layout.width, layout.height)
    if json {
      struct Record: JSONRecord {
        var file: String
        var width, height: Int
        var region: String
        var accepted: Bool
        var reasons: [String]
        var neutral: LinearRGB?
      }
      try printJSON(
        Record(
          file: output, width: width, height: height, region: name,
          accepted: estimate.isAccepted, reasons: estimate.refusals.map(\.description),
          neutral: neutral))
    } else {
      try StandardOutput.line(
        "wrote \(output): the camera's \(width)×\(height) pixels with --region \(name)")
    }
  }

  /// The way to write frames that are not raw.
  private static let developed =
    "use a name that ends in .png, or request a raw format of the camera, such as "
    + "--device NAME,format=RG10"

  /// Writes the frame as a DNG file.
  private func writeDNG() async throws {
    try refuse(outputs: [output], over: [profile].compactMap(\.self))
    let source = try profile.map { try ProfileSource(argument: $0) }
    let (frame, camera, exposure) = try await CameraSession.with(
      device, card: card, profile: source?.ofDevice, for: .reading
    ) { session in
      let camera = try await DNGCamera(
        of: session, colors: source, light: light, path: output, instead: Self.developed)
      return (
        try await session.snapshot(), camera, await ExposureTimes(of: session.camera).exposure()
      )
    }
    let even = try camera.flatField?.corrected(frame.bytes.span, layout: frame.layout) ?? frame
    let estimate = try card.estimator.estimate(even)
    let neutral = try camera.neutral(
      light: light, card: estimate.isAccepted ? estimate.gains : nil)
    try replaceFile(
      output,
      with: try camera.file(
        of: frame, neutral: neutral, exposure: exposure, path: output, instead: Self.developed))
    try show(
      frame.layout, card.estimator.rectangle(in: frame.layout), estimate, neutral: neutral)
    if let lack = camera.lack(of: neutral) { remark(lack) }
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
    return try self.frame(frame.layout, frame.bytes)
  }

  /// Returns a frame with the levels and the transfer function that are known of the camera.
  func frame(_ layout: FrameLayout, _ bytes: [UInt8]) throws -> Frame {
    try Frame(layout: self.layout(layout), bytes: bytes)
  }

  /// Returns the layout of the camera's next frame, with what is known of the camera.
  func nextLayout() async throws -> FrameLayout {
    try layout(await camera.port.withNextFrame { info, _ in info.layout })
  }

  /// Returns a layout with the levels and the transfer function that are known of the camera.
  func layout(_ layout: FrameLayout) throws(FrameError) -> FrameLayout {
    try layout.replacing(
      blackLevel: camera.blackLevel, whiteLevel: camera.whiteLevel, transfer: camera.transfer)
  }
}
