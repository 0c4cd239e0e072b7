import ArgumentParser
import CameraControl
import Foundation
import Reports
import WhiteBalance

struct Report: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a profile as one self-contained HTML page.",
    discussion: """
        wbcal report desk.json -o desk.html
      """)

  @Argument(help: "The profile.", completion: .file(extensions: ["json"])) var profile: String
  @Option(name: .shortAndLong, help: "The page to write; - for standard output.", completion: .file())
  var output: String

  func execute() async throws {
    let profile = try CameraProfile(path: profile)
    fatalError("\(profile)")
  }
}
