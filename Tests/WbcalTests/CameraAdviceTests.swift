import CameraControl
import CameraProfiles
import Testing
import WhiteBalance

@testable import wbcal

/// Messages about a camera's errors: the fact, and a remedy for the user.
struct CameraAdviceTests {
  @Test(arguments: [
    (
      CameraError.notPermitted("/dev/video0", group: "video"),
      "you have no permission to use /dev/video0; its group has: 'sudo usermod -aG video "
        + "\"$USER\"', then log in again"
    ),
    (
      .notPermitted("/dev/video0", group: nil),
      "you have no permission to use /dev/video0; ask its owner"
    ),
    (.busy(camera: "C"), "another program is using C; close it and run the command again"),
    (.vanished(camera: "C"), "C went away; plug it in and run the command again"),
    (
      .stalled(camera: "C", seconds: 3),
      "C has sent no picture for 3.0 s; replug it, or close other programs that use its bus"
    ),
    (
      .notFound("C"), "there is no camera 'C'; 'wbcal devices' lists those that can be used"
    ),
    (
      .ambiguous("C", candidates: ["a", "b"]),
      "several cameras are called 'C'; name one of a, b"
    ),
    (
      .noFormat(camera: "C", asked: "MJPG", offered: ["YUYV"]),
      "C does not deliver MJPG, only YUYV; request one of these, or none"
    ),
    (
      .noFormat(camera: "C", asked: nil, offered: ["MJPG"]),
      "C does not deliver a supported format, only MJPG"
    ),
    (
      .notAnOutputDevice("/dev/video0", reason: "it is a camera"),
      "/dev/video0 does not accept pictures: it is a camera; 'modprobe v4l2loopback' makes a device "
        + "that accepts pictures"
    ),
    (
      .formatNotAccepted(
        "/dev/video9", requested: "NV12 of 4×2 pixels", accepted: "RGB3 of 4×2 pixels"),
      "/dev/video9 does not accept NV12 of 4×2 pixels, only RGB3 of 4×2 pixels; request "
        + "another format or size"
    ),
    (
      .notSettled(frames: 90, drift: 0.002, swing: 0.021),
      "the picture still changes after 90 frames: its color swings by 2.1 %; use a light that does "
        + "not flicker or drift, and keep the scene still"
    ),
    (
      .notSettled(frames: 90, drift: 0.02, swing: 0.01),
      "the picture still changes after 90 frames: its color drifts by 2.0 % in 90 frames; use a "
        + "light that does not flicker or drift, and keep the scene still"
    ),
    (
      .sceneChanged(by: 0.034),
      "the scene or its light changed color by 3.4 % while it was measured; keep the scene and its "
        + "light still"
    ),
    (
      .automaticReturned(frames: 20),
      "the camera chooses its white balance again within 20 frames after its automatic mode was "
        + "turned off, and its controls do not show this; it cannot be locked"
    ),
    (
      .notFocused(.bestAtEnd(position: 0)),
      "the lens was not focused: the picture is sharpest at the nearest focus position"
    ),
    (
      .noFocusMode(.automatic, camera: "C", modes: [.locked]),
      "C has no focus mode automatic, only locked"
    ),
    (
      .relativeToAutomatic(camera: "C"),
      "the gains of C start from where its automatic mode stopped, so known gains cannot be set; put "
        + "a gray card in front of it and run 'wbcal gray'"
    ),
    (
      .exposureNotHeld(camera: "C"),
      "C keeps choosing its exposure although automatic exposure is off, so its pictures do not show "
        + "the effect of its controls; put a gray card in front of it and run 'wbcal gray'"
    ),
    (
      .notRestored([.redBalance, .exposureTime], because: .vanished(camera: "C")),
      "could not restore red_balance, exposure_time_absolute: C went away"
    ),
    (.cancelled, "interrupted"),
  ])
  func words(error: CameraError, sentence: String) {
    #expect(Failure(error).message == sentence)
  }
}
