internal import CWbcalMeasuredSpectra
public import ColorScience
public import WhiteBalance

/// A real lamp, or a standard illuminant, with its spectrum.
public struct MeasuredLamp: Hashable, Sendable {
  /// The lamp's name, such as `A`, `D65`, `LED-B3`, `Philips TL-84`.
  public let name: String
  /// The lamp's technology; `nil` for E and other illuminants that are not lamps.
  package let technology: LampTechnology?
  /// The relative spectral power.
  public let spectrum: SpectralDistribution
  /// The lamp's chromaticity.
  public var chromaticity: Chromaticity { Chromaticity(spectrum.xyz) }
  /// The class of the lamp.
  public var lightClass: LightClass { technology?.lightClass ?? .other }

  /// The standard illuminants, then the measured lamps in the order of their source.
  ///
  /// Source: colour-science 0.4.7, BSD-3-Clause; see `Calibration/Illuminants`.
  public static let all: [MeasuredLamp] =
    StandardIlluminant.all.map {
      MeasuredLamp(name: $0.name, technology: LampTechnology($0), spectrum: $0.spectrum)
    }
    + (unsafe decode(measured_lamps(), LampFile.self)).lights.map {
      MeasuredLamp(
        name: $0.name, technology: $0.technology, spectrum: $0.wavelengths.spectrum($0.power))
    }
}

extension MeasuredLamp {
  /// The lamp with a name, in upper or lower case, or a black body such as `5000K`; `nil` if there
  /// is none.
  public init?(named name: String) {
    if let found = Self.all.first(where: { $0.name.lowercased() == name.lowercased() }) {
      self = found
    } else if name.last == "K", let kelvin = Double(name.dropLast()), kelvin >= 500, kelvin.isFinite
    {
      self.init(name: name, technology: .thermal, spectrum: .planckian(kelvin: kelvin))
    } else {
      return nil
    }
  }
}

private struct LampFile: Decodable {
  struct Record: Decodable {
    var name, `class`: String
    var wavelengths: Wavelengths
    var power: [Double]

    var technology: LampTechnology? {
      switch `class` {
      // LEDs of several colors are identified by their names.
      case "led": name.hasPrefix("3-LED") || name.hasPrefix("4-LED") ? .mixedLED : .phosphorLED
      case "hid": .discharge
      default: LampTechnology(rawValue: `class`)
      }
    }
  }
  var lights: [Record]
}
