import CameraControl
import WbcalArguments
import WhiteBalance

/// The reason that the studio refused a page's request: an HTTP status, and sentences.
struct StudioProblem: Error {
  var status: Int
  var error: String
  var exitCode: Int32
  var reasons: [String]

  init(_ status: Int, _ error: String, _ code: ExitCode, _ reason: String) {
    (self.status, self.error, exitCode, reasons) = (status, error, code.rawValue, [reason])
  }

  static func usage(_ reason: String) -> StudioProblem {
    StudioProblem(400, "usage", .usage, reason)
  }

  /// Returns the problem of something that would be lost, about which a page has to ask the user.
  static func exists(_ reason: String) -> StudioProblem {
    StudioProblem(409, "exists", .usage, reason + " Replace it, or choose another name.")
  }

  /// Creates the problem for any error.
  init(_ error: any Error) {
    switch error {
    case let problem as StudioProblem: self = problem
    case let error as ValidationError: self = .usage(Self.inKeys(error.description))
    // Here a light cannot be named by a file.
    case let error as LightError:
      self.init(Self.status(.badData), ExitCode.badData.word, .badData, error.description)
    case CameraError.cancelled, CameraError.superseded:
      self.init(
        409, "cancelled", .tryAgain, "it was cancelled; the camera's settings were restored")
    default:
      let failure = Failure(error)
      self.init(
        Self.status(failure.code), Self.word(error) ?? failure.word ?? failure.code.word,
        failure.code, failure.plainMessage)
    }
  }

  /// Returns a message about options in terms of the keys from which they are made.
  private static func inKeys(_ message: String) -> String {
    let names = ["bias": "compensation", "ev": "steps"]
    return message.replacing(#/'--([a-z]+) <[^>]*>'|--([a-z]+)/#) { option in
      let name = String(option.1 ?? option.2 ?? "")
      return "'\(names[name] ?? name)'"
    }
  }

  /// Returns the word for an error that a page explains itself.
  private static func word(_ error: any Error) -> String? {
    switch error {
    case CameraError.cardUnreadable: "refused"
    case CalibrationError.contradiction: "contradiction"
    default: nil
    }
  }

  private static func status(_ code: ExitCode) -> Int {
    switch code {
    case .usage: 400
    case .noPermission: 403
    case .noInput: 404
    case .badData: 422
    case .unavailable, .tryAgain: 503
    default: 500
    }
  }
}
