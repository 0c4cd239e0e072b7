import CameraControl
import ColorScience
import Foundation
import ProfileFiles
import WhiteBalance

/// A camera's model, of whatever kind.
enum ProfileModel {
  case matrix(MatrixCameraModel)
  case curve(CurveCameraModel)

  var camera: any CameraModel {
    switch self {
    case .matrix(let model): model
    case .curve(let model): model
    }
  }

  /// What it is, in words.
  var summary: String {
    switch self {
    case .matrix: "one matrix for all lights"
    case .curve(let model):
      "a curve of \(model.points.count) points from \(shortNumber(model.range.lowerBound)) to "
        + "\(shortNumber(model.range.upperBound)) K, which knows no tint"
    }
  }
}

/// A camera as an argument names it: a profile, or `libcamera:` and a shipped tuning or tuning file.
struct ProfileSource {
  var name: String
  var model: ProfileModel
  /// The profile, if it is one.
  var profile: CameraProfile?
  /// The tuning, if it is one.
  var tuning: LibcameraTuning?

  static let help = "A profile, libcamera:SENSOR or libcamera:FILE.json."

  init(argument: String) throws {
    name = argument
    if argument.hasPrefix("libcamera:") {
      let tuning = try LibcameraTuning(argument: String(argument.dropFirst(10)))
      model = .curve(tuning.camera)
      self.tuning = tuning
    } else if let imported = try ImportedCamera(path: argument) {
      model = .curve(imported.curve)
    } else {
      let profile = try CameraProfile(path: argument)
      model = .matrix(profile.calibration.model)
      self.profile = profile
    }
  }
}

extension LibcameraTuning {
  /// A tuning file's, whose name ends in `.json`, or a shipped one's.
  init(argument: String) throws {
    if argument.hasSuffix(".json") {
      do {
        try self.init(reading: readFile(argument))
      } catch let error as LibcameraTuningError {
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

/// An imported curve in a file.
struct ImportedCamera: Codable {
  static let format = "wbcal-camera-curve"

  var format = Self.format
  var version = 1
  var created: String
  var generator: String
  /// What it was imported from.
  var source: String
  var curve: CurveCameraModel

  init(created: String, generator: String, source: String, curve: CurveCameraModel) {
    self.created = created
    self.generator = generator
    self.source = source
    self.curve = curve
  }

  /// Reads a file of this format; `nil` for one of another.
  init?(path: String) throws {
    struct Header: Decodable { var format: String }
    let data = try readFile(path)
    guard let header = try? JSONDecoder().decode(Header.self, from: data),
      header.format == Self.format
    else { return nil }
    do {
      self = try JSONDecoder().decode(ImportedCamera.self, from: data)
      guard version == 1 else { throw CameraProfileError.version(version) }
    } catch {
      let reason = (error as? DecodingError)?.sentence ?? "\(error)"
      throw Failure(message: "cannot use profile \(path): \(reason)", code: .badData)
    }
  }

  /// Writes the file whole.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try replaceFile(path, with: try encoder.encode(self) + Data("\n".utf8))
  }
}
