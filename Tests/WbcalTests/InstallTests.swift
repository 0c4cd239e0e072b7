import Foundation
import Testing

/// The files of `make install`, and their removal by `make uninstall`.
struct InstallTests {
  private func make(_ goal: String, into folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // The program is built already.
    process.arguments = [
      "make", "-s", "-o", "build", "-C", Workbench.repository.path, goal, "DESTDIR=\(folder.path)",
      "PREFIX=/opt/color", "WBCAL=\(Workbench.tool.path)",
    ]
    // The tests may have been started by make.
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
    for (completion, start) in [
      ("bash-completion/completions/wbcal", "# Completion of wbcal for bash."),
      ("zsh/site-functions/_wbcal", "#compdef wbcal\n"),
      ("fish/vendor_completions.d/wbcal.fish", "# Completion of wbcal for fish."),
    ] {
      let script = try bench.read("opt/color/share/" + completion)
      #expect(script.hasPrefix(start) && script.contains(" --complete "))
    }
    // For a camera that was never set, the unit's command ends with a code that the unit expects.
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

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
  func theManual() throws {
    let bench = try Workbench()
    try make("install-program", into: bench.folder)
    let page = try bench.runProcess(
      shell: "groff -ww -man -Tutf8 -P-cbou opt/color/share/man/man1/wbcal.1")
    #expect(page.status == 0 && page.errors == "")
    let titles = page.output.matches(of: /(?m)^[A-Z][A-Z ]+$/).map { String($0.0) }
    #expect(
      titles == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "FILES",
        "ENVIRONMENT", "EXAMPLES",
      ])
    for text in [
      "\n   wbcal profile export\n", "  65     bad data\n", "  WBCAL_STATE\n", "  /var/lib/wbcal\n",
      "wbcal set --device simulated:light=5000K --profile desk.json \\\n",
    ] {
      #expect(page.output.contains(text), "\(text)")
    }
  }

  /// systemd's own check of the unit, if installed: it reports unknown names and values.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
  func systemdTakesTheUnit() throws {
    let bench = try Workbench()
    let unit = try String(
      contentsOf: Workbench.repository.appending(path: "Packaging/wbcal-restore@.service"),
      encoding: .utf8
    ).replacing("@PREFIX@/bin/wbcal", with: "/bin/true")
    func complaints(of unit: String) throws -> String {
      try bench.write("wbcal-restore@video0.service", unit)
      let outcome = try bench.runProcess(
        shell: "systemd-analyze verify --man=no \"$PWD/wbcal-restore@video0.service\"")
      return outcome.output + outcome.errors
    }
    #expect(try complaints(of: unit) == "")
    let misspelt = unit.replacing("ProtectHome=", with: "ProtectHouse=")
    #expect(try complaints(of: misspelt).contains("ProtectHouse"))
  }
}
