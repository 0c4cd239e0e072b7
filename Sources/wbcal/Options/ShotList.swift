import ColorScience
import SimulatedScenes
import WbcalFoundation
import WhiteBalance

/// A requested shot: the source of its response, and its light.
struct RequestedShot {
  enum Source {
    case response(LinearRGB)
    case picture(String, region: GrayCardEstimator.Region?)
    case device(DeviceSpecification)
  }
  var source: Source
  var light: Light
  var lightClass: LightClass?
  /// The standard deviation of the response's ratios, if it is known.
  var noise: Double?
  /// The place of the request, for messages.
  var place: String
  var spectrum: String?

  var files: [String] {
    let pictures: [String]? =
      if case .picture(let path, _) = source { try? pictureFiles(named: path) } else { nil }
    return (pictures ?? []) + [spectrum].compactMap(\.self)
  }
}

extension RequestedShot {
  /// Parses a shot of the form `SOURCE@LIGHT`.
  init(argument: String) throws {
    guard let at = argument.lastIndex(of: "@") else {
      throw Failure.usage(
        "the shot '\(argument)' does not name a light; write SOURCE@LIGHT, such as card.dng@D65")
    }
    let source = String(argument[..<at])
    place = "shot \(argument)"
    let light = String(argument[argument.index(after: at)...])
    (self.light, lightClass) = try Light.read(argument: light, folder: nil)
    spectrum = Light.spectrumFile(argument: light, folder: nil)
    if source.hasPrefix("rgb:") {
      guard let rgb = numbers(source.dropFirst(4), count: 3) else {
        throw Failure.badData("'\(source)' is not rgb:R,G,B with three numbers")
      }
      self.source = .response(LinearRGB(red: rgb[0], green: rgb[1], blue: rgb[2]))
    } else if DeviceSpecification.isDevice(source) {
      self.source = .device(try DeviceSpecification(argument: source))
    } else {
      self.source = .picture(source, region: nil)
    }
  }
}

extension Light {
  /// Creates a light from its name, which may be that of a lamp of the simulated room, or from a
  /// measured spectrum (`spd:FILE.csv`).
  init(argument: String, folder: URL?, uncertainty: Double = 0) throws {
    self = try Self.read(argument: argument, folder: folder, uncertainty: uncertainty).light
  }

  /// Returns a light, and its class if the file of its spectrum states one or it is a lamp of the
  /// simulated room.
  ///
  /// - Parameter lightClass: the class that is stated elsewhere.
  static func read(
    argument: String, folder: URL?, uncertainty: Double = 0, lightClass: LightClass? = nil
  ) throws -> (light: Light, lightClass: LightClass?) {
    guard let reference = spectrum(argument: argument, folder: folder) else {
      do { return (try Light(named: argument, uncertainty: uncertainty), nil) } catch {
        guard case .unknown = error,
          let lamp = MeasuredLamp.all.first(where: { $0.name == argument })
        else { throw error }
        return (
          try Light(name: argument, spectrum: lamp.spectrum, uncertainty: uncertainty),
          lamp.lightClass
        )
      }
    }
    let file = try SpectrumFile(reference)
    for doubt in file.doubts(of: lightClass) { remark("\(reference.path): \(doubt).") }
    let light = try Light(name: argument, spectrum: file.spectrum, uncertainty: uncertainty)
    return (light, file.lightClass)
  }

  /// Returns the file that a light is read from; `nil` for a light with a name.
  static func spectrumFile(argument: String, folder: URL?) -> String? {
    spectrum(argument: argument, folder: folder)?.path
  }

  /// Returns the spectrum that a light is read from; `nil` for a light with a name.
  private static func spectrum(argument: String, folder: URL?) -> SpectrumReference? {
    guard argument.hasPrefix("spd:") else { return nil }
    let file = String(argument.dropFirst(4))
    return SpectrumReference(
      file.hasPrefix("/") ? file : folder?.appending(path: file).path ?? file)
  }
}
