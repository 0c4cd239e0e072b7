import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc
import Synchronization
import Testing

@testable import Video4Linux

private let automatic = Int(V4L2_CID_AUTO_WHITE_BALANCE)
private let red = Int(V4L2_CID_RED_BALANCE)
private let blue = Int(V4L2_CID_BLUE_BALANCE)
private let exposureMode = Int(V4L2_CID_EXPOSURE_AUTO)
private let exposureTime = Int(V4L2_CID_EXPOSURE_ABSOLUTE)

struct ControlAccessTests {
  private func webcam(_ change: (inout ScriptedDriver.State) -> Void = { _ in }) -> ScriptedDriver {
    ScriptedDriver {
      $0.controls = ScriptedDriver.webcam
      change(&$0)
    }
  }

  @Test func automaticsGoOffFirstAndTheBalancesTogether() throws {
    let driver = webcam()
    try driver.access().set([
      ControlValue(.redBalance, 300), ControlValue(.exposureTime, 100),
      ControlValue(.blueBalance, 200), ControlValue(.exposureMode, 1),
      ControlValue(.autoWhiteBalance, 0),
    ])
    #expect(driver.written == [[exposureMode, automatic], [red, exposureTime, blue]])
  }

  @Test func automaticsGoOnLast() throws {
    let driver = webcam()
    try driver.access().set([
      ControlValue(.autoWhiteBalance, 1), ControlValue(.redBalance, 300),
      ControlValue(.exposureMode, 1),
    ])
    #expect(driver.written == [[exposureMode], [red], [automatic]])
  }

  @Test func aClusterIsOneTransaction() throws {
    let driver = webcam { $0.controls[1].flags = V4L2_CTRL_FLAG_UPDATE }
    try driver.access().set([
      ControlValue(.redBalance, 300), ControlValue(.blueBalance, 200),
      ControlValue(.autoWhiteBalance, 0),
    ])
    #expect(driver.written == [[automatic, red, blue]])
  }

  @Test func aMenuOfAutomaticsIsOffWhereItIsManual() throws {
    let driver = webcam {
      $0.controls[1].type = V4L2_CTRL_TYPE_MENU
      $0.controls[1].maximum = 4
      $0.controls[1].menu = [0: "Indoor", 1: "Outdoor", 2: "Fluorescent", 3: "Manual", 4: "Auto"]
    }
    try driver.access().set([
      ControlValue(.autoWhiteBalance, 0), ControlValue(.brightness, 1),
      ControlValue(.exposureMode, 1),
    ])
    try driver.access().set([ControlValue(.brightness, 2), ControlValue(.autoWhiteBalance, 3)])
    let brightness = Int(V4L2_CID_BRIGHTNESS)
    #expect(
      driver.written == [
        [exposureMode], [brightness], [automatic], [automatic], [brightness],
      ])
  }

  @Test func nothingIsSetIfOneIsBad() throws {
    let driver = webcam { $0.controls[0].flags = V4L2_CTRL_FLAG_READ_ONLY }
    let access = try driver.access()
    let good = ControlValue(.redBalance, 300)
    #expect(
      throws: CameraError.valueOutOfRange(
        ControlValue(.blueBalance, 1024), allowed: 0...1023, step: 1)
    ) { try access.set([good, ControlValue(.blueBalance, 1024)]) }
    #expect(throws: CameraError.noControl(.gain, camera: "cam")) {
      try access.set([good, ControlValue(.gain, 1)])
    }
    let bright = ControlValue(.brightness, 1)
    #expect(throws: CameraError.notSet(bright, .notAllowed, written: [])) {
      try access.set([good, bright])
    }
    #expect(driver.written.isEmpty)
  }

  @Test func aButtonTakesAnyValueAndReportsNone() throws {
    let driver = ScriptedDriver {
      $0.controls = [
        .init(number: V4L2_CID_DO_WHITE_BALANCE.bits, type: V4L2_CTRL_TYPE_BUTTON, maximum: 0)
      ]
      $0.round = { _, _ in 0 }
    }
    try driver.access().set([ControlValue(.doWhiteBalance, 1)])
    #expect(driver.written == [[Int(V4L2_CID_DO_WHITE_BALANCE)]])
  }

  @Test func whatWasWrittenBeforeAFailureIsTold() throws {
    let driver = webcam {
      $0.refuse = { writes in
        let index = writes.firstIndex { $0.number == V4L2_CID_BLUE_BALANCE.bits }
        return index.map { (ERANGE, $0) } ?? (0, 0)
      }
    }
    let error = CameraError.notSet(
      ControlValue(.blueBalance, 200), .outOfRange,
      written: [ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 300)])
    #expect(throws: error) {
      try driver.access().set([
        ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 300),
        ControlValue(.blueBalance, 200), ControlValue(.brightness, 3),
      ])
    }
  }

  /// An index equal to the count means that nothing of the transaction was written; it does not
  /// show which control failed.
  @Test(arguments: [EACCES, EILSEQ])
  func anAutomaticThatIsOnIsNamedForWhatItGoverns(number: CInt) throws {
    let driver = webcam { $0.refuse = { (number, $0.count) } }
    #expect(
      throws: CameraError.notSet(ControlValue(.redBalance, 300), .automatic, written: [])
    ) {
      try driver.access().set([ControlValue(.redBalance, 300), ControlValue(.exposureTime, 9)])
    }
  }

  @Test func tryingTellsWhoIsToBlame() throws {
    let driver = webcam {
      $0.refuse = { (EACCES, $0.count) }
      $0.tried = 0
    }
    #expect(
      throws: CameraError.notSet(ControlValue(.brightness, 3), .automatic, written: [])
    ) {
      try driver.access().set([ControlValue(.brightness, 3), ControlValue(.redBalance, 300)])
    }
  }

  @Test func aControlThatIsHeldIsBusy() throws {
    let driver = webcam {
      $0.controls[5].flags = V4L2_CTRL_FLAG_GRABBED
      $0.refuse = { (EBUSY, $0.count) }
    }
    #expect(throws: CameraError.notSet(ControlValue(.exposureTime, 9), .busy, written: [])) {
      try driver.access().set([ControlValue(.exposureTime, 9), ControlValue(.redBalance, 300)])
    }
  }

  @Test func aCameraThatGoesAwayVanishes() throws {
    let driver = webcam { $0.refuse = { _ in (ESHUTDOWN, 0) } }
    #expect(throws: CameraError.vanished(camera: "cam")) {
      try driver.access().set([ControlValue(.redBalance, 300)])
    }
    driver.state.withLock { $0.errors[CV4L_G_CTRL] = ENODEV }
    #expect(throws: CameraError.vanished(camera: "cam")) {
      try driver.access().value(of: .redBalance)
    }
  }

  /// uvcvideo rounds with unsigned numbers: 0 may become the largest value.
  @Test func aValueThatTheDriverChangesIsNotHeld() throws {
    let driver = webcam { $0.round = { $0 == V4L2_CID_RED_BALANCE.bits ? 1023 : $1 } }
    #expect(throws: CameraError.settingNotKept(ControlValue(.redBalance, 0), reported: 1023)) {
      try driver.access().set([
        ControlValue(.redBalance, 0), ControlValue(.blueBalance, 7),
        ControlValue(.autoWhiteBalance, 1),
      ])
    }
    #expect(driver.written == [[red, blue], [automatic]])
  }

  @Test func aDriverWithoutTransactionsIsToldOneByOne() throws {
    let driver = webcam { $0.knowsTransactions = false }
    try driver.access().set([
      ControlValue(.redBalance, 300), ControlValue(.blueBalance, 200),
      ControlValue(.autoWhiteBalance, 0),
    ])
    #expect(driver.written == [[automatic], [red], [blue]])
    driver.state.withLock {
      $0.refuse = { $0[0].number == V4L2_CID_BLUE_BALANCE.bits ? (EIO, 0) : (0, 0) }
    }
    #expect(
      throws: CameraError.notSet(
        ControlValue(.blueBalance, 1), .failed(number: 5, text: "Input/output error"),
        written: [ControlValue(.redBalance, 2)])
    ) { try driver.access().set([ControlValue(.redBalance, 2), ControlValue(.blueBalance, 1)]) }
  }

  @Test func aDriverThatMixesNoClassesIsToldClassByClass() throws {
    let driver = webcam { $0.mixesClasses = false }
    try driver.access().set([ControlValue(.exposureTime, 9), ControlValue(.redBalance, 300)])
    #expect(driver.written == [[exposureTime, red], [red], [exposureTime]])
  }

  @Test func readingNamesWhatCannotBeRead() throws {
    let driver = webcam { $0.errors[CV4L_G_CTRL] = EACCES }
    #expect(throws: CameraError.notReadable(.redBalance, .notAllowed)) {
      try driver.access().value(of: .redBalance)
    }
  }

  @Test func flagsAreThoseOfTheMoment() throws {
    let driver = webcam()
    let access = try driver.access()
    #expect(try access.flags(of: .redBalance) == .inactive)
    driver.state.withLock { $0.controls[2].flags = V4L2_CTRL_FLAG_VOLATILE }
    #expect(try access.flags(of: .redBalance) == .volatile)
  }
}
