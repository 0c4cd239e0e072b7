import CameraControl
import CameraProfiles
import ColorScience
import ProfileFiles
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

/// The camera of raw pictures that are written as DNG files: its name, and the colors of a profile.
final class DNGCamera: Sendable {
  /// The kinds of files that `--to` selects.
  enum Format: String, CaseIterable, ExpressibleByArgument { case dng }

  private let profile: DNGProfile
  /// The source of the colors.
  private let source: ProfileSource?
  /// The gains that the camera applies to its frames; `nil` if they are not known.
  private let applied: Gains?
  /// The profile's flat field for the pictures, which files contain; `nil` if there is none.
  let flatField: ProfileShading?

  /// `true` if a file contains color matrices; otherwise converters choose its colors.
  var hasColors: Bool { !profile.calibrations.isEmpty }

  /// Creates the camera of pictures.
  ///
  /// - Parameters:
  ///   - source: the profile in use.
  ///   - light: the name of the light on the scene, if it is known. The file then has the color
  ///     matrix for it; otherwise it has those for lights that are far apart.
  ///   - applied: the gains, relative to those that the profile is for.
  init(
    _ origin: PictureOrigin, colors source: ProfileSource?, light: String? = nil,
    applied: Gains? = nil, flatField: ProfileShading? = nil
  ) throws {
    // A curve of grays has gains for a light, but no colors.
    let isCurve = if case .curve = source?.profile.model { true } else { false }
    let colors = isCurve ? nil : source
    let known = try light.flatMap { try source?.profile.light(argument: $0) }
    var profile =
      try known.flatMap { try colors?.dngProfile(ofPicturesUnder: $0) } ?? colors?.dngProfile()
      ?? DNGProfile(uniqueCameraModel: source?.profile.cameraName, calibrations: [])
    (profile.make, profile.model, profile.serialNumber) = (
      origin.make, origin.model, origin.serial
    )
    profile.uniqueCameraModel = origin.name ?? profile.uniqueCameraModel ?? "unknown camera"
    profile.asShotWhite = nil
    if let applied {
      let own = profile.analogBalance?.vector ?? SIMD3(repeating: 1)
      profile.analogBalance = LinearRGB(own * applied.vector)
    }
    self.profile = profile
    self.source = source
    self.applied = applied
    self.flatField = flatField
  }

  /// Creates the camera of a session. The colors of a profile are used only if it is for this
  /// camera, and if the gains that the camera applies are known, too. Frames that cannot be written
  /// are refused as by `requireCodes`.
  convenience init(
    of session: CameraSession, colors source: ProfileSource?, light: String?, path: String,
    instead: String
  ) async throws {
    let layout = try await Self.requireCodes(of: session, path: path, instead: instead)
    let name = session.identity.name
    let origin = PictureOrigin(
      model: name, uniqueModel: name, serial: session.identity.serialNumber, encoding: .raw)
    let settings = try await session.camera.settings()
    // Laws that were measured since then are relative to other settings.
    let gains = session.profile?.laws?.gains(at: settings)
    let applied = gains.flatMap { $0.arePositiveAndFinite ? $0 : nil }
    let isBalancing = settings.contains { ControlID.balanceSettings.contains($0.id) }
    let difference = source.flatMap { source in
      guard let device = source.profile.device else {
        return source.profile.difference(from: origin)
      }
      return device.id == session.identity.id ? nil : "the camera is another one"
    }
    let objection =
      difference
      ?? (source != nil && isBalancing && applied == nil
        ? "it has no data on this camera's controls" : nil)
    if let objection { remark("The colors of the profile are not used: \(objection).") }
    let used = objection == nil ? source : nil
    try self.init(
      origin, colors: used, light: light, applied: applied,
      flatField: used?.profile.flatField(for: layout, origin, path: path))
  }

  /// Returns the camera's response to white: that to a light or to the card, or that of the gains
  /// in force; `nil` if none is known.
  ///
  /// - Parameters:
  ///   - light: the name of a light, for which the profile has gains.
  ///   - card: the gains that make a card in the frames neutral.
  func neutral(light: String? = nil, card: Gains? = nil) throws -> LinearRGB? {
    let one = Gains(red: 1, blue: 1)
    let wanted = try light.flatMap { try source?.gains(for: $0) }
    let white =
      wanted.map { (applied ?? one).vector / $0.vector } ?? card.map { 1 / $0.vector }
      ?? applied.map { _ in one.vector }
    return white.map { LinearRGB($0 / $0.max()) }
  }

  /// A sentence that states what a file does not have; `nil` if it has all.
  func lack(of neutral: LinearRGB?) -> String? {
    var sentences: [String] = []
    if !hasColors {
      let reason =
        source.map { "\($0.name) is a curve of grays without colors" }
        ?? "there is no --profile with the camera's"
      sentences.append(
        "The DNG file has no color matrices, and converters guess the colors: \(reason).")
    }
    if neutral == nil {
      sentences.append(
        "The DNG file states no white, and converters guess it: name the --light with --profile.")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// Returns a DNG file.
  ///
  /// - Parameters:
  ///   - blackLevels: the codes of red, green and blue that are black, if not the frame's.
  ///   - instead: the kinds of files that other frames can be written as.
  func file(
    of frame: Frame, neutral: LinearRGB?, exposure: PictureExposure, orientation: Int = 1,
    blackLevels: LinearRGB? = nil, path: String, instead: String
  ) throws -> DNGFile {
    var camera = profile
    camera.asShotWhite = neutral.map { .neutral($0) }
    var picture = DNGPicture(frame, camera: camera)
    (picture.exposureTime, picture.iso) = (exposure.seconds, exposure.iso)
    picture.date = exposure.date.flatMap { DNGPicture.isDate($0) ? $0 : nil }
    picture.noise = Self.noise(exposure.noise)
    picture.orientation = orientation
    picture.shading = flatField?.gains
    picture.blackLevels = blackLevels
    do { return try picture.file() } catch {
      throw Self.failure(error, path: path, instead: instead)
    }
  }

  /// Returns the layout of a camera's frames, or throws an error if they cannot be written as a DNG
  /// file; changes no setting of the camera.
  ///
  /// - Parameter instead: the kinds of files that such frames can be written as.
  @discardableResult
  static func requireCodes(
    of session: CameraSession, path: String, instead: String
  ) async throws -> FrameLayout {
    let layout = try await session.nextLayout()
    do throws(DNGPictureError) { try DNGPicture.require(layout) } catch {
      throw failure(error, path: path, instead: instead)
    }
    return layout
  }

  private static func failure(
    _ error: DNGPictureError, path: String, instead: String
  ) -> Failure {
    let advice =
      switch error {
      case .format, .nonlinear: "; \(instead)"
      default: ""
      }
    return .badData("cannot write \(shown(path)): \(error)\(advice)")
  }

  /// Returns the noise of all channels, or of red, green and blue; empty if the numbers of a file
  /// are not valid.
  private static func noise(_ numbers: [Double]) -> [DNGPicture.Noise] {
    let pairs = stride(from: 0, to: numbers.count - 1, by: 2).map {
      DNGPicture.Noise(scale: numbers[$0], offset: numbers[$0 + 1])
    }
    let areValid = pairs.allSatisfy {
      $0.scale > 0 && $0.scale.isFinite && $0.offset >= 0 && $0.offset.isFinite
    }
    return areValid && [1, 3].contains(pairs.count) && numbers.count == 2 * pairs.count ? pairs : []
  }

  /// Indicates whether a path names a DNG file.
  static func isNamed(_ path: String) -> Bool {
    URL(filePath: path).pathExtension.lowercased() == "dng"
  }
}
