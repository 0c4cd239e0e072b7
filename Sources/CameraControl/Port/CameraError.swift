public import CameraProfiles
import ColorScience
public import WhiteBalance

/// An error that ends an operation of a camera.
public indirect enum CameraError: Error, Hashable, Sendable {
  /// There is no camera with this name.
  case notFound(String)
  /// Several cameras have this name; `candidates` distinguishes them.
  case ambiguous(String, candidates: [String])
  /// The device with this name delivers no pictures, for the given reason.
  case notACamera(String, reason: String)
  /// The device with this name does not accept pictures, for the given reason.
  case notAnOutputDevice(String, reason: String)
  /// The device does not accept the format `requested`; `accepted` is the one that it accepts, if
  /// known.
  case formatNotAccepted(String, requested: String, accepted: String?)
  /// The user may not use the device; `group` is the group that may.
  case notPermitted(String, group: String?)
  /// Another program uses the camera; `by` is its name, if known.
  case busy(camera: String, by: String? = nil)
  /// The camera is no longer there.
  case vanished(camera: String)
  /// No complete frame came in time; `damaged` is the number of damaged ones, and `reason` states
  /// what was wrong with the last of them.
  case stalled(camera: String, seconds: Double, damaged: Int = 0, reason: String? = nil)
  /// The frames' rows have another length than the driver reports; the numbers are bytes.
  case rowLength(camera: String, reported: Int, actual: Int, frame: Int)
  /// The camera delivers no supported format, or not the one that was asked for.
  case noFormat(camera: String, asked: String?, offered: [String])
  /// The camera delivers a test pattern instead of pictures; `off` ends that, if anything does.
  case testPattern(String, camera: String, off: ControlValue?)
  /// A call of the operating system failed; the number is its `errno`.
  case system(call: String, number: Int, text: String)
  /// The camera does not have this white-balance mode.
  case noMode(WhiteBalanceMode, camera: String, modes: [WhiteBalanceMode])
  /// The camera has no control of its white balance.
  case noWhiteBalance(camera: String)
  /// The camera does not have this exposure mode.
  case noExposureMode(ExposureMode, camera: String, modes: [ExposureMode])
  /// The exposure is outside the camera's range.
  case exposureOutOfRange(ExposureQuantity, Double, allowed: ClosedRange<Double>)
  /// The picture's exposure did not change as expected within `frames` frames; both changes are in
  /// stops. `expected` is `nil` for a control whose law is unknown.
  case exposureNotSeen(expected: Double?, seen: Double, frames: Int)
  /// The exposure settled at another value than requested; both in stops above middle gray.
  case exposureNotReached(stops: Double, seen: Double)
  /// The exposure jumped when automatic exposure was turned off, and the controls could not restore
  /// it; both in stops above middle gray.
  case exposureNotKept(before: Double, after: Double)
  /// The bracket has more pictures than fit in memory.
  case bracketTooLong(Int, most: Int)
  /// Pictures of another bracket are still in use.
  case bracketHeld
  /// The bracket ended after some of its pictures had been delivered.
  case bracketEnded(after: Int, of: Int, because: CameraError)
  /// The camera has no control of its lens.
  case noFocus(camera: String)
  /// The camera does not have this focus mode.
  case noFocusMode(FocusMode, camera: String, modes: [FocusMode])
  /// The lens could not be focused.
  case notFocused(FocusRefusal)
  /// The camera has no such control.
  case noControl(ControlID, camera: String)
  /// The camera has no user set with this name in which it keeps settings without power, only
  /// `sets`.
  case noUserSet(String, camera: String, sets: [String])
  /// The value is outside the control's range, or between two of its steps.
  case valueOutOfRange(ControlValue, allowed: ClosedRange<Int>, step: Int)
  /// The camera refused a value; those in `written` had been set before it.
  case notSet(ControlValue, ControlRefusal, written: [ControlValue])
  /// The camera refused to report a control's value.
  case notReadable(ControlID, ControlRefusal)
  /// A control reports another value than it was set to.
  case settingNotKept(ControlValue, reported: Int)
  /// The picture did not show the setting within `frames` frames.
  case settingNotVisible(expected: Gains, seen: Gains, frames: Int)
  /// The picture did not settle. `drift` and `swing` of its color over the last 90 frames are
  /// relative differences.
  case notSettled(frames: Int, drift: Double = 0, swing: Double = 0)
  /// The scene or its light changed color during the measurement, by a relative difference.
  case sceneChanged(by: Double)
  /// Automatic white balance worked again within `frames` frames after it was turned off, and no
  /// control reports that.
  case automaticReturned(frames: Int)
  /// The controls' effect is relative to where automatic white balance stopped, so known gains
  /// cannot be set.
  case relativeToAutomatic(camera: String)
  /// The camera keeps choosing its exposure although automatic exposure is off, so its pictures do
  /// not show a control's effect on each channel.
  case exposureNotHeld(camera: String)
  /// Settings could not be restored; `because` is the reason for the first of them.
  case notRestored([ControlID], because: CameraError)
  /// The card, or the metered part of the picture, cannot be measured, for these reasons.
  case cardUnreadable([GrayCardEstimate.Refusal])
  /// No law describes the control's effect on the picture.
  case noLaw(ControlID, reason: String)
  /// The gains are out of the controls' range.
  case gainsOutOfRange(GainRangeError)
  /// The description of a frame is invalid.
  case frame(FrameError)
  /// A newer operation that sets the white balance has superseded this one and controls the camera
  /// now.
  case superseded
  /// The task was cancelled.
  case cancelled
}

extension CameraError: CustomStringConvertible {
  /// The error as one clause.
  public var description: String {
    switch self {
    case .notFound(let name): "there is no camera '\(name)'"
    case .ambiguous(let name, let candidates):
      "several cameras are called '\(name)': " + candidates.joined(separator: ", ")
    case .notACamera(let name, let reason): "\(name) is not a camera: \(reason)"
    case .notAnOutputDevice(let name, let reason): "\(name) does not accept pictures: \(reason)"
    case .formatNotAccepted(let name, let requested, let accepted):
      "\(name) does not accept \(requested)" + (accepted.map { ", only \($0)" } ?? "")
    case .notPermitted(let name, let group):
      "no permission to use \(name)"
        + (group.map { ": this user is not in the group \($0)" } ?? "")
    case .busy(let camera, let program): "\(program ?? "another program") is using \(camera)"
    case .stalled(let camera, let seconds, damaged: 0, reason: _):
      "\(camera) has sent no picture for \(fixed(seconds, decimals: 1)) s"
    case .stalled(let camera, let seconds, let damaged, let reason):
      "\(camera) has sent no complete picture for \(fixed(seconds, decimals: 1)) s, only "
        + (damaged == 1 ? "a damaged one" : "\(damaged) damaged ones")
        + (reason.map { " (\($0))" } ?? "")
    case .rowLength(let camera, let reported, let actual, let frame):
      "the driver of \(camera) reports rows of \(reported) bytes, but frames of \(frame) bytes have "
        + "rows of \(actual) bytes"
    case .noFormat(let camera, let asked, let offered):
      "\(camera) does not deliver \(asked ?? "a supported format"), only "
        + offered.joined(separator: ", ")
    case .testPattern(let name, let camera, let off):
      "\(camera) delivers the test pattern '\(name)' instead of pictures"
        + (off.map { "; \($0) turns it off" } ?? ", and has nothing else")
    case .system(let call, _, let text): "\(call) failed: \(text)"
    case .noMode(let mode, let camera, let modes):
      "\(camera) has no white-balance mode \(mode.rawValue), only "
        + modes.map(\.rawValue).joined(separator: ", ")
    case .noWhiteBalance(let camera): "\(camera) has no control of its white balance"
    case .noExposureMode(let mode, let camera, let modes):
      "\(camera) has no exposure mode \(mode.rawValue), only "
        + modes.map(\.rawValue).joined(separator: ", ")
    case .exposureOutOfRange(let quantity, let value, let allowed):
      quantity.refusal(of: value, allowed: allowed)
    case .exposureNotSeen(let expected?, let seen, let frames) where tellsOtherLight:
      "the exposure should have changed by \(shortNumber(expected)) stops, but after \(frames) "
        + "frames it has changed by \(shortNumber(seen)) stops; the setting has another effect, or "
        + "the pictures do not follow the tone curve that the camera reports"
    case .exposureNotSeen(let expected, _, let frames):
      "the picture does not show it: the exposure should have "
        + (expected.map {
          "\($0 < 0 ? "decreased" : "increased") by \(shortNumber(abs($0))) stops"
        } ?? "changed")
        + ", but stayed the same for \(frames) frames; the camera ignores the setting, or its "
        + "pictures are frozen"
    case .exposureNotReached(let stops, let seen):
      "the exposure settled at \(shortNumber(seen)) stops above middle gray instead of "
        + "\(shortNumber(stops))"
    case .exposureNotKept(let before, let after):
      "when automatic exposure was turned off, the exposure changed from \(shortNumber(before)) to "
        + "\(shortNumber(after)) stops above middle gray, and the controls could not restore it"
    case .bracketTooLong(let count, let most):
      "a bracket of \(count) pictures is too long; memory allows \(most)"
    case .bracketHeld: "pictures of another bracket are still in use"
    case .bracketEnded(let count, let all, let error):
      "the bracket ended after \(count) of \(all) pictures: \(error)"
    case .noFocus(let camera): "\(camera) has no control of its lens"
    case .noFocusMode(let mode, let camera, let modes):
      "\(camera) has no focus mode \(mode.rawValue), only "
        + modes.map(\.rawValue).joined(separator: ", ")
    case .notFocused(let refusal): "the lens was not focused: \(refusal)"
    case .vanished(let camera): "\(camera) went away"
    case .noControl(let id, let camera): "\(camera) has no control \(id.rawValue)"
    case .noUserSet(_, let camera, sets: []):
      "\(camera) has no user sets, in which a camera keeps settings without power"
    case .noUserSet(let name, let camera, let sets):
      "\(camera) cannot save settings in \(name), only in \(sets.joined(separator: ", "))"
    case .valueOutOfRange(let value, let allowed, let step):
      "\(value.id.rawValue) \(value.value) is not one of \(allowed.lowerBound)…\(allowed.upperBound) in "
        + "steps of \(step)"
    case .notSet(let value, let refusal, let written):
      "\(value.id.rawValue) could not be set to \(value.value): \(refusal)"
        + (written.isEmpty
          ? ""
          : "; set before it: "
            + written.map { "\($0.id.rawValue) \($0.value)" }.joined(separator: ", "))
    case .notReadable(let id, let refusal): "\(id.rawValue) could not be read: \(refusal)"
    case .settingNotKept(let value, let reported):
      "\(value.id.rawValue) was set to \(value.value), but the camera reports \(reported); another "
        + "program may be changing it, or the camera rounds or ignores it"
    case .settingNotVisible(let expected, let seen, let frames):
      "the camera accepted the setting, but after \(frames) frames the picture does not show it: red "
        + "and blue should have changed by factors of \(shortNumber(expected.red)) and "
        + "\(shortNumber(expected.blue)), but changed by \(shortNumber(seen.red)) and "
        + "\(shortNumber(seen.blue))"
    case .notSettled(let frames, let drift, let swing):
      "the picture still changes after \(frames) frames"
        + (max(drift, swing) == 0
          ? ""
          : drift > swing
            ? ": its color drifts by \(fixed(100 * drift, decimals: 1)) % in 90 frames"
            : ": its color swings by \(fixed(100 * swing, decimals: 1)) %")
    case .sceneChanged(let change):
      "the scene or its light changed color by \(fixed(100 * change, decimals: 1)) % while it was "
        + "measured"
    case .automaticReturned(let frames):
      "the camera chooses its white balance again within \(frames) frames after its automatic mode "
        + "was turned off, and its controls do not show this; it cannot be locked"
    case .relativeToAutomatic(let camera):
      "the gains of \(camera) start from where its automatic mode stopped, so known gains cannot be "
        + "set"
    case .exposureNotHeld(let camera):
      "\(camera) keeps choosing its exposure although automatic exposure is off, so its pictures do "
        + "not show the effect of its controls"
    case .notRestored(let controls, let reason):
      "could not restore \(controls.map(\.rawValue).joined(separator: ", ")): \(reason)"
    case .cardUnreadable(let refusals): refusals.sentence
    case .noLaw(let id, let reason): "\(id.rawValue) cannot be used: \(reason)"
    case .gainsOutOfRange(let error): "the gains are out of the camera's range: \(error)"
    case .frame(let error): "\(error)"
    case .superseded: "a newer white-balance operation has superseded this one"
    case .cancelled: "the task was cancelled"
    }
  }

  /// Indicates whether the exposure changed, but by another amount than its laws predict.
  package var tellsOtherLight: Bool {
    switch self {
    case .exposureNotSeen(let expected?, let seen, frames: _): abs(seen) >= 0.05 * abs(expected)
    case .bracketEnded(after: _, of: _, because: let error): error.tellsOtherLight
    default: false
    }
  }
}
