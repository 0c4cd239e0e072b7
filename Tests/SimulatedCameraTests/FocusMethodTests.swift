import CameraControl
import CameraProfiles
import SimulatedCamera
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// A comparison that shows why sharpness is a product of two frames' gradients: methods that find
/// the best of eleven positions of a lens from two frames of each, in the noise of ISO 3200.
struct FocusMethodTests {
  private typealias Operator = @Sendable (_ x: Int, _ y: Int, (Int, Int) -> Float) -> SIMD2<Float>

  private static let sobel: Operator = { x, y, at in
    let across =
      at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1)
      - 2 * at(x - 1, y) - at(x - 1, y + 1)
    let down =
      at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1)
      - 2 * at(x, y - 1) - at(x + 1, y - 1)
    return SIMD2(across, down)
  }

  private static let laplacian: Operator = { x, y, at in
    SIMD2(4 * at(x, y) - at(x + 1, y) - at(x - 1, y) - at(x, y + 1) - at(x, y - 1), 0)
  }

  /// Returns the mean product of two pictures' responses, relative to their light.
  private static func product(
    _ first: LinearPlane, _ second: LinearPlane, _ response: Operator
  ) -> Double {
    var (sum, count, light) = (0.0, 0.0, (0.0, 0.0))
    for y in 1..<first.height - 1 {
      for x in 1..<first.width - 1 {
        let a = response(x, y) { first.values[$1 * first.width + $0] }
        let b = response(x, y) { second.values[$1 * first.width + $0] }
        let product = Double((a * b).sum())
        guard product.isFinite else { continue }
        sum += product
        count += 1
        light.0 += Double(first.values[y * first.width + x])
        light.1 += Double(second.values[y * first.width + x])
      }
    }
    return sum * count / (light.0 * light.1)
  }

  /// Counts the scenes in which each method finds the best position, or the one next to it.
  private func successes(_ texture: SimulatedTexture, scenes: Int) async throws -> [String: Int] {
    let places = Array(stride(from: 75, through: 175, by: 10))
    var found: [String: Int] = [:]
    for seed in 0..<scenes {
      var values: [String: [Double]] = [:]
      for place in places {
        var configuration = SimulatedCamera.Configuration(
          sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
          lamp: try #require(MeasuredLamp(named: "D65")), seed: UInt64(seed), size: (160, 120))
        configuration.texture = texture
        configuration.iso = 3200
        configuration.lens = SimulatedLens(best: 125)
        configuration.settings = [ControlValue(.focusPosition, place)]
        let camera = try SimulatedCamera(configuration)
        // The noise differs from that at the other positions.
        for _ in 0..<place / 10 { try await camera.withNextFrame { _, _ in } }
        var planes: [LinearPlane] = []
        for _ in 0..<2 {
          planes.append(
            try await camera.withNextFrame { info, bytes in
              Result { () throws(FrameError) in
                try LinearPlane(
                  bytes, layout: info.layout,
                  region: PixelRectangle(x: 40, y: 30, width: 80, height: 60))
              }
            }.get())
        }
        let (a, b) = (planes[0], planes[1])
        func add(_ name: String, _ value: Double) { values[name, default: []].append(value) }
        add("Tenengrad", Self.product(a, a, Self.sobel) + Self.product(b, b, Self.sobel))
        add("Laplacian", Self.product(a, a, Self.laplacian) + Self.product(b, b, Self.laplacian))
        add("product of Laplacians", Self.product(a, b, Self.laplacian))
        var meter = FocusMeter()
        meter.add(a)
        meter.add(b)
        add("meter", try #require(meter.measure).sharpness)
      }
      for (name, values) in values {
        let best = try #require(values.indices.max { values[$0] < values[$1] })
        if abs(places[best] - 125) <= 10 { found[name, default: 0] += 1 }
      }
    }
    return found
  }

  @Test func theProductOfGradientsFindsFaintTextureInNoise() async throws {
    let found = try await successes(.noise(contrast: 0.05, grain: 2), scenes: 24)
    func count(_ name: String) -> Int { found[name] ?? 0 }
    for other in ["Tenengrad", "Laplacian", "product of Laplacians"] {
      #expect(count("meter") >= 2 * count(other), "\(found)")
    }
    #expect(count("meter") >= 16, "\(found)")
  }
}
