internal import CWbcalMeasuredSpectra
public import ColorScience
internal import Foundation
public import WhiteBalance

/// A real camera's sensor, as a laboratory measured it.
public struct MeasuredSensor: Hashable, Sendable {
  /// Maker and model in small letters, such as `canon-eos-5d`.
  public let name: String
  /// Relative sensitivity of the red, green and blue channels.
  public let sensitivities: [ColorChannel: SpectralDistribution]

  /// The linear response (red, green, blue) to a light on a neutral surface, on no absolute scale.
  public func response(
    to light: SpectralDistribution, reflectance: (Double) -> Double = { _ in 1 }
  ) -> LinearRGB {
    guard let red = sensitivities[.red], let green = sensitivities[.green],
      let blue = sensitivities[.blue]
    else { return LinearRGB(.zero) }
    var sum = SIMD3<Double>.zero
    for nanometers in 360...830 {
      let wavelength = Double(nanometers)
      let power = light[wavelength] * reflectance(wavelength)
      sum += power * SIMD3(red[wavelength], green[wavelength], blue[wavelength])
    }
    return LinearRGB(sum)
  }

  /// The sensor with a name; `nil` if there is none.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name.lowercased() }) else { return nil }
    self = found
  }

  /// The measured sensors, by name.
  ///
  /// Source: AcademySoftwareFoundation/rawtoaces-data, Apache-2.0; see
  /// `Calibration/CameraSensitivities`.
  public static let all: [MeasuredSensor] = unsafe decode(
    measured_cameras(), [SensorRecord].self
  ).map { record in
    func channel(_ values: [Double]) -> SpectralDistribution {
      SpectralDistribution(
        first: record.wavelengths.first, step: record.wavelengths.step, values: values)
    }
    return MeasuredSensor(
      name: record.name,
      sensitivities: [
        .red: channel(record.sensitivity.red), .green: channel(record.sensitivity.green),
        .blue: channel(record.sensitivity.blue),
      ])
  }

  private init(name: String, sensitivities: [ColorChannel: SpectralDistribution]) {
    self.name = name
    self.sensitivities = sensitivities
  }
}

/// A real lamp, or a standard illuminant, with its spectrum.
public struct MeasuredLamp: Hashable, Sendable {
  /// Its name, such as `A`, `D65`, `LED-B3`, `Philips TL-84`.
  public let name: String
  /// How it makes its light; `nil` for E and other light that no lamp makes.
  package let technology: LampTechnology?
  /// Relative spectral power.
  public let spectrum: SpectralDistribution
  /// Its chromaticity.
  public var chromaticity: Chromaticity { Chromaticity(spectrum.xyz) }
  /// The class that a person would give it.
  public var lightClass: LightClass { technology?.lightClass ?? .other }

  /// The lamp with a name, whatever its case, or a black body such as `5000K`; `nil` if there is
  /// none.
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

  /// The standard illuminants, then the measured lamps in the order of their source.
  ///
  /// Source: colour-science 0.4.7, BSD-3-Clause; see `Calibration/Illuminants`.
  public static let all: [MeasuredLamp] =
    StandardIlluminant.all.map {
      MeasuredLamp(name: $0.name, technology: LampTechnology($0), spectrum: $0.spectrum)
    }
    + (unsafe decode(measured_lamps(), LampFile.self)).lights.map {
      MeasuredLamp(
        name: $0.name, technology: $0.technology,
        spectrum: SpectralDistribution(
          first: $0.wavelengths.first, step: $0.wavelengths.step, values: $0.power))
    }

  private init(name: String, technology: LampTechnology?, spectrum: SpectralDistribution) {
    self.name = name
    self.technology = technology
    self.spectrum = spectrum
  }
}

private struct SensorRecord: Decodable {
  struct Channels: Decodable { var red, green, blue: [Double] }
  var name: String
  var wavelengths: Wavelengths
  var sensitivity: Channels
}

private struct LampFile: Decodable {
  struct Record: Decodable {
    var name, `class`: String
    var wavelengths: Wavelengths
    var power: [Double]

    var technology: LampTechnology? {
      switch `class` {
      // Diodes of several colors, by their names.
      case "led": name.hasPrefix("3-LED") || name.hasPrefix("4-LED") ? .mixedLED : .phosphorLED
      case "hid": .discharge
      default: LampTechnology(rawValue: `class`)
      }
    }
  }
  var lights: [Record]
}

private struct Wavelengths: Decodable { var first, step: Double }

private func decode<T: Decodable>(
  _ spectra: measured_spectra, _ type: T.Type
) -> T {
  let bytes = unsafe UnsafeBufferPointer(start: spectra.bytes, count: spectra.count)
  do {
    return try JSONDecoder().decode(type, from: unsafe Data(buffer: bytes))
  } catch {
    // The bytes are part of this program, and a test reads all of them.
    preconditionFailure("the embedded spectra are damaged: \(error)")
  }
}
