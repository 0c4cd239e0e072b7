#if GenICam
import CWbcalAravis
import CameraControl
import CameraProfiles
import Synchronization

/// The cameras that the library finds in the network and at USB.
enum CameraDirectory {
  /// A camera that answered.
  struct Entry {
    /// The library's name for it.
    let device: String
    let serial: String
    let camera: ConnectedCamera
  }

  /// The library has one list of devices for the whole program.
  private static let turn = Mutex(())

  /// Asks for cameras, which takes about a second.
  static func entries() -> [Entry] {
    turn.withLock { _ in
      arv_update_device_list()
      return (0..<arv_get_n_devices()).compactMap { index in
        guard let device = unsafe text(arv_get_device_id(index)) else { return nil }
        let maker = unsafe text(arv_get_device_vendor(index)) ?? ""
        let model = unsafe text(arv_get_device_model(index)) ?? ""
        let serial = unsafe text(arv_get_device_serial_nbr(index)) ?? ""
        let address = unsafe text(arv_get_device_address(index)) ?? device
        let bus = unsafe text(arv_get_device_protocol(index)) ?? ""
        return bus == "Fake"
          ? nil
          : Entry(
            device: device, serial: serial,
            camera: ConnectedCamera(
              identity: identity(
                bus: bus, maker: maker, model: model, serial: serial, address: address),
              path: address, bus: bus, problem: nil))
      }
    }
  }

  /// Returns the identity of a camera: maker, model and serial number or, without a serial number,
  /// its address.
  static func identity(
    bus: String, maker: String, model: String, serial: String, address: String
  ) -> CameraIdentity {
    let own = serial.allSatisfy(\.isWhitespace) ? address : serial
    return CameraIdentity(
      driver: bus, name: [maker, model].filter { !$0.isEmpty }.joined(separator: " "),
      id: "genicam:"
        + [maker, model, own].map(encoded).filter { !$0.isEmpty }.joined(separator: "-"))
  }

  /// Returns a text with an underscore for each character that may be special in a shell.
  private static func encoded(_ text: String) -> String {
    String(text.map { $0.isLetter || $0.isNumber || "._+".contains($0) ? $0 : "_" })
  }

  /// Returns the camera with a serial number, an identity, the library's name or an address.
  static func entry(named name: String) throws(CameraError) -> Entry {
    try entry(named: name, among: entries())
  }

  static func entry(named name: String, among all: [Entry]) throws(CameraError) -> Entry {
    let known: [(Entry) -> String] = [
      \.serial, { String($0.camera.identity.id.dropFirst("genicam:".count)) }, \.device,
      \.camera.path,
    ]
    for property in known {
      let found = all.filter { property($0) == name }
      if found.count > 1 {
        throw .ambiguous(name, candidates: found.map { distinctName(of: $0, among: found) })
      }
      if let entry = found.first { return entry }
    }
    throw .notFound(name)
  }

  /// Returns the identity of a camera, or its address if others have the same identity.
  private static func distinctName(of entry: Entry, among all: [Entry]) -> String {
    let id = entry.camera.identity.id
    let isDistinct = all.filter { $0.camera.identity.id == id }.count == 1
    return isDistinct ? id : "genicam:\(entry.camera.path)"
  }

  /// Indicates whether a name is an IPv4 address. A camera can be opened by its address even if it
  /// does not answer the broadcast that looks for cameras.
  static func isAddress(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func text(_ characters: UnsafePointer<CChar>?) -> String? {
    unsafe characters.map { unsafe String(cString: $0) }
  }
}
#endif
