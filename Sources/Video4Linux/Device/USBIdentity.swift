/// The name that udev gives a USB camera under `/dev/v4l/by-id`, from sysfs alone, so that it is
/// the same on a system without udev.
///
/// Source: systemd 252, `udev-builtin-usb_id.c` and `60-persistent-v4l.rules`.
enum USBIdentity {
  /// Returns the name of a node; `nil` if the camera has no serial number that udev would accept,
  /// because the name would then be that of every camera of its model.
  static func name(index: Int, attribute: (String) -> String?) -> String? {
    // Windows' rule for serial numbers, which udev follows.
    guard let serial = attribute("serial"), !serial.isEmpty,
      serial.utf8.allSatisfy({ (0x20...0x7F).contains($0) && $0 != UInt8(ascii: ",") }),
      let vendor = attribute("manufacturer") ?? attribute("idVendor"),
      let model = attribute("product") ?? attribute("idProduct")
    else { return nil }
    let parts = [vendor, model, serial].map(encoded)
    // A serial number of blanks counts as none.
    guard !parts[2].isEmpty else { return nil }
    return "usb-" + parts.joined(separator: "_") + "-video-index\(index)"
  }

  /// Returns a text as part of a device's name: each run of blanks becomes one underscore, and so
  /// does each character that is not allowed in names.
  static func encoded(_ text: String) -> String {
    func isForNames(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "#+-.:=@_".unicodeScalars.contains(scalar)
    }
    let words = text.unicodeScalars.split { $0 == " " || (9...13).contains($0.value) }
    return words.map { word in
      String(String.UnicodeScalarView(word.map { isForNames($0) ? $0 : "_" }))
    }.joined(separator: "_")
  }
}
