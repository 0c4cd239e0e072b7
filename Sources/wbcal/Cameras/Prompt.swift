import CameraControl
import Dispatch
import WbcalFoundation
import WbcalSystem

/// Questions to the user at the terminal.
enum Prompt {
  /// Asks the user to do something, and waits for Return.
  static func ask(_ text: String) async throws {
    let input = Surroundings.current.input
    guard isatty(input) == 1 else {
      throw Failure.usage(
        "there is no terminal on which to ask for the lamps; give a command with --change-light, "
          + "or a single --light")
    }
    Progress.shared.show(nil)
    // The terminal is opened again, so that reading never waits: Ctrl-C discards what has been
    // typed, even between `poll` and `read`. The existing descriptor is shared with the shell.
    let terminal =
      unsafe ttyname(input).map {
        unsafe open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      } ?? -1
    guard terminal >= 0 else { throw Failure("read", "the terminal", errno: errno) }
    defer { close(terminal) }
    // Input from before the question does not answer it.
    tcflush(terminal, TCIFLUSH)
    // After the program was stopped, the question may have left the screen.
    let resumption = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
    resumption.setEventHandler { remark(text) }
    await withCheckedContinuation { watched in
      resumption.setRegistrationHandler { watched.resume() }
      resumption.resume()
    }
    defer { resumption.cancel() }
    remark(text)
    while true {
      if Task.isCancelled { throw CameraError.cancelled }
      var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&ready, 1, 100) <= 0 { continue }
      var answer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(terminal, &answer, answer.count)
      if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
      if count <= 0 {
        throw Failure.usage(
          "the terminal's input ended before Return; run the command again, and press "
            + "Return when the light is on the card")
      }
      if answer[..<count].contains(UInt8(ascii: "\n")) { return }
    }
  }
}
