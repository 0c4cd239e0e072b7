import CameraControl
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WbcalSystem
import WbcalWebServer
import WhiteBalance

/// A sentence for the user, and the exit code for scripts.
struct Failure: Error {
  var message: String
  /// The part of the message that only helps in a terminal.
  var advice = ""
  var code: ExitCode
  /// The word for programs, if it differs from the code's.
  var word: String?

  /// The message without commands and options.
  var plainMessage: String { advice.isEmpty ? message : message.replacing(advice, with: "") }
}

extension ExitCode {
  static let usage = ExitCode.validationFailure
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let internalError = ExitCode(70)
  static let inputOutput = ExitCode(74)
  static let tryAgain = ExitCode(75)
  static let noPermission = ExitCode(77)
  static let interrupted = ExitCode(128 + SIGINT)
  static let outputClosed = ExitCode(128 + SIGPIPE)

  /// The codes on which scripts may rely, with their meanings.
  static let meanings: [(code: ExitCode, meaning: String)] = [
    (.success, "done"), (.validationFailure, "usage"), (.badData, "bad data"),
    (.noInput, "no such input"), (.unavailable, "no such device or it went away"),
    (.internalError, "internal error"), (.inputOutput, "input or output failed"),
    (.tryAgain, "try again"), (.noPermission, "permission denied"),
    (.interrupted, "interrupted (128 plus the signal number: 131 by Ctrl-\\, 143 terminated)"),
    (.outputClosed, "the reader of the output has closed it"),
  ]

  /// The code as a word, for programs that read tables.
  var word: String {
    switch self {
    case .usage: "usage"
    case .badData: "bad-data"
    case .noInput: "no-input"
    case .unavailable: "unavailable"
    case .inputOutput: "input-output"
    case .tryAgain: "try-again"
    case .noPermission: "no-permission"
    default: "internal"
    }
  }
}

/// A subcommand whose errors become one sentence on standard error and a documented exit code.
protocol Subcommand: AsyncParsableCommand { mutating func execute() async throws }

extension Subcommand {
  dynamic mutating func run() async throws {
    defer { Progress.shared.show(nil) }
    do { try await execute() } catch {
      if error is ValidationError || error is ExitCode { throw error }
      let failure = Failure(error)
      complain(failure.message)
      throw failure.code
    }
  }
}

extension Failure {
  static func usage(_ message: String) -> Failure { Failure(message: message, code: .usage) }
  static func badData(_ message: String, advice: String = "") -> Failure {
    Failure(message: message + advice, advice: advice, code: .badData)
  }
  static func noInput(_ message: String) -> Failure { Failure(message: message, code: .noInput) }
  static func unavailable(_ message: String, advice: String = "") -> Failure {
    Failure(message: message + advice, advice: advice, code: .unavailable)
  }

  /// Creates the sentence and the code for any error that reaches a command.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as CameraError:
      self.init(message: error.sentence, advice: error.advice, code: error.exitCode)
    case let error as ImageFileError:
      let shown = ImageFileError(path: shown(error.path), problem: error.problem)
      self.init(message: "\(shown)", code: error.exitCode)
    case let error as LightError: self = .badData(error.description(furtherForms: ["spd:FILE.csv"]))
    case is FrameError, is CalibrationError, is SensitivityError, is GainRangeError,
      is AmbiguousGains:
      self = .badData("\(error)")
    case let error as WebServerError: self.init(message: error.description, code: error.exitCode)
    default: self.init(message: "internal error: \(error)", code: .internalError)
    }
  }

  /// Creates a failure for an error that a picture caused; the message names the picture.
  init(_ error: any Error, about path: String) {
    self.init(error)
    if error is FrameError { message = "\(shown(path)): \(message)" }
  }

  /// Creates a failure from an operating system's error number for a file.
  init(_ operation: String, _ path: String, errno code: Int32) {
    let exit: ExitCode =
      switch code {
      case ENOENT, ENOTDIR, EISDIR: .noInput
      case EACCES, EPERM, EROFS: .noPermission
      default: .inputOutput
      }
    self.init(
      message: "cannot \(operation) \(shown(path)): \(systemErrorText(code))", code: exit)
  }
}

extension ImageFileError {
  var exitCode: ExitCode {
    switch problem {
    case .notFound, .directory: .noInput
    case .noPermission: .noPermission
    case .inputOutput: .inputOutput
    default: .badData
    }
  }
}

extension WebServerError {
  fileprivate var exitCode: ExitCode {
    switch kind {
    case .usage: .usage
    case .refused: .noPermission
    case .unavailable: .unavailable
    }
  }
}
