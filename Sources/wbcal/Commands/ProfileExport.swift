import WbcalArguments
import CameraControl
import ColorScience
import Foundation
import ProfileFiles
import WhiteBalance

struct ProfileExport: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a camera as an ICC or DNG profile or a libcamera tuning file.",
    discussion: """
      The DNG profile (.dcp) has a matrix for incandescent light and one for
      daylight. The ICC profile is for linear pictures whose white balance is that of --light.
      The tuning file has white balance alone: under Planckian light from 2400 K,
      daylight from 4000 K, for the Raspberry Pi of --platform.

        wbcal profile export desk.json --dcp desk.dcp
        wbcal profile export desk.json --icc desk.icc --light D65
        wbcal profile export desk.json --libcamera desk-tuning.json
      """)

  enum Platform: String, CaseIterable, ExpressibleByArgument { case vc4, pisp }

  @Argument(help: ArgumentHelp(ProfileSource.help), completion: .json)
  var source: String
  @Option(
    help: ArgumentHelp("The ICC profile to write; - for standard output.", valueName: "file"),
    completion: .file(extensions: ["icc"]))
  var icc: String?
  @Option(
    help: ArgumentHelp("The DNG profile to write; - for standard output.", valueName: "file"),
    completion: .file(extensions: ["dcp"]))
  var dcp: String?
  @Option(
    help: ArgumentHelp("The tuning file to write; - for standard output.", valueName: "file"),
    completion: .json)
  var libcamera: String?
  @Option(help: "The light of the ICC profile (default: D50).") var light: String?
  @Option(help: "The tuning's: vc4, Raspberry Pi 0 to 4 (default), or pisp, 5.")
  var platform: Platform?

  func validate() throws {
    let outputs = [icc, dcp, libcamera].compactMap(\.self)
    if icc != nil { try LittleCMS.require() }
    if outputs.isEmpty {
      throw ValidationError("name the file to write with --icc, --dcp or --libcamera.")
    }
    if Set(outputs).count < outputs.count {
      throw ValidationError("--icc, --dcp and --libcamera cannot be the same file.")
    }
    if light != nil, icc == nil {
      throw ValidationError("--light is the ICC profile's: it goes with --icc.")
    }
    if platform != nil, libcamera == nil {
      throw ValidationError("--platform is the tuning's: it goes with --libcamera.")
    }
  }

  func execute() async throws {
    let outputs = [icc, dcp, libcamera].compactMap(\.self)
    for output in outputs { try refuse(output: output, over: [ProfileSource.path(of: source)]) }
    let source = try ProfileSource(argument: source)
    // All is made before anything is written.
    var files: [(path: String, data: Data)] = []
    do {
      if let icc { files.append((icc, try iccProfile(of: source))) }
      if let dcp { files.append((dcp, Data(try dngProfile(of: source).encoded()))) }
      if let libcamera { files.append((libcamera, try tuning(of: source))) }
    } catch let error where error is DNGProfileError || error is LibcameraTuningError {
      throw Failure.badData("\(source.name): \(error)")
    }
    try replaceFiles(files)
    if !outputs.contains("-") {
      try StandardOutput.line(outputs.map { "wrote \($0)" }.joined(separator: "\n"))
    }
  }

  private func iccProfile(of source: ProfileSource) throws -> Data {
    let light = try Light(argument: light ?? "D50", folder: nil)
    try requireColors(of: source, for: "an ICC profile")
    guard let matrix = source.profile.model.matrix(for: light) else {
      throw Failure.badData("\(light.name) has no color temperature")
    }
    return try LittleCMS.iccProfile(of: source.name, matrix: matrix, light: light)
  }

  private func requireColors(of source: ProfileSource, for output: String) throws {
    if case .curve = source.profile.model {
      throw Failure.badData("\(source.name) is a curve of grays: it knows no colors for \(output)")
    }
  }

  /// A calibration's matrices for thermal light and daylight, whose unit calibrations are the same
  /// but for what they were fitted to: all of it goes into the matrices.
  private func dngProfile(of source: ProfileSource) throws -> DNGProfile {
    if let dng = source.dng { return dng }
    try requireColors(of: source, for: "a DNG profile")
    if case .interpolated(let model) = source.profile.model {
      return DNGProfile(
        uniqueCameraModel: source.name,
        calibrations: model.calibrations.map {
          .init(
            illuminant: .chromaticity(
              Chromaticity(CorrelatedColorTemperature(kelvin: $0.kelvin, duv: 0))),
            colorMatrix: $0.colorMatrix, cameraCalibration: $0.cameraCalibration)
        }, analogBalance: model.analogBalance)
    }
    let lights = [(LightSource.standardLightA, LightClass.thermal), (.d65, .daylight)]
    return DNGProfile(
      uniqueCameraModel: source.profile.device?.name ?? source.name, name: source.name,
      calibrations: lights.compactMap { light, lightClass in
        source.profile.calibration.map {
          .init(
            illuminant: .lightSource(light),
            colorMatrix: $0.model.matrixModel(for: lightClass).cameraMatrix)
        }
      })
  }

  private func tuning(of source: ProfileSource) throws -> Data {
    let tuning = try source.tuning ?? LibcameraTuning(sampling: source.profile.model)
    return try tuning.json(target: platform == .pisp ? "pisp" : "bcm2835")
  }
}
