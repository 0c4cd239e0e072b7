internal import CWbcalMeasuredSpectra
public import ColorScience
public import WhiteBalance

/// A real camera's sensor, measured in a laboratory.
public struct MeasuredSensor: Hashable, Sendable {
  /// Maker and model in lower case, such as `canon-eos-5d`.
  public let name: String
  /// Its relative sensitivities.
  public let sensitivities: SpectralSensitivities

  /// The linear response to a light on a surface, by default a neutral one; only ratios matter.
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

  /// The linear responses to the patches of a chart under a light, in the chart's order; beyond 380
  /// to 780 nm a patch reflects as at the nearer end. Only ratios matter.
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
