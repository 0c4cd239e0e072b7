import ColorScience
import Testing

@testable import WhiteBalance

struct CameraParametersTests {
  private static let parameters = CameraParameters(
    values: [0.8, 0.4, 1.2, -0.4, -0.8, 0.1, -0.4, 0.6])
  private static let lights = ["A", "D50", "FL2", "LED-B1"].map {
    StandardIlluminant(named: $0)!.chromaticity
  }

  /// The parameters are those of a matrix whose response to D65 is 1 in every channel.
  @Test func gainsOfTheMatrix() throws {
    let average = CameraParameters(values: [0.7, 0.5, 0, 0, 0, 0, 0, 0])
    let model = try Self.parameters.model(relativeTo: average)
    #expect(abs(model.unitCalibration.red - exponential(-0.1)) < 1e-12)
    #expect(abs(model.unitCalibration.blue - exponential(0.1)) < 1e-12)
    for light in Self.lights + [StandardIlluminant.d65.chromaticity] {
      let offset = CameraParameters.LightOffset(light)
      let found = try #require(Self.parameters.logGains(for: offset, floor: 0.02))
      let expected = try #require(model.response(to: light)).logGains
      let difference = found.values - expected
      #expect(max(abs(difference.x), abs(difference.y)) < 1e-12)
    }
    let d65 = CameraParameters.LightOffset(StandardIlluminant.d65.chromaticity)
    #expect(Self.parameters.relativeResponse(to: d65) == SIMD3(repeating: 1))
    let found = try #require(Self.parameters.logGains(for: d65, floor: 1))
    #expect(found.values == SIMD2(0.8, 0.4))
    #expect(Self.parameters.logGains(for: d65, floor: 1.001) == nil)
  }

  @Test func derivatives() throws {
    for light in Self.lights {
      let offset = CameraParameters.LightOffset(light)
      let jacobian = try #require(Self.parameters.logGains(for: offset, floor: 0)).jacobian
      for index in 0..<8 {
        func moved(_ by: Double) throws -> SIMD2<Double> {
          var moved = Self.parameters
          moved.values[index] += by
          return try #require(moved.logGains(for: offset, floor: 0)).values
        }
        let slope = (try moved(1e-5) - moved(-1e-5)) / 2e-5
        #expect(abs(jacobian[0][index] - slope.x) < 1e-8, "\(index)")
        #expect(abs(jacobian[1][index] - slope.y) < 1e-8, "\(index)")
      }
    }
  }
}
