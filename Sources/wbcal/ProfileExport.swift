import ArgumentParser
import ColorScience
import Foundation
import ICCProfiles
import ProfileFiles
import WhiteBalance

struct ProfileExport: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a camera as an ICC profile or a libcamera tuning file.",
    discussion: """
      The ICC profile is for linear pictures whose white balance is that of --light.
      The tuning file has white balance alone: under Planckian light from 2400 K,
      daylight from 4000 K, for the Raspberry Pi of --platform.

        wbcal profile export desk.json --icc desk.icc --light D65
        wbcal profile export desk.json --libcamera desk-tuning.json
      """)

  enum Platform: String, CaseIterable, ExpressibleByArgument {
    case vc4
    case pisp
  }

  @Argument(help: ArgumentHelp(ProfileSource.help), completion: .file(extensions: ["json"]))
  var source: String
  @Option(
    help: ArgumentHelp("The ICC profile to write; - for standard output.", valueName: "file"),
    completion: .file(extensions: ["icc"]))
  var icc: String?
  @Option(
    help: ArgumentHelp("The tuning file to write; - for standard output.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var libcamera: String?
  @Option(help: "The light of the ICC profile (default: D50).") var light: String?
  @Option(help: "The tuning's: vc4, Raspberry Pi 0 to 4 (default), or pisp, 5.")
  var platform: Platform?

  func validate() throws {
    if icc == nil, libcamera == nil {
      throw ValidationError("name the file to write with --icc or --libcamera.")
    }
    if let icc, icc == libcamera {
      throw ValidationError("--icc and --libcamera cannot be the same file.")
    }
    if light != nil, icc == nil {
      throw ValidationError("--light is the ICC profile's: it goes with --icc.")
    }
    if platform != nil, libcamera == nil {
      throw ValidationError("--platform is the tuning's: it goes with --libcamera.")
    }
  }

  func execute() async throws {
    let inputs = source.hasPrefix("libcamera:") ? String(source.dropFirst(10)) : source
    let outputs = [icc, libcamera].compactMap(\.self)
    for output in outputs { try refuse(output: output, over: [inputs]) }
    let source = try ProfileSource(argument: source)
    // All is made before anything is written.
    var files: [(path: String, data: Data)] = []
    do {
      if let icc { files.append((icc, Data(try iccProfile(of: source).bytes()))) }
      if let libcamera { files.append((libcamera, try tuning(of: source))) }
    } catch let error as ICCProfileError {
      throw Failure(message: "\(source.name): \(error)", code: .badData)
    } catch let error as LibcameraTuningError {
      throw Failure(message: "\(source.name): \(error)", code: .badData)
    }
    for file in files { try replaceFile(file.path, with: file.data) }
    if !outputs.contains("-") {
      try StandardOutput.line(outputs.map { "wrote \($0)" }.joined(separator: "\n"))
    }
  }

  private func iccProfile(of source: ProfileSource) throws -> ICCInputProfile {
    let light = try Light(argument: light ?? "D50", folder: nil)
    switch source.model {
    case .matrix(let model):
      return try ICCInputProfile(
        name: "\(source.name) under \(light.name)",
        matrix: Matrix3x3(diagonal: model.unitCalibration.vector) * model.matrix,
        light: light.chromaticity)
    case .curve:
      throw Failure(
        message: "\(source.name) is a curve of grays: it knows no colors for an ICC profile",
        code: .badData)
    }
  }

  private func tuning(of source: ProfileSource) throws -> Data {
    let tuning = try source.tuning ?? LibcameraTuning(sampling: source.model.camera)
    return try tuning.json(target: platform == .pisp ? "pisp" : "bcm2835")
  }
}
