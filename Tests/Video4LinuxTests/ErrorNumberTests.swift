import CameraControl
import Glibc
import Testing

@testable import Video4Linux

struct ErrorNumberTests {
  @Test(arguments: [
    (EACCES, ControlRefusal.automatic), (EILSEQ, .automatic), (EBUSY, .busy),
    (ERANGE, .outOfRange), (EINVAL, .unknown), (ETIMEDOUT, .timedOut),
    (EIO, .failed(number: 5, text: "Input/output error")),
    (EPIPE, .failed(number: 32, text: "Broken pipe")),
    (EREMOTE, .failed(number: 66, text: "Object is remote")),
  ])
  func aWriteThatFailsConcernsOneControl(number: CInt, refusal: ControlRefusal) {
    #expect(ControlRefusal(number: number) == refusal)
  }

  @Test func whatCannotBeReadIsNotAutomatic() {
    #expect(ControlRefusal(number: EACCES, isRead: true) == .notAllowed)
  }

  @Test(arguments: [ENODEV, ENXIO, ESHUTDOWN])
  func aCameraThatIsGoneIsGoneForEverything(number: CInt) {
    #expect(ControlRefusal(number: number) == nil)
    #expect(CameraError(call: "x", number: number, camera: "cam") == .vanished(camera: "cam"))
  }

  @Test func otherFailuresKeepTheirNumber() {
    #expect(CameraError(call: "x", number: EBUSY, camera: "cam") == .busy(camera: "cam"))
    #expect(
      CameraError(call: "x", number: ENOSPC, camera: "cam")
        == .system(call: "x", number: 28, text: "No space left on device"))
  }
}
