import CameraProfiles
import ColorScience
import ProfileFiles
import WbcalArguments
import WbcalFoundation
import WbcalSystem
import WhiteBalance

/// A camera model that an argument names: a profile, another program's file, or a shipped tuning.
final class ProfileSource: Sendable {
  let name: String
  let profile: CameraProfile
  /// The tuning, if the argument names one.
  let tuning: LibcameraTuning?
  /// The color data of the DNG file or camera profile, if the argument names one.
  let dng: DNGProfile?
  /// The fields of the DNG file or camera profile that are not used.
  private let unusedFields: [String]

  static let help =
    "A profile, a .dcp or .dng file, a libcamera tuning file (JSON or YAML), or libcamera:SENSOR."

  /// Reads a camera model. The kind of file is determined from its contents, not its name. The
  /// prefix `libcamera:` marks a tuning, either a file or one that is shipped with this program.
  convenience init(argument: String) throws {
    if argument.hasPrefix(Self.tuningPrefix) {
      self.init(argument, try LibcameraTuning(argument: Self.path(of: argument)))
      return
    }
    // Photographs are longer than any text.
    let bytes = try readBytes(argument, limit: Self.isNamedDNG(argument) ? 1 << 32 : 64 << 20)
    if Self.isDNG(bytes) || Self.isNamedDNG(argument) && bytes.first != UInt8(ascii: "{") {
      do {
        try self.init(
          argument, DNGProfile(bytes), unusedFields: DNGProfile.lookFields(in: bytes))
      } catch let error
        where error is DNGProfileError || error is CameraModelError
      {
        throw Failure.badData("cannot use \(argument): \(error)")
      }
      return
    }
    let data = Data(bytes)
    if CameraProfile.isNamed(in: data) || !LibcameraTuning.isNamed(in: data) {
      self.init(name: argument, profile: try CameraProfile(data, path: argument))
    } else {
      self.init(argument, try LibcameraTuning(data, path: argument))
    }
  }

  private convenience init(_ name: String, _ tuning: LibcameraTuning) {
    let profile = CameraProfile(
      imported: .curve(tuning.camera, tuning.details), pictures: PictureOrigin(encoding: .raw))
    self.init(name: name, profile: profile, tuning: tuning)
  }

  private convenience init(_ name: String, _ dng: DNGProfile, unusedFields: [String]) throws {
    let profile = CameraProfile(
      imported: .interpolated(try InterpolatedCameraModel(dng)), pictures: dng.pictures)
    self.init(name: name, profile: profile, dng: dng, unusedFields: unusedFields)
  }

  private init(
    name: String, profile: CameraProfile, tuning: LibcameraTuning? = nil, dng: DNGProfile? = nil,
    unusedFields: [String] = []
  ) {
    (self.name, self.profile, self.tuning, self.dng) = (name, profile, tuning, dng)
    self.unusedFields = unusedFields
  }

  /// The profile, if it was made with a connected camera and not from pictures.
  var ofDevice: CameraProfile? { profile.device == nil ? nil : profile }

  /// Returns the gains for a light.
  func gains(for light: String) throws -> Gains {
    let light = try profile.light(argument: light)
    try profile.model.remarkOnTint(of: light.chromaticity)
    guard let gains = profile.model.gains(for: light) else {
      throw Failure.badData("\(name) has no gains for \(light.name)")
    }
    return gains
  }

  /// A sentence that lists the unused parts of a DNG file or camera profile; `nil` if there are
  /// none.
  var unused: String? {
    unusedFields.isEmpty
      ? nil
      : "Ignored in \(name): \(unusedFields.joined(separator: ", ")). Gains and colors are those "
        + "of its ColorMatrix."
  }

  /// The name without folders, for other people to see.
  var title: String { URL(filePath: Self.path(of: name)).lastPathComponent }

  static let tuningPrefix = "libcamera:"

  /// Returns the argument without the prefix of a tuning.
  static func path(of argument: String) -> String {
    argument.hasPrefix(tuningPrefix) ? String(argument.dropFirst(tuningPrefix.count)) : argument
  }

  private static func isNamedDNG(_ path: String) -> Bool {
    [".dcp", ".dng"].contains { path.lowercased().hasSuffix($0) }
  }

  /// Indicates whether a file begins as TIFF or as a camera profile does.
  private static func isDNG(_ bytes: [UInt8]) -> Bool {
    [
      [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 0x52, 0x43], [0x4D, 0x4D, 0x43, 0x52],
    ]
    .contains { bytes.starts(with: $0) }
  }
}

extension CompletionKind {
  /// Files that hold a camera model.
  static var profile: CompletionKind {
    .file(extensions: ["json", "dcp", "dng", "yaml", "yml"])
  }
}

extension DNGProfile {
  /// The raw photographs that the profile is for.
  fileprivate var pictures: PictureOrigin {
    func trimmed(_ text: String?) -> String? {
      let text = text?.trimmed ?? ""
      return text.isEmpty ? nil : text
    }
    return PictureOrigin(
      make: trimmed(make), model: trimmed(model), uniqueModel: trimmed(uniqueCameraModel),
      serial: trimmed(serialNumber), encoding: .raw)
  }
}

extension Failure {
  /// Returns the failure for a picture of another camera or kind than those it is used with.
  static func differs(_ path: String, from others: String, _ difference: String) -> Failure {
    .badData(
      "\(path) does not match \(others): \(difference). Use the profile of its own camera and "
        + "kind of picture, or --any-camera to use it anyway")
  }
}

extension CameraProfile {
  /// Returns the difference between a picture and those that the profile is for, in words.
  ///
  /// - Throws: `Failure` if the picture differs and `anyCamera` is not set.
  func difference(from picture: PictureOrigin, path: String, anyCamera: Bool) throws -> String? {
    guard let difference = difference(from: picture) else { return nil }
    guard anyCamera else { throw Failure.differs(path, from: "the profile", difference) }
    return difference
  }

  /// Returns the light that the gains make neutral; `nil` if there is none or several, with a
  /// remark that states the reason.
  func reliableReading(of gains: Gains, lightClass: LightClass? = nil) -> LightReading? {
    do {
      let reading = try model.reading(of: gains, lightClass: lightClass)
      if let objection = model.objection(to: gains) {
        remark("The light could not be determined from the gains: \(objection).")
      }
      if reading?.isTintKnown == false { remark(Self.tintUnknown) }
      return reading
    } catch {
      remark("The light could not be determined: \(error).")
      return nil
    }
  }

  static let tintUnknown =
    "The profile is a curve of grays, which gives a temperature but no tint."

  /// Returns a light by its name, with the profile's own shots first: the file of a shot's spectrum
  /// need not exist any more.
  func light(argument: String) throws -> Light {
    let shot = calibration?.shots.first { $0.shot.light.name == argument }
    return try shot?.shot.light ?? Light(argument: argument, folder: nil)
  }

  /// Creates a profile from another program's camera model.
  init(imported model: Model, pictures: PictureOrigin) {
    self.init(
      created: Date.now.formatted(.iso8601), generator: "wbcal \(Wbcal.version)",
      pictures: pictures, model: model)
  }

  /// A name for the model that changes with any of its numbers: the 64-bit Fowler–Noll–Vo hash
  /// (FNV-1a) of its JSON, in hexadecimal.
  var identity: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try? encoder.encode(model.parameters)
    let hash = (data ?? Data()).reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return hexadecimal(hash, digits: 16).lowercased()
  }
}

extension LibcameraTuning {
  /// Reads the tuning that is shipped under a name, or the one in a file.
  init(argument: String) throws {
    let isFile = [".json", ".yaml", ".yml"].contains { argument.lowercased().hasSuffix($0) }
    if !isFile, let shipped = LibcameraTuning(named: argument) {
      self = shipped
    } else if isFile || FileManager.default.fileExists(atPath: argument.located) {
      try self.init(readFile(argument), path: argument)
    } else {
      throw Failure.noInput(
        "there is no tuning '\(argument)' and no file of that name; 'wbcal profile import --list' "
          + "lists the tunings")
    }
  }

  /// Reads a tuning from a file's bytes.
  init(_ data: Data, path: String) throws {
    do { try self.init(reading: data) } catch {
      throw Failure.badData("cannot use tuning \(path): \(error)")
    }
  }
}
