import CameraControl
import ColorScience
import ProfileFiles
import WbcalFoundation
import WhiteBalance

/// A camera model that an argument names: a profile, another program's file, or a shipped tuning.
struct ProfileSource {
  var name: String
  var profile: CameraProfile
  /// The tuning, if the argument names one.
  var tuning: LibcameraTuning?
  /// The color of the DNG file or camera profile, if the argument names one.
  var dng: DNGProfile?

  static let help = "A profile, a .dcp or .dng file, libcamera:SENSOR or libcamera:FILE.json."

  init(argument: String) throws {
    name = argument
    if argument.hasPrefix(Self.tuningPrefix) {
      let tuning = try LibcameraTuning(argument: Self.path(of: argument))
      profile = CameraProfile(
        imported: .curve(tuning.camera), pictures: PictureOrigin(encoding: .raw))
      self.tuning = tuning
    } else if Self.isDNG(argument) {
      do {
        let dng = try DNGProfile(readBytes(argument))
        profile = CameraProfile(
          imported: .interpolated(try InterpolatedCameraModel(dng)), pictures: dng.pictures)
        self.dng = dng
      } catch let error where error is DNGProfileError || error is CameraModelError {
        throw Failure(message: "cannot use \(argument): \(error)", code: .badData)
      }
    } else {
      profile = try CameraProfile(path: argument)
    }
  }

  /// The name without folders, for what others will see.
  var title: String { URL(filePath: Self.path(of: name)).lastPathComponent }

  static let tuningPrefix = "libcamera:"

  /// The argument without the prefix of a tuning.
  static func path(of argument: String) -> String {
    argument.hasPrefix(tuningPrefix) ? String(argument.dropFirst(tuningPrefix.count)) : argument
  }

  static func isDNG(_ path: String) -> Bool {
    [".dcp", ".dng"].contains { path.lowercased().hasSuffix($0) }
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
  /// A picture that is not like those that it would be used with.
  static func differs(_ path: String, from others: String, _ difference: String) -> Failure {
    .badData(
      "\(path) does not go with \(others): \(difference). Use the profile of its own camera and "
        + "kind of picture, or --any-camera to use it all the same")
  }
}

extension CameraProfile {
  /// In what a picture differs from those that the profile is for.
  ///
  /// - Throws: `Failure` where it differs and `anyCamera` is not set.
  func difference(from picture: PictureOrigin, path: String, anyCamera: Bool) throws -> String? {
    guard let difference = difference(from: picture) else { return nil }
    guard anyCamera else { throw Failure.differs(path, from: "the profile", difference) }
    return difference
  }

  /// The light that gains make neutral; `nil`, with a remark, if there are several.
  func tellableReading(of gains: Gains, lightClass: LightClass? = nil) -> LightReading? {
    do { return try model.reading(of: gains, lightClass: lightClass) } catch {
      remark("No light can be told: \(error).")
      return nil
    }
  }

  /// A light from its name, one of the profile's own shots before any other: of those the file of a
  /// spectrum need not be there any more.
  func light(argument: String) throws -> Light {
    let shot = calibration?.shots.first { $0.shot.light.name == argument }
    return try shot?.shot.light ?? Light(argument: argument, folder: nil)
  }

  /// A profile from another program's camera model.
  init(imported model: Model, pictures: PictureOrigin) {
    self.init(
      created: Date.now.formatted(.iso8601), generator: "wbcal \(Wbcal.version)",
      pictures: pictures, model: model)
  }

  /// A name for the model that changes with any of its numbers: 64 bits of Fowler, Noll and Vo's
  /// hash (FNV-1a) of its JSON, in hexadecimal.
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
  /// The tuning in a file whose name ends in `.json`, or a shipped one.
  init(argument: String) throws {
    if argument.hasSuffix(".json") {
      do { try self.init(reading: readFile(argument)) } catch let error as LibcameraTuningError {
        throw Failure(message: "cannot use tuning \(argument): \(error)", code: .badData)
      }
    } else if let shipped = LibcameraTuning(named: argument) {
      self = shipped
    } else {
      throw Failure(
        message:
          "there is no tuning '\(argument)'; 'wbcal profile import --list' names them, and a "
          + "file's name ends in .json", code: .noInput)
    }
  }
}
