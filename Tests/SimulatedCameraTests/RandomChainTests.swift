import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance

@testable import SimulatedCamera

/// Tests of random cameras: their frequencies, and their pictures against their descriptions.
struct RandomChainTests {
  private static let chains = (0..<300).map { RandomChain(seed: $0) }

  @Test func aSeedIsOneCamera() {
    for chain in Self.chains.prefix(40) {
      let again = RandomChain(seed: chain.seed)
      #expect(again.description == chain.description)
      #expect(again.configuration.pipeline == chain.configuration.pipeline)
      #expect(again.configuration.identity == chain.configuration.identity)
      #expect(again.configuration.balance.controls == chain.configuration.balance.controls)
    }
    #expect(Set(Self.chains.map(\.description)).count == 300)
    #expect(Set(Self.chains.map(\.configuration.identity)).count == 300)
  }

  @Test func whatIsDrawnLiesInItsRange() {
    for chain in Self.chains {
      let (configuration, text) = (chain.configuration, Comment(rawValue: chain.description))
      let pipeline = configuration.pipeline
      for row in pipeline.matrix.rows { #expect(abs(row.sum() - 1) < 1e-12, text) }
      #expect((0.8...1.5).contains(pipeline.saturation), text)
      #expect((-10...10).contains(pipeline.hue), text)
      #expect((0...0.5).contains(pipeline.contrast), text)
      #expect((-6...10).contains(pipeline.black), text)
      #expect((100...1600).contains(configuration.iso), text)
      #expect((0...15).contains(configuration.latency), text)
      #expect((0.1...1).contains(configuration.faults.settlingRate), text)
      #expect((0.9...1.1).contains(configuration.exposure?.exponent ?? 1), text)
      for control in configuration.balance.controls {
        #expect(control.isValid(control.defaultValue), text)
      }
    }
  }

  /// Webcams with a temperature in steps of 10 are the most frequent, half of the cameras have a
  /// fault, and a tenth does not reach neutral.
  @Test func usualCamerasAreCommon() {
    func share(_ condition: (RandomChain) -> Bool) -> Double {
      Double(Self.chains.count(where: condition)) / 300
    }
    #expect((0.42...0.58).contains(share { $0.fault == .none }))
    #expect((0.12...0.25).contains(share { $0.controls == "kelvin10" }))
    #expect((0.02...0.16).contains(share { $0.description.contains("does not reach neutral") }))
    #expect(Set(Self.chains.map(\.controls)).count == RandomBalance.Kind.allCases.count)
    #expect(Set(Self.chains.map(\.fault)).count >= RandomFault.allCases.count - 2)
  }

  @Test func theBestSettingIsNearNeutralWhereItIsReached() throws {
    for chain in Self.chains.prefix(120) {
      for name in ["A", "D65"] {
        let lamp = try #require(MeasuredLamp(named: name))
        let (settings, difference) = chain.best(under: lamp)
        #expect(chain.differenceFromNeutral(chain.gains(at: settings), under: lamp) == difference)
        #expect(chain.differenceFromNeutral(chain.neutralGains(under: lamp), under: lamp) < 1e-6)
        if chain.reachesNeutral(under: lamp), chain.pathControl == nil {
          // The difference is half a step of the coarsest stairs, or of the coarsest values, in red
          // and in blue.
          #expect(difference < 3, "\(chain)")
        }
      }
    }
  }

  /// The figures equal those of the data.
  @Test func theMatricesArePublished() throws {
    struct Data: Decodable {
      struct Curve: Decodable {
        var platform, tuning: String
        var colorMatrices: [[Double]]
      }
      var curves: [Curve]
    }
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Profiles/libcamera-ct-curves.json")
    let curves = try JSONDecoder().decode(Data.self, from: .init(contentsOf: path)).curves
    for matrix in publishedMatrices {
      let curve = try #require(curves.first { "\($0.platform)/\($0.tuning)" == matrix.name })
      #expect(curve.colorMatrices.contains([matrix.kelvin] + matrix.elements), "\(matrix.name)")
    }
  }

  // MARK: Pictures

  /// Returns the mean code of each channel of a card, away from its edges, in one frame.
  private func card(_ camera: SimulatedCamera) async throws -> SIMD3<Double> {
    try await camera.withNextFrame { info, bytes in
      let (width, height) = (info.layout.width, info.layout.height)
      var sum = SIMD3<Double>.zero
      var count = 0.0
      for row in height * 2 / 5..<height * 3 / 5 {
        for column in width * 2 / 5..<width * 3 / 5 {
          let first = (row * width + column) * 4
          // Hot pixels are white.
          if (first..<first + 3).allSatisfy({ bytes[$0] == 255 }) { continue }
          // The order of the bytes is blue, green, red and an unused one.
          sum += SIMD3(
            Double(bytes[first + 2]), Double(bytes[first + 1]), Double(bytes[first]))
          count += 1
        }
      }
      return sum / count
    }
  }

  /// Returns the expected code of a card with a linear response, computed independently from the
  /// steps of a camera.
  private func code(
    of light: SIMD3<Double>, _ configuration: SimulatedCamera.Configuration
  ) -> SIMD3<Double> {
    let pipeline = configuration.pipeline
    let clipped = light.clamped(lowerBound: .zero, upperBound: .one)
    var mixed = SIMD3<Double>.zero
    for (index, row) in pipeline.matrix.rows.enumerated() { mixed[index] = (row * clipped).sum() }
    var codes = SIMD3<Double>.zero
    for channel in 0..<3 {
      let value = min(max(mixed[channel], 0), 1)
      let stored: Double
      switch configuration.transfer {
      case .gamma(let power): stored = Foundation.pow(value, 1 / power)
      case .bt709:
        stored = value < 0.018054 ? 4.5 * value : 1.099297 * Foundation.pow(value, 0.45) - 0.099297
      default:
        stored = value < 0.0031308 ? 12.92 * value : 1.055 * Foundation.pow(value, 1 / 2.4) - 0.055
      }
      let bent = stored - pipeline.contrast * Foundation.sin(2 * .pi * stored) / (2 * .pi)
      codes[channel] = pipeline.black + (255 - pipeline.black) * bent
    }
    let luma = 0.299 * codes.x + 0.587 * codes.y + 0.114 * codes.z
    codes = SIMD3(repeating: luma) + pipeline.saturation * (codes - SIMD3(repeating: luma))
    let (u, v) = ((codes.z - luma) / 1.772, (codes.x - luma) / 1.402)
    let angle = pipeline.hue * .pi / 180
    let turnedU = u * Foundation.cos(angle) - v * Foundation.sin(angle)
    let turnedV = u * Foundation.sin(angle) + v * Foundation.cos(angle)
    let green = luma - 0.344136 * turnedU - 0.714136 * turnedV
    return SIMD3(luma + 1.402 * turnedV, green, luma + 1.772 * turnedU)
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
  }

  @Test func aChainsCardIsWhatItSays() async throws {
    var compared = 0
    for chain in Self.chains where chain.fault == .none && chain.controls != "lights" {
      var configuration = chain.configuration
      // A stationary picture without noise is compared; shading of the lens is off.
      (configuration.latency, configuration.faults) = (0, SimulatedCamera.Faults())
      (configuration.exposure, configuration.pipeline.shading) = (nil, 0)
      configuration.pipeline.isDenoised = true
      let lamp = try #require(MeasuredLamp(named: "D65"))
      let settings = chain.settings(
        for: Gains(
          chain.neutralGains(under: lamp).vector * SIMD3(1.12, 1, 0.93)))
      let camera = try SimulatedCamera(configuration)
      try await camera.set([ControlValue(.autoWhiteBalance, 0)] + settings)
      for _ in 0..<3 { _ = try await card(camera) }
      let seen = try await card(camera)
      let truth = chain.gains(at: settings)
      let told = await camera.gains
      #expect(abs(told.red / truth.red - 1) < 1e-9 && abs(told.blue / truth.blue - 1) < 1e-9)
      // The fall-off of the illumination in the middle is less than 1 in 1000.
      let green = await camera.card.green / truth.green
      let neutral = chain.neutralGains(under: lamp)
      let light = SIMD3(green / neutral.red, green, green / neutral.blue) * truth.vector
      let expected = code(of: light, configuration)
      // Codes are rounded to integers, and to those of 8-bit chroma, which are 1.8 codes wide.
      let tolerance = configuration.pipeline.roundsToLumaAndChroma ? 2.2 : 1.2
      for channel in 0..<3 {
        #expect(abs(seen[channel] - expected[channel]) < tolerance, "\(seen) \(expected) \(chain)")
      }
      compared += 1
    }
    #expect(compared > 100)
  }
}
