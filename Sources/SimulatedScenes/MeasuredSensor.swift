internal import CWbcalMeasuredSpectra
public import ColorScience
public import WhiteBalance

/// A real camera's sensor, measured in a laboratory.
public struct MeasuredSensor: Hashable, Sendable {
  /// The maker and model in lower case, such as `canon-eos-5d`.
  public let name: String
  /// The relative spectral sensitivities.
  public let sensitivities: SpectralSensitivities

  /// Returns the linear response to a surface under a lamp, by default a neutral surface; only
  /// ratios are meaningful.
  ///
  /// - Parameters:
  ///   - light: the lamp's relative spectral power.
  ///   - reflectance: the surface's reflectance by wavelength in nanometers.
  public func response(
    to light: SpectralDistribution, reflectance: (Double) -> Double = { _ in 1 }
  ) -> LinearRGB {
    let (red, green, blue) = (sensitivities.red, sensitivities.green, sensitivities.blue)
    var sum = SIMD3<Double>.zero
    for nanometers in 360...830 {
      let wavelength = Double(nanometers)
      let power = light[wavelength] * reflectance(wavelength)
      sum += power * SIMD3(red[wavelength], green[wavelength], blue[wavelength])
    }
    return LinearRGB(sum)
  }

  /// Returns the linear responses to the patches of a chart under a lamp, in the chart's order.
  /// Outside 380 to 780 nm a patch has the reflectance of the nearer end. Only ratios are
  /// meaningful.
  public func responses(
    to chart: ColorChart, under light: SpectralDistribution
  ) -> [LinearRGB] {
    chart.patches.map { patch in
      response(to: light) { patch.reflectance[max(380, min($0, 780))] }
    }
  }

  /// The measured sensors, sorted by name.
  ///
  /// Source: AcademySoftwareFoundation/rawtoaces-data, Apache-2.0; see
  /// `Calibration/CameraSensitivities`.
  public static let all: [MeasuredSensor] = unsafe decode(
    measured_cameras(), [SensorRecord].self
  ).map { record in
    let (grid, channels) = (record.wavelengths, record.sensitivity)
    return MeasuredSensor(
      name: record.name,
      sensitivities: SpectralSensitivities(
        red: grid.spectrum(channels.red), green: grid.spectrum(channels.green),
        blue: grid.spectrum(channels.blue)))
  }
}

extension MeasuredSensor {
  /// The sensor with a name; `nil` if there is none.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name.lowercased() }) else { return nil }
    self = found
  }
}

private struct SensorRecord: Decodable {
  struct Channels: Decodable { var red, green, blue: [Double] }
  var name: String
  var wavelengths: Wavelengths
  var sensitivity: Channels
}
