import ColorScience
import WbcalArguments
import WhiteBalance

extension Estimate {
  /// Prints a dark frame's levels; returns the exit code if the frame is not dark.
  func show(_ dark: DarkFrame, name: String) throws -> ExitCode? {
    if json {
      try printJSON(DarkFrameRecord(dark, file: name))
    } else if dark.isDark {
      let levels = dark.planes.map {
        "\(fixed($0.level, decimals: 2)) \($0.channel.rawValue)"
      }.joined(separator: ", ")
      let error = dark.planes.map(\.standardError).max() ?? 0
      let hot = dark.planes.reduce(0) { $0 + $1.hotPixels }
      try StandardOutput.line(
        "\(name): black level \(levels) (± \(fixed(error, decimals: 3)); hot pixels: \(hot)); "
          + "--black \(fixed(dark.level, decimals: 2))")
    }
    guard dark.isDark else {
      complain("\(name): \(DarkFrameRecord.notDark).\nCover the lens, and take the frame again.")
      return .badData
    }
    let zeros = dark.planes.map(\.zeroShare).max() ?? 0
    if zeros > 0.02 {
      remark(
        "\(name): \(fixed(zeros * 100, decimals: 0)) % of its pixels are stored as 0, where the "
          + "noise is cut off; the true level is lower.")
    }
    return nil
  }
}

struct DarkFrameRecord: Encodable {
  static let notDark = "this is no dark frame: its pixels differ by more than noise does"

  struct Plane: Encodable {
    var channel: String
    var level, standardError, noise, zeroShare: Double
    var pixels, hotPixels: Int
  }

  var file: String
  var method = "black-level"
  var blackLevel: Double
  var planes: [Plane]
  var accepted: Bool
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
    reasons = dark.isDark ? [] : [Self.notDark]
  }
}
