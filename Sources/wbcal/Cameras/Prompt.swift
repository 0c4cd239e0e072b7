import CameraControl
import Foundation

/// Questions to the person at the terminal.
enum Prompt {
  /// Asks for something to be done, and waits for Return.
  static func ask(_ text: String) async throws {
    guard isatty(0) == 1 else {
      throw Failure(
        message:
          "nobody is at the terminal to change the light; name a command with --change-light, "
          + "or give one --light", code: .usage)
    }
    Progress.shared.show(nil)
    remark(text)
    // A read that waits could not be interrupted.
    while true {
      if Task.isCancelled { throw CameraError.cancelled }
      var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&ready, 1, 100) > 0 { break }
    }
    guard readLine() != nil else {
      throw Failure(message: "the answer ended before Return", code: .usage)
    }
  }
}
