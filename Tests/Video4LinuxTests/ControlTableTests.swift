import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc
import Testing

@testable import Video4Linux

struct ControlTableTests {
  private func table(_ controls: [ScriptedDriver.Control]) throws -> ControlTable {
    try ControlTable(ScriptedDriver { $0.controls = controls }, camera: "cam")
  }

  @Test func namesGoWithNumbers() {
    #expect(ControlID(number: 0x0098_090C) == .autoWhiteBalance)
    #expect(ControlID(number: 0x0098_090E) == .redBalance)
    #expect(ControlID(number: 0x0098_090F) == .blueBalance)
    #expect(ControlID(number: 0x0098_091A) == .whiteBalanceTemperature)
    #expect(ControlID(number: 0x009A_0901) == .exposureMode)
    #expect(ControlID(number: 0x009A_0902) == .exposureTime)
    #expect(ControlID(number: 0x009A_0914) == .whiteBalancePreset)
    #expect(ControlID(number: 0x009A_090A) == .focusPosition)
    #expect(ControlID(number: 0x009A_090C) == .autoFocus)
    #expect(ControlID(number: 0x009A_091C) == .autoFocusOnce)
    #expect(ControlID(number: 0x009A_091D) == .autoFocusStop)
    #expect(ControlID(number: 0x009A_091E) == .autoFocusStatus)
    #expect(ControlID(number: 0x009A_091F) == .autoFocusRange)
    #expect(ControlID(number: 0x0098_19C0).rawValue == "0x009819c0")
    #expect(Set(ControlID.numbers.map(\.id)).count == ControlID.numbers.count)
    #expect(Set(ControlID.numbers.map(\.number)).count == ControlID.numbers.count)
  }

  @Test func aWebcamsControls() throws {
    let controls = try table(ScriptedDriver.webcam).controls
    #expect(
      controls.map(\.description.id) == [
        .brightness, .autoWhiteBalance, .redBalance, .blueBalance, .exposureMode, .exposureTime,
      ])
    #expect(
      controls[2].description
        == ControlDescription(id: .redBalance, minimum: 0, maximum: 1023, defaultValue: 256))
    #expect(controls[1].description.kind == .boolean)
    #expect(controls[2].flags == .inactive)
  }

  @Test func menusHaveGaps() throws {
    let mode = try #require(try table(ScriptedDriver.webcam)[.exposureMode])
    #expect(
      mode.description.items == [
        .init(value: 1, name: "Manual Mode"), .init(value: 3, name: "Aperture Priority Mode"),
      ])
    #expect(!mode.description.isValid(2))
  }

  @Test func whatTurnsAnAutomaticOffAndOn() throws {
    let webcam = try table(ScriptedDriver.webcam)
    #expect(webcam[.autoWhiteBalance]?.description.automatic == .init(off: 0, on: 1))
    #expect(webcam[.exposureMode]?.description.automatic == .init(off: 1, on: 3))
    #expect(
      webcam[.exposureMode]?.turnsAutomaticOff(Int(V4L2_EXPOSURE_SHUTTER_PRIORITY.rawValue)) == true
    )
    #expect(webcam[.redBalance]?.description.automatic == nil)
    let names: [UInt32: String] = [
      0: "indoor", 1: "outdoor", 2: "fluorescent", 3: "manual", 4: "auto",
    ]
    let odd = try table([
      .init(
        number: V4L2_CID_AUTO_WHITE_BALANCE.bits, type: V4L2_CTRL_TYPE_MENU, maximum: 4,
        menu: names),
      .init(
        number: V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE.bits, type: V4L2_CTRL_TYPE_MENU, minimum: 1,
        maximum: 4, initial: 1, menu: [1: "Auto", 2: "Incandescent", 4: "Daylight"]),
    ])
    #expect(odd[.autoWhiteBalance]?.description.automatic == .init(off: 3, on: 4))
    // A menu without a manual item cannot be turned off.
    #expect(odd[.whiteBalancePreset]?.description.automatic == .init(off: nil, on: 1))
  }

  @Test func numbersInAMenuAreItsNames() throws {
    let table = try table([
      .init(
        number: V4L2_CID_ISO_SENSITIVITY.bits, type: V4L2_CTRL_TYPE_INTEGER_MENU, maximum: 1,
        menu: [0: "100000", 1: "200000"])
    ])
    #expect(table.controls[0].description.items.map(\.name) == ["100000", "200000"])
  }

  @Test func limitsThatDoNotHoldTogetherAreMadeTo() throws {
    let table = try table([
      .init(number: V4L2_CID_GAIN.bits, minimum: 0, maximum: 33, step: 0, initial: 999),
      .init(number: V4L2_CID_GAMMA.bits, minimum: 5, maximum: 2, initial: 3),
      .init(
        number: 0x0098_F900, type: V4L2_CTRL_TYPE_BITMASK, maximum: 0xFFFF_FFFF, step: 0,
        initial: 0x8000_0000),
    ])
    #expect(
      table[.gain]?.description
        == ControlDescription(id: .gain, minimum: 0, maximum: 33, defaultValue: 33))
    #expect(
      table[.gamma]?.description
        == ControlDescription(id: .gamma, minimum: 5, maximum: 5, defaultValue: 5))
    let mask = try #require(table[0x0098_F900])
    #expect(mask.description.maximum == 0xFFFF_FFFF)
    #expect(mask.value(-1) == 0xFFFF_FFFF)
  }

  @Test func defaultsThatCannotBeSetAreMoved() throws {
    let table = try table([
      .init(number: V4L2_CID_GAIN.bits, minimum: 3, maximum: 33, step: 5, initial: 17),
      .init(
        number: V4L2_CID_POWER_LINE_FREQUENCY.bits, type: V4L2_CTRL_TYPE_MENU, maximum: 3,
        initial: 0, menu: [1: "50 Hz", 2: "60 Hz"]),
    ])
    #expect(table[.gain]?.description.defaultValue == 13)
    #expect(table[.powerLineFrequency]?.description.defaultValue == 1)
  }

  @Test func whatIsNoSingleNumberIsLeftOut() throws {
    let table = try table([
      .init(number: V4L2_CID_USER_CLASS.bits, type: V4L2_CTRL_TYPE_CTRL_CLASS),
      .init(number: V4L2_CID_GAIN.bits, flags: V4L2_CTRL_FLAG_DISABLED),
      .init(number: V4L2_CID_GAMMA.bits, type: V4L2_CTRL_TYPE_INTEGER64),
      .init(
        number: V4L2_CID_NOTIFY_GAINS.bits, flags: V4L2_CTRL_FLAG_HAS_PAYLOAD),
      .init(number: V4L2_CID_DO_WHITE_BALANCE.bits, type: V4L2_CTRL_TYPE_BUTTON, maximum: 0),
    ])
    #expect(table.controls.map(\.description.id) == [.doWhiteBalance])
    #expect(table.controls[0].description.kind == .button)
  }

  @Test func aControlThatFailsHidesNoOthers() throws {
    var controls = ScriptedDriver.webcam
    controls[0].error = EIO
    controls[3].error = EIO
    #expect(
      try table(controls).controls.map(\.description.id) == [
        .autoWhiteBalance, .redBalance, .exposureMode, .exposureTime,
      ])
    controls[3].error = ENODEV
    #expect(throws: CameraError.vanished(camera: "cam")) { try table(controls) }
  }

  /// Such a request takes 5 s to fail.
  @Test func aCameraThatDoesNotAnswerIsNotAskedForLong() throws {
    var controls = ScriptedDriver.webcam
    controls[0].error = ETIMEDOUT
    #expect(try table(controls).controls.count == 5)
    controls[3].error = ETIMEDOUT
    #expect(
      throws: CameraError.system(
        call: "VIDIOC_QUERY_EXT_CTRL", number: 110, text: "Connection timed out")
    ) { try table(controls) }
  }

  @Test func aDeviceWithoutControlsHasNone() throws {
    let driver = ScriptedDriver { $0.errors[CV4L_QUERY_EXT_CTRL] = ENOTTY }
    #expect(try ControlTable(driver, camera: "cam").controls.isEmpty)
  }

  @Test func flagsHaveNames() {
    let bits =
      V4L2_CTRL_FLAG_UPDATE | V4L2_CTRL_FLAG_VOLATILE | V4L2_CTRL_FLAG_INACTIVE
      | V4L2_CTRL_FLAG_SLIDER
    #expect(ControlFlags(driver: bits.bits) == [.updatesOthers, .volatile, .inactive])
    #expect(
      ControlFlags(
        driver: (V4L2_CTRL_FLAG_GRABBED | V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_WRITE_ONLY).bits
      )
        == [.grabbed, .readOnly, .writeOnly])
  }
}
