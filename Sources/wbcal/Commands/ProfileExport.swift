import CameraProfiles
import ColorScience
import ProfileFiles
import WbcalArguments
import WbcalFoundation
import WhiteBalance

struct ProfileExport: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a camera as an ICC or DNG profile or a libcamera tuning file.",
    discussion: """
      The DNG profile (.dcp) has matrices for illuminants A and D65, or for the one or
      two lights of --light, and names the camera for which raw converters offer it.
      If the camera was calibrated with a chart, it also has the colors of surfaces
      under D50 (ForwardMatrix, and a table for what no matrix can do). The ICC
      profile is for linear pictures whose white balance is that of --light;
      --icc-table uses such a table instead of a matrix, for colors up to the
      picture's white, in version 2: programs darken shadows with tables of version 4.

      A reflection on the chart, light that the lens scatters, or a wrong black level
      adds light to the whole picture, which a chart's shot shows. --glare makes
      profiles for pictures with the same amount of it, such as those under the same
      lamps on a copy stand.

      The tuning file has the white balance under Planckian light from 2400 K and
      daylight from 4000 K, and the color matrices of a camera that was calibrated
      with a chart. A flat field of raw pictures of the whole sensor becomes the
      shading of the lens (rpi.alsc, LensShadingCorrection), which the software ISP
      does not correct. --platform selects what reads the file: a Raspberry Pi, or in
      YAML the software ISP, which the cameras of many laptops need, or rkisp1. With
      --into, a complete tuning file is written in which only these are replaced.

        wbcal profile export desk.json --dcp desk.dcp
        wbcal profile export desk.json --dcp studio.dcp --light spd:studio.csv
        wbcal profile export desk.json --icc desk.icc --light D65
        wbcal profile export desk.json --icc stand.icc --light D50 --icc-table --glare
        wbcal profile export desk.json --libcamera desk-tuning.json
        wbcal profile export desk.json --libcamera ov02c10.yaml --platform softisp \\
            --black 64:10
      """)

  enum Platform: String, CaseIterable, ExpressibleByArgument {
    case vc4, pisp, softisp, rkisp1

    var yaml: LibcameraTuning.YAMLPipeline? {
      switch self {
      case .vc4, .pisp: nil
      case .softisp: .softwareISP
      case .rkisp1: .rkisp1
      }
    }
  }
  enum ICCVersion: String, CaseIterable, ExpressibleByArgument {
    case two = "2"
    case four = "4"
  }

  @Argument(help: ArgumentHelp(ProfileSource.help), completion: .profile)
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
  @Option(
    help: "The light of the ICC profile (default: D50), or the one or two of the DNG profile.")
  var light: [String] = []
  @Flag(help: "Write the ICC profile with a table for what no matrix can do.")
  var iccTable = false
  @Flag(help: "Make the profile for pictures with the glare of the chart's shot.")
  var glare = false
  @Option(
    help: ArgumentHelp(
      "The version of the ICC profile: 4 (default), or 2, which Argyll reads.", valueName: "version"
    ))
  var iccVersion: ICCVersion?
  @Option(
    help: ArgumentHelp(
      "The camera that the DNG and ICC profiles name, such as \"Canon EOS 550D\"; by default that "
        + "of the shots.", valueName: "name"))
  var camera: String?
  @Option(
    help: ArgumentHelp(
      "A tuning file for the same kind of camera, in which only white balance and colors change.",
      valueName: "file"), completion: .file(extensions: ["json", "yaml"]))
  var into: String?
  @Option(
    help: "The tuning's platform: vc4, Raspberry Pi 0 to 4 (default), pisp, 5, softisp, or rkisp1.")
  var platform: Platform?
  @Option(
    help: ArgumentHelp(
      "The tuning's black level as a code value, and the bits of code values, such as 64:10.",
      valueName: "level:bits"),
    transform: Self.blackLevel)
  var black: Int?

  /// Parses a black level, and scales it to 16 bits.
  private static func blackLevel(_ text: String) throws -> Int {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
    guard parts.count == 2, let level = parts[0], let bits = parts[1].flatMap(Int.init(exactly:)),
      8...16 ~= bits, level >= 0, level.isFinite
    else { throw ValidationError("the black level must be a code value and bits, such as 64:10.") }
    let wide = level * Double(1 << (16 - bits))
    guard wide < 32_768 else {
      throw ValidationError(
        "the black level, \(shortNumber(level)), must be less than half of white.")
    }
    return Int(wide.rounded())
  }

  func validate() throws {
    let outputs = [icc, dcp, libcamera].compactMap(\.self)
    if icc != nil { try LittleCMS.require() }
    try forbid(outputs.isEmpty, "name the file to write with --icc, --dcp or --libcamera.")
    try forbid(
      Set(outputs).count < outputs.count, "--icc, --dcp and --libcamera cannot be the same file.")
    try forbid(!light.isEmpty && icc == nil && dcp == nil, "--light requires --icc or --dcp.")
    try forbid(
      light.count > (icc == nil ? 2 : 1),
      "an ICC profile is for one light, a DNG profile for one or two.")
    try forbid(Set(light).count < light.count, "name two different lights.")
    try forbid(glare && icc == nil && dcp == nil, "--glare requires --icc or --dcp.")
    try forbid(iccTable && icc == nil, "--icc-table requires --icc.")
    try forbid(
      iccTable && iccVersion == .four,
      "--icc-table requires version 2, in which black stays black; see --help.")
    try forbid(iccVersion != nil && icc == nil, "--icc-version requires --icc.")
    try forbid(camera != nil && icc == nil && dcp == nil, "--camera requires --dcp or --icc.")
    try forbid(into != nil && libcamera == nil, "--into requires --libcamera, the file to write.")
    if let into, !Self.isYAML(into), platform != nil {
      throw ValidationError(
        "--platform cannot be combined with --into: that tuning file has its own.")
    }
    if let into, Self.isYAML(into), platform?.yaml == nil {
      throw ValidationError("specify what reads \(into): --platform softisp or --platform rkisp1.")
    }
    try forbid(black != nil && libcamera == nil, "--black requires --libcamera.")
    try forbid(platform != nil && libcamera == nil, "--platform requires --libcamera.")
  }

  func execute() async throws {
    let outputs = [icc, dcp, libcamera].compactMap(\.self)
    for output in outputs { try refuse(output: output, over: [ProfileSource.path(of: source)]) }
    let source = try ProfileSource(argument: source)
    // All files are made before any is written.
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
    let light = try source.profile.light(argument: light.first ?? "D50")
    try source.requireColors(for: "an ICC profile")
    guard let matrix = source.profile.model.matrix(for: light) else {
      throw Failure.badData("\(light.name) has no color temperature")
    }
    let glare = glare ? try source.chartGlare(under: [light]).share : nil
    let colors = source.profile.model.connection(light, glare: glare)
    if iccTable, colors == nil {
      throw Failure.badData(
        "\(source.name) has no colors of surfaces for a table; 'wbcal calibrate --chart' adds them"
      )
    }
    return try LittleCMS.iccProfile(
      of: camera ?? source.profile.cameraName ?? source.title,
      toConnectionSpace: colors?.matrix, table: iccTable ? colors?.polynomial : nil, matrix: matrix,
      light: light, isVersion2: iccVersion == .two)
  }

  /// Returns the profile for the lights of `--light`, and for the named camera.
  private func dngProfile(of source: ProfileSource) throws -> DNGProfile {
    let lights = try light.map { try source.profile.light(argument: $0) }
    let glare = glare ? try source.chartGlare(under: lights).share : nil
    var profile = try source.dngProfile(for: lights, glare: glare)
    profile.uniqueCameraModel = try cameraName(of: source)
    return profile
  }

  private func cameraName(of source: ProfileSource) throws -> String {
    if let name = camera ?? source.profile.cameraName { return name }
    throw Failure.badData(
      "\(source.name) does not state its camera, and raw converters offer a DNG profile only for "
        + "the camera that it names; name it, such as --camera \"Canon EOS 550D\"")
  }

  private func tuning(of source: ProfileSource) throws -> Data {
    var tuning = try source.tuning ?? Self.curve(of: source) ?? Self.sampled(source)
    tuning.blackLevel = black
    tuning.shading = source.profile.sensorFlatField?.gains
    if tuning.colorMatrices.isEmpty {
      remark(
        "\(source.name) has no colors of surfaces, so the tuning has only the white balance; "
          + "'wbcal calibrate --chart' adds them.")
    }
    if let into {
      let file = try readFile(into)
      do {
        guard let pipeline = platform?.yaml else { return try tuning.json(replacingIn: file) }
        guard let text = String(data: file, encoding: .utf8) else {
          throw Failure.badData("\(into) is not text in UTF-8")
        }
        return Data(try tuning.yaml(for: pipeline, replacingIn: text).utf8)
      } catch let error as LibcameraTuningError {
        throw Failure.badData("cannot use tuning \(into): \(error)")
      }
    }
    if let pipeline = platform?.yaml { return Data(tuning.yaml(for: pipeline).utf8) }
    return try tuning.json(target: platform == .pisp ? "pisp" : "bcm2835")
  }

  /// Returns the tuning that a profile was imported from, but without its sensitivities.
  private static func curve(of source: ProfileSource) -> LibcameraTuning? {
    guard case .curve(let curve, let details) = source.profile.model else { return nil }
    var tuning = LibcameraTuning(
      camera: curve, transversePositive: details.width.towardsMagenta,
      transverseNegative: details.width.towardsGreen)
    tuning.colorMatrices = details.colorMatrices
    return tuning
  }

  /// Returns a camera's tuning, sampled over temperatures. The gains are those for the spectra of
  /// lights if the camera was calibrated by spectra.
  private static func sampled(_ source: ProfileSource) throws -> LibcameraTuning {
    var points: [CurveCameraModel.Point] = []
    var matrices: [LibcameraTuning.ColorMatrix] = []
    for kelvin in LibcameraTuning.sampledTemperatures {
      let name = "\(kelvin < 4000 ? "" : "D")\(Int(kelvin))K"
      guard let colors = try? ProfileColors(of: source, light: name) else { continue }
      matrices.append(.init(kelvin: kelvin, matrix: try colors.matrix(to: .sRGB)))
      guard colors.light.spectrum != nil, case .calibrated = source.profile.model,
        let gains = colors.gains?.greenOne
      else { continue }
      points.append(.init(kelvin: kelvin, red: 1 / gains.red, blue: 1 / gains.blue))
    }
    let camera = try? CurveCameraModel(points: points)
    var tuning =
      try camera.map { LibcameraTuning(camera: $0) }
      ?? LibcameraTuning(sampling: source.profile.model)
    tuning.colorMatrices = matrices
    return tuning
  }

  private static func isYAML(_ path: String) -> Bool {
    [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) }
  }
}
