#if GenICam
import CWbcalAravis
import CameraControl

/// The sets of settings that a camera keeps without power (SFNC: user sets).
struct UserSets {
  let device: AravisDevice

  /// The node of the set that the camera starts with, by its present name and an older one.
  private static let starts = ["UserSetDefault", "UserSetDefaultSelector"]

  /// The names of the sets in which settings can be saved. The others are the maker's.
  func names() throws(CameraError) -> [String] {
    guard device.kind(of: "UserSetSelector") == .choice,
      device.kind(of: "UserSetSave") == .command, device.kind(of: "UserSetLoad") == .command,
      let start
    else { return [] }
    return try device.required { () throws(AravisError) in
      let possible = try device.choices(of: start)
      return try device.choices(of: "UserSetSelector").filter {
        $0.hasPrefix("UserSet") && possible.contains($0)
      }
    }
  }

  /// Throws `CameraError.noUserSet` if settings cannot be saved in the set with a name.
  func require(_ name: String) throws(CameraError) {
    let names = try names()
    if !names.contains(name) { throw .noUserSet(name, camera: device.name, sets: names) }
  }

  private var start: String? { Self.starts.first { device.kind(of: $0) == .choice } }

  func save(in name: String) throws(CameraError) {
    try attempt("saving in \(name)") { () throws(AravisError) in
      try device.set(name, of: "UserSetSelector")
      try device.execute("UserSetSave")
    }
  }

  func load(_ name: String) throws(CameraError) {
    try attempt("loading \(name)") { () throws(AravisError) in
      try device.set(name, of: "UserSetSelector")
      try device.execute("UserSetLoad")
    }
  }

  /// Makes a set the one that the camera starts with.
  func startCamera(with name: String) throws(CameraError) {
    guard let start else { throw .noUserSet(name, camera: device.name, sets: []) }
    let call = "choosing \(name) for the start of \(device.name)"
    let reported = try attempt(call) { () throws(AravisError) in
      try device.set(name, of: start)
      return try device.text(of: start)
    }
    if reported != name {
      throw .system(call: call, number: 0, text: "the camera reports \(reported)")
    }
  }

  private func attempt<Result>(
    _ call: String, _ body: () throws(AravisError) -> Result
  ) throws(CameraError) -> Result {
    do { return try body() } catch {
      throw device.failure(error) ?? .system(call: call, number: error.number, text: error.text)
    }
  }
}
#endif
