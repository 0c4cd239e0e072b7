import Testing

@testable import Video4Linux

/// Expects the names that udev of systemd 252 gives.
struct USBIdentityTests {
  private func name(_ attributes: [String: String], index: Int = 0) -> String? {
    USBIdentity.name(index: index) { attributes[$0] }
  }

  @Test func aCameraWithASerialNumber() {
    let camera = [
      "manufacturer": "Camera Lab", "product": "Lab Camera", "serial": "SN 123",
      "idVendor": "1d6b", "idProduct": "0102",
    ]
    #expect(name(camera) == "usb-Camera_Lab_Lab_Camera_SN_123-video-index0")
    #expect(name(camera, index: 2) == "usb-Camera_Lab_Lab_Camera_SN_123-video-index2")
  }

  @Test func numbersStandInForMissingNames() {
    #expect(
      name(["idVendor": "046d", "idProduct": "082d", "serial": "A1B2C3"])
        == "usb-046d_082d_A1B2C3-video-index0")
  }

  @Test(arguments: ["", "   ", "SN 12,3", "a\u{1}b", "täst"])
  func aSerialNumberThatIsNone(serial: String) {
    #expect(name(["idVendor": "046d", "idProduct": "082d", "serial": serial]) == nil)
  }

  @Test(arguments: [
    ("HD Pro Webcam C920", "HD_Pro_Webcam_C920"), ("  Two   blanks\t", "Two_blanks"),
    ("Logitech, Inc. (R)", "Logitech__Inc.__R_"), ("a#b+c-d.e:f=g@h_i", "a#b+c-d.e:f=g@h_i"),
    ("Kamera für 10/8", "Kamera_für_10_8"),
  ])
  func textsBecomeNames(text: String, expected: String) {
    #expect(USBIdentity.encoded(text) == expected)
  }
}
