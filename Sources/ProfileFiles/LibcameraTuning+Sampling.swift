public import ColorScience
public import WhiteBalance

extension LibcameraTuning {
  /// The temperatures at which a camera is sampled: those at which the curves of the shipped
  /// tunings bend.
  public static let sampledTemperatures: [Double] = [
    2400, 2700, 3000, 3300, 3600, 4000, 4500, 5000, 5500, 6000, 6500, 7500, 8600,
  ]

  /// Returns the light of a temperature under which cameras are measured: a Planckian radiator
  /// below 4000 K, CIE daylight from 4000 K on.
  public static func light(kelvin: Double) -> Chromaticity {
    DaylightLocus.chromaticity(kelvin: kelvin)
      ?? Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0))
  }

  /// Creates a tuning for a camera from its own curve if it has one, or else from its responses to
  /// `light(kelvin:)` at each temperature, as a light of the given class, by default thermal light
  /// or daylight. Temperatures at which the camera has no gains are omitted.
  ///
  /// The widths of the search across the curve are libcamera's defaults, because a model has none.
  ///
  /// - Throws: `LibcameraTuningError` if fewer than two temperatures remain, or the camera's
  ///   responses at two of them are equal.
  public init(
    sampling camera: any CameraModel, at temperatures: [Double] = sampledTemperatures,
    lightClass: LightClass? = nil
  ) throws(LibcameraTuningError) {
    if let curve = camera as? CurveCameraModel {
      self.init(camera: curve)
      return
    }
    let points: [CurveCameraModel.Point] = temperatures.compactMap { kelvin in
      let natural: LightClass = DaylightLocus.range.contains(kelvin) ? .daylight : .thermal
      return camera.response(
        to: Self.light(kelvin: kelvin), lightClass: lightClass ?? natural
      ).map {
        .init(kelvin: kelvin, red: $0.red, blue: $0.blue)
      }
    }
    do { self.init(camera: try CurveCameraModel(points: points)) } catch .tooFewPoints(let count) {
      throw .tooFewTemperatures(count)
    } catch { throw .field("ct_curve", "does not define a camera: \(error)") }
  }
}
