import Foundation
import Testing

/// What `make install` lays down, and that `make uninstall` takes it away.
struct InstallTests {
  private func make(_ goal: String, into folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // The program is built.
    process.arguments = [
      "make", "-s", "-o", "build", "-C", Workbench.repository.path, goal, "DESTDIR=\(folder.path)",
      "PREFIX=/opt/color", "WBCAL=\(Workbench.tool.path)",
    ]
    // Whoever runs the tests may be make too.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MAKE") }
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func aStagedSystem() throws {
    let bench = try Workbench()
    try make("install", into: bench.folder)
    let unit = try bench.read("usr/lib/systemd/system/wbcal-restore@.service")
    #expect(
      unit.contains("\nExecStart=/opt/color/bin/wbcal restore --device /dev/%I --wait 5\n"))
    #expect(!unit.contains("@PREFIX@"))
    let rules = try bench.read("usr/lib/udev/rules.d/90-wbcal.rules")
    #expect(rules.contains(#"ENV{SYSTEMD_WANTS}+="wbcal-restore@%k.service""#))
    let installed = bench.folder.appending(path: "opt/color/bin/wbcal").path
    #expect(FileManager.default.isExecutableFile(atPath: installed))
    let completion = try bench.read("opt/color/share/bash-completion/completions/wbcal")
    #expect(completion.contains("restore"))
    // A camera that was never set ends the unit's command with a code that it expects.
    #expect(unit.contains("\nSuccessExitStatus=66\n"))
    try make("uninstall", into: bench.folder)
    let left = FileManager.default.enumerator(atPath: bench.folder.path)?.compactMap { name in
      (name as? String).flatMap { path in
        var isFolder: ObjCBool = false
        let full = bench.folder.appending(path: path).path
        let exists = unsafe FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
        return exists && !isFolder.boolValue ? path : nil
      }
    }
    #expect(left == [])
  }

  /// systemd's own check of the unit, where it is there: names and values that it does not know.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
  func systemdTakesTheUnit() throws {
    let bench = try Workbench()
    let unit = try String(
      contentsOf: Workbench.repository.appending(path: "Resources/wbcal-restore@.service"),
      encoding: .utf8
    ).replacing("@PREFIX@/bin/wbcal", with: "/bin/true")
    func complaints(of unit: String) throws -> String {
      try bench.write("wbcal-restore@video0.service", unit)
      let outcome = try bench.run(
        shell: "systemd-analyze verify \"$PWD/wbcal-restore@video0.service\"")
      return outcome.output + outcome.errors
    }
    #expect(try complaints(of: unit) == "")
    let misspelt = unit.replacing("ProtectHome=", with: "ProtectHouse=")
    #expect(try complaints(of: misspelt).contains("ProtectHouse"))
  }
}
