import Foundation
import Testing
import WbcalArguments

@testable import WbcalImageFiles
@testable import wbcal

/// Full disks, read-only folders, and settings of languages and regions.
struct HostileSystemTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// `true` if this system allows a user to mount file systems in a namespace.
  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["-rm", "mount", "-t", "tmpfs", "none", "/tmp"]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Returns a script that runs another one with a disk mounted at `disk`.
  private func withDisk(_ options: String, _ script: String) -> String {
    """
    unshare -rm bash -c 'mkdir -p disk && mount -t tmpfs -o \(options) none disk && \(script)' bash "$@"
    """
  }

  @Test(.enabled(if: canMount)) func aFullDisk() async throws {
    try await bench.makeProfile()
    let outcome = try bench.runProcess(
      "calibrate", "--profile", "disk/desk.json", "--add", "rgb:0.43,1,0.78@D65",
      shell: withDisk(
        "size=64k",
        """
        cp desk.json disk; cat /dev/zero 2>/dev/null >disk/filler; "$@"; code=$?
        cmp desk.json disk/desk.json && ls -A disk && exit $code
        """))
    outcome.expect(74, errors: "desk.json: No space left on device", "Nothing was saved.")
    #expect(outcome.output == "desk.json\nfiller\n")
  }

  /// This includes help and completions, which an installation saves.
  @Test(arguments: [["--help"], ["help", "set"], ["--generate-completion-script", "bash"]])
  func outputThatIsNotTaken(arguments: [String]) throws {
    let outcome = try bench.runProcess(arguments, shell: "\"$@\" >/dev/full")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("cannot write to standard output"))
  }

  @Test func inputThatCannotBeRead() async throws {
    try bench.runProcess("profile", "show", "/proc/self/mem").expect(
      74, errors: "Input/output error")
    try bench.runProcess("profile", "show", ".").expect(66, errors: "Is a directory")
  }

  @Test func exitCodesOfPicturesThatCannotBeRead() {
    for (problem, code) in [
      (ImageFileProblem.notFound, ExitCode.noInput), (.directory, .noInput),
      (.noPermission, .noPermission), (.inputOutput(errno: EIO), .inputOutput), (.empty, .badData),
      (.mislabelled(promised: .tiff, content: .png), .badData),
      (.unwritable(.raw, "raw photographs are not written"), .badData),
    ] {
      #expect(Failure(ImageFileError(path: "a b.png", problem: problem)).code == code)
    }
  }

  @Test(.enabled(if: canMount)) func aReadOnlyHome() async throws {
    try await bench.makeProfile()
    func run(_ arguments: String...) throws -> Workbench.Outcome {
      try bench.runProcess(
        arguments,
        shell: withDisk(
          "ro",
          "export HOME=$PWD/disk XDG_RUNTIME_DIR=$PWD/disk XDG_STATE_HOME=$PWD/disk; \"$@\""))
    }
    try run("set", "--device", Workbench.camera, "--gains", "1.2,1,1.5").expect(
      0, errors: "settings are not kept")
    try run("calibrate", "--shot", "rgb:0.5,1,0.6@A", "-o", "disk/desk.json").expect(
      77, errors: "disk/desk.json: Read-only file system", "Nothing was saved.")
    try run("profile", "show", "desk.json").expect(0)
  }

  @Test(arguments: ["tr_TR.UTF-8", "de_DE.UTF-8", "ar_SA.UTF-8"])
  func anotherLanguageAndPlace(language: String) async throws {
    try await bench.makeProfile()
    func run(_ settings: String) throws -> [String] {
      try [
        ["convert", "--from", "xy", "--to", "temperature-tint", "0.3127", "0.3290"],
        ["convert", "--from", "xy", "--to", "gains", "--profile", "desk.json", "0.34", "0.35"],
        ["profile", "show", "desk.json", "--light", "FL11"],
        ["profile", "show", "desk.json", "--json"],
        ["profile", "import", "libcamera:imx219", "-o", "pi.json"],
        ["calibrate", "--shot", "rgb:0.5,1,0.6@4012.5K/+0.0031", "-o", "-"],
        ["report", "desk.json", "-o", "-"],
        ["estimate", Workbench.dng, "--region", "796,908,36,36", "--json"],
      ].map { arguments in
        let outcome = try bench.runProcess(arguments, shell: "env \(settings) \"$@\"")
        outcome.expect(0)
        return outcome.output.replacing(/"created" : "[-0-9T:]+Z"/, with: "")
      }
    }
    let plain = try run("LC_ALL=C TZ=UTC")
    let foreign = try run("LC_ALL=\(language) LANG=\(language) LANGUAGE=tr:de TZ=Asia/Kolkata")
    #expect(foreign == plain)
  }

  @Test(arguments: [("022", 0o644), ("077", 0o600), ("002", 0o664)])
  func permissionsOfWhatIsWritten(mask: String, mode: Int) throws {
    try bench.runProcess(
      "calibrate", "--shot", "rgb:0.5,1,0.6@A", "-o", "desk.json",
      shell: "umask \(mask); \"$@\""
    ).expect(0)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: bench.folder.appending(path: "desk.json").path)
    #expect(attributes[.posixPermissions] as? Int == mode)
  }
}
