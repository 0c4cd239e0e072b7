/// The name that udev gives a USB camera under `/dev/v4l/by-id`, from sysfs alone: it is the same
/// where no udev runs.
///
/// Source: systemd 252, `udev-builtin-usb_id.c` and `60-persistent-v4l.rules`.
enum USBIdentity {
  /// The name of a node; `nil` where the camera has no serial number that udev would take, so that
  /// its name would be that of every camera of its kind.
  static func name(index: Int, attribute: (String) -> String?) -> String? {
    // Windows' rule for serial numbers, which udev follows.
    guard let serial = attribute("serial"), !serial.isEmpty,
      serial.utf8.allSatisfy({ (0x20...0x7F).contains($0) && $0 != UInt8(ascii: ",") }),
      let vendor = attribute("manufacturer") ?? attribute("idVendor"),
      let model = attribute("product") ?? attribute("idProduct")
    else { return nil }
    let parts = [vendor, model, serial].map(encoded)
    // A serial number of blanks is none.
    guard !parts[2].isEmpty else { return nil }
    return "usb-" + parts.joined(separator: "_") + "-video-index\(index)"
  }

  /// A text as part of a device's name: runs of blanks become one underscore, and so does each
  /// character that is not for names.
  static func encoded(_ text: String) -> String {
    let words = text.unicodeScalars.split { $0 == " " || (9...13).contains($0.value) }
    let allowed = "#+-.:=@_".unicodeScalars
    var name = String.UnicodeScalarView()
    for (index, word) in words.enumerated() {
      if index > 0 { name.append("_") }
      for scalar in word {
        let isName =
          !scalar.isASCII || allowed.contains(scalar) || scalar.properties.isAlphabetic
          || ("0"..."9").contains(scalar)
        name.append(isName ? scalar : "_")
      }
    }
    return String(name)
  }
}
