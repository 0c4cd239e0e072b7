import CameraControl
import CameraProfiles
import ColorScience
import ProfileFiles
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

struct BracketCapture: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bracket",
    abstract: "Take pictures that differ in exposure, in focus or in nothing.",
    discussion: """
      Each picture is the first frame that shows its settings, and is described in one
      line, or with --json in one object. The camera's settings are restored at the
      end. In the file name, {ev}, {duration}, {position} and {index} stand for what
      differs. A file that ends in .tiff has 16 bits of linear light, .png 16 bits
      with the sRGB curve. One that ends in .dng has the sensor's own codes, the
      exposure time if it is known, and the color matrices of the --profile, or that
      for the --light. Its white is that of the --light or, without one, that of the
      gains in force, if the profile has the control laws of the camera. A flat field of
      the profile ('wbcal calibrate --flat') is applied to .tiff and .png, and written
      into .dng files, whose codes stay as they are.

        wbcal bracket --device simulated --ev=-2,0,+2 -o '{ev}.png'
        wbcal bracket --device simulated --count 3 -o 'card-{index}.tiff'
        wbcal bracket --device simulated:format=RG12 --durations 1/100,1/50 \\
            -o 'raw-{index}.dng'
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(
    help: ArgumentHelp(
      "The camera's profile: its exposure laws and its flat field, if it contains any, and for "
        + "DNG files its colors."),
    completion: .profile)
  var profile: String?
  @Option(help: "For DNG files, with --profile: the light on the scene.") var light: String?
  @Option(
    help: "EV offsets from the current exposure, such as --ev=-2,0,+2.",
    transform: Self.list("stops, such as -2,0,+2"))
  var ev: [Double] = []
  @Option(
    help: "Exposure times, in seconds, such as 1/100,1/50.",
    transform: {
      try $0.split(separator: ",", omittingEmptySubsequences: false).map {
        try parseSeconds(String($0))
      }
    })
  var durations: [Double] = []
  @Option(
    help: "Positions of the lens, from 0, the nearest, to 1, the farthest.",
    transform: Self.list("positions of the lens, such as 0,0.5,1"))
  var positions: [Double] = []
  @Option(help: "The number of pictures with the same settings.") var count: Int?
  @Option(
    name: .shortAndLong, help: "The files to write, such as card-{ev}.png; by default none.",
    completion: .file(extensions: ["png", "tiff", "dng"]))
  var output: String?
  @OptionGroup var recording: RecordOptions
  @Flag(help: "Write one JSON object per line.") var json = false

  private static func list(_ form: String) -> @Sendable (String) throws -> [Double] {
    { argument in
      let fields = argument.split(separator: ",", omittingEmptySubsequences: false).map {
        number($0.hasPrefix("+") ? $0.dropFirst() : $0)
      }
      let values = fields.compactMap(\.self)
      guard values.count == fields.count, values.allSatisfy(\.isFinite) else {
        throw ValidationError("write \(form).")
      }
      return values
    }
  }

  func validate() throws {
    let kinds = [!ev.isEmpty, !durations.isEmpty, !positions.isEmpty, count != nil]
    guard kinds.count(where: \.self) == 1 else {
      throw ValidationError("give one of --ev, --durations, --positions and --count.")
    }
    if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
    try forbid(!durations.allSatisfy({ $0 > 0 && $0.isFinite }), "exposure times must be above 0.")
    try forbid(!positions.allSatisfy({ 0...1 ~= $0 }), "positions of the lens must be 0 to 1.")
    try forbid(
      light != nil && (profile == nil || !isDNG),
      "--light requires --profile, and a name that ends in .dng.")
    guard let output else { return }
    let format = ImageFormat(promisedBy: output)
    guard format == .png || format == .tiff || isDNG else {
      throw ValidationError(
        "\(output) is not a name for a picture: end it in .png, .tiff or .dng.")
    }
    if format == .tiff { try LittleCMS.require() }
    guard Set(outputs).count == bracket.count else {
      throw ValidationError(
        "the pictures would overwrite each other: put {index} or what differs into \(output).")
    }
  }

  private var bracket: Bracket {
    if !ev.isEmpty { return .exposureOffsets(ev) }
    if !durations.isEmpty { return .exposures(durations.map { ExposureChoice(duration: $0) }) }
    if !positions.isEmpty { return .lensPositions(positions) }
    return .burst(count ?? 0)
  }

  private var isDNG: Bool { output.map(DNGCamera.isNamed) == true }

  /// The files that are written.
  var outputs: [String] { (0..<bracket.count).compactMap(name(of:)) }

  private func name(of index: Int) -> String? {
    guard var name = output else { return nil }
    name = name.replacing("{index}", with: "\(index + 1)")
    if !ev.isEmpty {
      let text = Self.text(ev[index])
      name = name.replacing("{ev}", with: ev[index] > 0 ? "+\(text)" : text)
    }
    if !durations.isEmpty {
      name = name.replacing("{duration}", with: Self.text(durations[index]))
    }
    if !positions.isEmpty {
      name = name.replacing("{position}", with: Self.text(positions[index]))
    }
    return name
  }

  /// Returns a number as it appears in a file's name.
  private static func text(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  func execute() async throws {
    try refuse(outputs: outputs, over: [profile].compactMap(\.self))
    let source = try profile.map { try ProfileSource(argument: $0) }
    try await CameraSession.with(
      device, profile: isDNG ? source?.ofDevice : source?.profile, for: .borrowing,
      recording: try recording.recording(of: device),
      check: { session in
        guard isDNG else { return }
        // An error in the light is found before a picture is taken.
        _ = try light.map { try source?.profile.light(argument: $0) }
        try await DNGCamera.requireCodes(
          of: session, path: output ?? "", instead: Self.otherKinds)
      }
    ) { session in
      try await perform(session, colors: source) { path, bytes in
        try replaceFile(path, with: bytes)
      } report: { record in
        try json ? printJSON(record) : record.show()
      }
    }
  }

  /// Takes the pictures.
  ///
  /// - Parameters:
  ///   - source: the profile whose colors DNG files get.
  ///   - write: writes a file.
  ///   - report: gets the record of each picture.
  func perform(
    _ session: CameraSession, colors source: ProfileSource? = nil,
    write: (String, [UInt8]) throws -> Void, report: (Record) throws -> Void
  ) async throws {
    let kind = isDNG ? try await dng(of: session, source) : try await developed(of: session, source)
    var camera = session.camera
    if !ev.isEmpty { camera = try await session.withExposureLaws(camera) }
    var capture = await take(by: camera)
    if !durations.isEmpty, camera.exposureLaws == nil, !capture.isAsPromised {
      camera = try await session.withExposureLaws(camera)
      capture = await take(by: camera)
    }
    // Files are written after the camera's settings have been restored.
    for (record, frame, exposure) in capture.taken {
      if let frame, let path = record.file {
        try write(path, try file(of: frame, exposure, path: path, kind))
      }
      try report(record)
    }
    if case .dng(let camera, let neutral) = kind, let lack = camera.lack(of: neutral) {
      remark(lack)
    }
    if let broken = capture.broken { throw broken }
    if let failure = capture.failure { throw failure }
  }

  /// The way to write frames that are not raw.
  private static let otherKinds =
    "end the name in .tiff or .png, or request a raw format of the camera, such as "
    + "--device NAME,format=RG10"

  /// The kinds of files: of raw frames, with the camera's response to white, or of developed ones,
  /// with the profile's flat field.
  private enum FileKind {
    case dng(DNGCamera, LinearRGB?)
    case developed(ProfileShading?)
  }

  private func dng(of session: CameraSession, _ source: ProfileSource?) async throws -> FileKind {
    let camera = try await DNGCamera(
      of: session, colors: source, light: light, path: output ?? "", instead: Self.otherKinds)
    return .dng(camera, try camera.neutral(light: light))
  }

  private func developed(
    of session: CameraSession, _ source: ProfileSource?
  ) async throws -> FileKind {
    guard output != nil, let profile = source?.profile, !profile.flatFields.isEmpty
    else { return .developed(nil) }
    return .developed(session.flatField(of: profile, for: try await session.nextLayout()))
  }

  /// Returns the bytes of a picture's file.
  private func file(
    of frame: Frame, _ exposure: PictureExposure, path: String, _ kind: FileKind
  ) throws -> [UInt8] {
    switch kind {
    case .dng(let camera, let neutral):
      return try camera.file(
        of: frame, neutral: neutral, exposure: exposure, path: path, instead: Self.otherKinds
      ).bytes
    case .developed(let flatField):
      let format = ImageFormat(promisedBy: path) ?? .png
      let transfer: TransferFunction = format == .tiff ? .linear : .sRGB
      return try PictureWriter.encode(
        try developed(frame, transfer, flatField), as: format, path: path, isSRGB: false,
        iccProfile: format == .tiff ? LittleCMS.linearProfile() : nil)
    }
  }

  private func developed(
    _ frame: Frame, _ transfer: TransferFunction, _ flatField: ProfileShading?
  ) throws -> Frame {
    if frame.layout.format.isMosaic {
      let even = try flatField?.corrected(frame.bytes.span, layout: frame.layout) ?? frame
      return try even.developed(transfer: transfer).frame
    }
    // Pixels of luma and chroma are corrected when they have become red, green and blue.
    var picture = try frame.developed(transfer: transfer).frame
    try flatField?.correct(&picture)
    return picture
  }

  /// The result of taking the pictures.
  private struct Capture {
    var taken: [(record: Record, frame: Frame?, exposure: PictureExposure)] = []
    var failure: CameraError?
    var broken: (any Error)?
    /// `true` if no picture shows another exposure than V4L2's unit of exposure times promises.
    var isAsPromised = true
  }

  private func take(by camera: Camera) async -> Capture {
    var capture = Capture()
    do throws(CameraError) {
      let exposures = await ExposureTimes(of: camera)
      try await camera.capture(bracket) { picture in
        Progress.shared.show("picture \(picture.index + 1) of \(bracket.count)")
        if let promised = picture.stops, let seen = picture.seenStops {
          capture.isAsPromised = capture.isAsPromised && abs(seen - promised) < 0.05
        }
        do {
          let layout = try picture.info.layout.replacing(
            blackLevel: camera.blackLevel, whiteLevel: camera.whiteLevel,
            transfer: camera.transfer)
          let frame =
            output == nil ? nil : try Frame(layout: layout, bytes: picture.buffer.bytes)
          capture.taken.append(
            (record(picture), frame, exposures.exposure(after: picture.values)))
        } catch { capture.broken = capture.broken ?? error }
      }
    } catch {
      capture.failure = error
      capture.isAsPromised = !error.tellsOtherLight
    }
    return capture
  }

  private func record(_ picture: BracketPicture) -> Record {
    Record(
      index: picture.index + 1, file: name(of: picture.index), frame: picture.info.sequence,
      timestamp: picture.info.timestamp / .seconds(1),
      controls: picture.values.isEmpty ? nil : picture.values.byName,
      stops: picture.stops, seenStops: picture.seenStops, seen: picture.isSeen)
  }

  struct Record: JSONRecord {
    var index: Int
    var file: String?
    var frame: Int
    var timestamp: Double
    var controls: [String: Int]?
    var stops: Double?
    var seenStops: Double?
    var seen: Bool

    func show() throws {
      var text = "\(index): frame \(frame)"
      for (name, value) in controls?.sortedByName ?? [] {
        text += ", \(name) \(value)"
      }
      if let stops { text += ", \(stops >= 0 ? "+" : "")\(shortNumber(stops)) stops" }
      if !seen { text += ", counted, not verified" }
      if let file { text += ": \(file)" }
      try StandardOutput.line(text)
    }
  }
}
