public import WhiteBalance

/// Why a camera did not do what it was asked.
public indirect enum CameraError: Error, Hashable, Sendable {
  /// The camera is no longer there.
  case vanished(camera: String)
  /// The camera has no such control.
  case noControl(ControlID, camera: String)
  /// A value is outside a control's range, or between two of its steps.
  case valueOutOfRange(ControlValue, allowed: ClosedRange<Int>, step: Int)
  /// A control reports another value than it was set to.
  case notHeld(ControlValue, reported: Int)
  /// The picture does not show what was set within the frames that were waited for.
  case notSeen(expected: Gains, seen: Gains, frames: Int)
  /// The picture kept changing.
  case notSettled(frames: Int)
  /// The region has no usable pixel, so that nothing can be seen.
  case nothingToSee([GrayCardEstimate.Refusal])
  /// A control has no effect on the picture that a law could describe.
  case noLaw(ControlID, reason: String)
  /// The gains cannot be reached with the camera's controls.
  case gainsOutOfRange(GainRangeError)
  /// The description of a frame is wrong.
  case frame(FrameError)
  /// The task was cancelled.
  case cancelled
}

extension CameraError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .vanished(let camera): "\(camera) went away; plug it in and run the command again"
    case .noControl(let id, let camera): "\(camera) has no control \(id.rawValue)"
    case .valueOutOfRange(let value, let allowed, let step):
      "\(value.id.rawValue) \(value.value) is not one of \(allowed.lowerBound)…\(allowed.upperBound) in "
        + "steps of \(step)"
    case .notHeld(let value, let reported):
      "\(value.id.rawValue) was set to \(value.value), but the camera reports \(reported); another "
        + "program may be changing it"
    case .notSeen(let expected, let seen, let frames):
      "the camera took the setting, but after \(frames) frames the picture does not show it: red and "
        + "blue should have changed by \(shortNumber(expected.red)) and \(shortNumber(expected.blue)), "
        + "and changed by \(shortNumber(seen.red)) and \(shortNumber(seen.blue)); keep the scene still, or "
        + "calibrate again"
    case .notSettled(let frames):
      "the picture still changes after \(frames) frames; keep the scene and its light still"
    case .nothingToSee(let refusals): refusals.sentence
    case .noLaw(let id, let reason): "\(id.rawValue) cannot be used: \(reason)"
    case .gainsOutOfRange(let error): "the camera cannot do this: \(error)"
    case .frame(let error): "\(error)"
    case .cancelled: "interrupted"
    }
  }
}
