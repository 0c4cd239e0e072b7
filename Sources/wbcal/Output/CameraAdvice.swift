import CameraControl
import CameraProfiles
import WbcalArguments
import WhiteBalance

extension CameraError {
  var exitCode: ExitCode {
    switch self {
    case .notFound, .ambiguous, .notACamera, .notAnOutputDevice, .formatNotAccepted, .vanished,
      .noControl,
      .noLaw, .noWhiteBalance, .noMode, .noExposureMode, .noFocus, .noFocusMode, .noFormat,
      .noUserSet, .automaticReturned, .relativeToAutomatic, .exposureNotHeld:
      .unavailable
    case .notPermitted: .noPermission
    case .busy, .settingNotKept, .settingNotVisible, .exposureNotSeen, .exposureNotReached,
      .exposureNotKept,
      .notSettled, .sceneChanged, .bracketHeld,
      .notSet(_, .busy, written: _):
      .tryAgain
    case .stalled, .rowLength, .system, .notSet, .notReadable, .notRestored: .inputOutput
    case .valueOutOfRange, .exposureOutOfRange, .bracketTooLong, .cardUnreadable, .notFocused,
      .gainsOutOfRange, .frame, .testPattern:
      .badData
    case .bracketEnded(after: _, of: _, because: let error): error.exitCode
    case .superseded, .cancelled: .tryAgain
    }
  }

  /// A sentence that states the problem and, if there is one, a remedy for the user.
  var sentence: String { plainSentence + advice }

  /// The sentence without commands and options.
  var plainSentence: String {
    switch self {
    case .notPermitted(let name, group: _): "you have no permission to use \(name)"
    case .ambiguous(let name, candidates: _): "several cameras are called '\(name)'"
    case .cardUnreadable(let refusals): refusals.sentence
    case .cancelled: "interrupted"
    default: "\(self)" + (remedy.map { "; \($0)" } ?? "")
    }
  }

  /// The end of the sentence, which only helps in a terminal.
  var advice: String {
    switch self {
    case .notPermitted(_, let group):
      "; "
        + (group.map { "its group has: 'sudo usermod -aG \($0) \"$USER\"', then log in again" }
          ?? "ask its owner")
    case .ambiguous(_, let candidates): "; name one of " + candidates.joined(separator: ", ")
    case .cardUnreadable(let refusals): refusals.advice
    default: commands.map { "; \($0)" } ?? ""
    }
  }

  /// Advice for a camera that the profile does not describe.
  static let adviceWithoutProfile =
    "'wbcal gray' makes the card neutral without a profile, as far as the controls allow, and "
    + "'wbcal stream --gray' corrects the rest in the pictures"

  /// A remedy that needs no terminal.
  private var remedy: String? {
    switch self {
    case .stalled: "replug it, or close other programs that use its bus"
    case .exposureNotSeen, .exposureNotReached, .sceneChanged: "keep the scene and its light still"
    case .notSettled: "use a light that does not flicker or drift, and keep the scene still"
    default: nil
    }
  }

  private var commands: String? {
    switch self {
    case .notFound: "'wbcal devices' lists those that can be used"
    case .busy: "close it and run the command again"
    case .vanished: "plug it in and run the command again"
    case .rowLength: "request another format or size"
    case .notAnOutputDevice: "'modprobe v4l2loopback' makes a device that accepts pictures"
    case .formatNotAccepted: "request another format or size"
    case .noFormat(_, .some, offered: _): "request one of these, or none"
    case .noUserSet(_, camera: _, sets: []): "'wbcal restore' sets what was set last again"
    case .noWhiteBalance: "apply gains to its pictures instead"
    case .settingNotVisible: Self.adviceWithoutProfile
    case .exposureNotKept: "set it with --duration and --gain"
    case .noControl(.exposureTime, camera: _):
      "'wbcal devices --device' lists its controls"
    case .noLaw(.exposureLines, _): "--bias sets it in stops"
    case .relativeToAutomatic, .exposureNotHeld:
      "put a gray card in front of it and run 'wbcal gray'"
    default: nil
    }
  }
}
