import CameraProfiles

extension CameraIdentity {
  /// The serial number in the identifier of a USB camera or a machine-vision camera; `nil` if there
  /// is none, or if it cannot be distinguished from the other parts of the identifier, in which an
  /// underscore may stand for another character.
  var serialNumber: String? {
    if id.hasPrefix("genicam:") {
      // Maker, model, and the serial number, or else the address.
      let parts = id.dropFirst("genicam:".count).split(separator: "-")
      guard parts.count == 3, let last = parts.last else { return nil }
      let numbers = last.split(separator: ".")
      let isAddress = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
      return isAddress ? nil : Self.exact(last)
    }
    // Vendor, model and serial number, in which blanks are underscores, too; drivers give cameras
    // the name of the model.
    let model = "_\(name.replacing(" ", with: "_"))_"
    guard id.hasPrefix("usb-"), let start = id.firstRange(of: model),
      let end = id.firstRange(of: "-video-index"), start.upperBound < end.lowerBound
    else { return nil }
    return Self.exact(id[start.upperBound..<end.lowerBound])
  }

  private static func exact(_ text: Substring) -> String? {
    text.isEmpty || text.contains("_") ? nil : String(text)
  }
}
