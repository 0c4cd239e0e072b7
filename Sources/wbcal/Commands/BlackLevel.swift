import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

struct BlackLevel: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the black level and the noise in pictures taken with the lens covered.",
    discussion: """
      The black level is the code value of no light, for each channel and as one
      value for --black. Use raw photographs or raw frames: in others the camera has
      already subtracted it. With --json there is an object for every input, also for
      one that was refused or could not be read; the exit code is that of the first
      of these.

        wbcal black-level covered.dng
        wbcal black-level covered-*.dng --json
        wbcal black-level dark.raw --raw 1920x1080:RG10
        wbcal black-level covered.dng --region 100,100,400,300
      """)

  @OptionGroup var pictures: PictureList
  @Option(
    help: ArgumentHelp(
      "The part to measure: X,Y,W,H in pixels, or center:F for the share F of width and height in "
        + "the center; by default the whole picture.", valueName: "region"),
    transform: GrayCardEstimator.Region.init(argument:))
  var region: GrayCardEstimator.Region?
  @OptionGroup(omitting: "region", "black", "transfer", "encoding") var picture: PictureOptions
  @Flag(help: "Write one JSON object per line.") var json = false

  func validate() throws { try forbid(pictures.file.isEmpty, "name pictures.") }

  func execute() async throws {
    let (picture, region) = (picture, region)
    try pictures.forEach { path, reader in
      try picture.withPixels(path: path, reader: &reader) { pixels, layout, _, _ in
        try DarkFrame(
          pixels, layout: layout.replacing(whiteLevel: picture.card.white),
          region: region.map { GrayCardEstimator(region: $0).rectangle(in: layout) })
      }
    } show: { path, result in
      switch result {
      case .success(let frame): return try show(frame, name: path)
      case .failure(let failure):
        complain(failure.message)
        if json { try printJSON(EstimateRecord(failure, file: path, method: Self.method)) }
        return failure.code
      }
    }
  }

  /// The value of `method` in JSON.
  fileprivate static let method = "black-level"

  /// Prints a dark frame's levels; returns the exit code if the frame is not dark.
  private func show(_ dark: DarkFrame, name: String) throws -> ExitCode? {
    if json {
      try printJSON(DarkFrameRecord(dark, file: name))
    } else if dark.isDark {
      let levels = dark.planes.map {
        "\(fixed($0.level, decimals: 2)) \($0.channel.rawValue)"
      }.joined(separator: ", ")
      let error = dark.planes.map(\.standardError).max() ?? 0
      let hot = dark.planes.reduce(0) { $0 + $1.hotPixels }
      try StandardOutput.line(
        "\(shown(name)): black level \(levels) (± \(fixed(error, decimals: 3)); hot pixels: \(hot)); "
          + "--black \(fixed(dark.level, decimals: 2))")
    }
    guard dark.isDark else {
      complain(
        "\(shown(name)): \(DarkFrameRecord.reason(of: dark)).\nCover the lens, and take the "
          + "frame again.")
      return .badData
    }
    let zeros = dark.planes.map(\.zeroShare).max() ?? 0
    if zeros > 0.02 {
      remark(
        "\(shown(name)): \(fixed(zeros * 100, decimals: 0)) % of its pixels are stored as 0, where the "
          + "noise is clipped; the true level is lower.")
    }
    return nil
  }
}

private struct DarkFrameRecord: JSONRecord {
  static func reason(of frame: DarkFrame) -> String {
    "this is not a dark frame: "
      + (frame.isBright
        ? "it is too bright to be without light" : "its pixels differ by more than noise")
  }

  struct Plane: JSONRecord {
    var channel: String
    var level, standardError, noise, zeroShare: Double
    var pixels, hotPixels: Int
  }

  var file: String
  var method = BlackLevel.method
  /// Levels, errors and noise are in code values.
  var blackLevel: Double
  var planes: [Plane]
  var accepted: Bool
  var error: String?
  var exitCode: Int32?
  var reasons: [String]

  init(_ dark: DarkFrame, file: String) {
    self.file = file
    blackLevel = dark.level
    planes = dark.planes.map {
      Plane(
        channel: $0.channel.rawValue, level: $0.level, standardError: $0.standardError,
        noise: $0.noise, zeroShare: $0.zeroShare, pixels: $0.pixels, hotPixels: $0.hotPixels)
    }
    accepted = dark.isDark
    error = dark.isDark ? nil : "refused"
    exitCode = dark.isDark ? nil : ExitCode.badData.rawValue
    reasons = dark.isDark ? [] : [Self.reason(of: dark)]
  }
}
