import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// The flicker of lamps, measured with a camera whose exposure time can be set and whose frame rate
/// cannot.
struct CameraFlickerTests {
  private func port(
    _ flicker: SimulatedFlicker?, frameRate: Double = 30, seed: UInt64 = 1
  ) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "nikon-d5100")),
      lamp: try #require(MeasuredLamp(named: "D65")), seed: seed, size: (32, 96))
    configuration.exposure = SimulatedExposure()
    configuration.settings = [ControlValue(.autoWhiteBalance, 0)]
    configuration.frameRate = frameRate
    configuration.shutter = flicker.map { SimulatedShutter($0, readout: 0.021, exposure: 0.01) }
    return try SimulatedCamera(configuration)
  }

  @Test(arguments: [MainsFrequency.hertz50, .hertz60], [29.97, 25])
  func mainsAreNamed(mains: MainsFrequency, frameRate: Double) async throws {
    let flicker = SimulatedFlicker(.rectifiedSine, frequency: mains.light * 1.0007, modulation: 0.6)
    // Bands that stand still may belong to the scene.
    let isDistinguishable = (mains == .hertz50) != (frameRate == 25)
    for seed in 1...3 as ClosedRange<UInt64> {
      let port = try port(flicker, frameRate: frameRate, seed: seed)
      let camera = Camera(port)
      let before = try await camera.settings()
      let found = try await camera.measureFlicker()
      #expect(try await camera.settings() == before)
      switch found.verdict {
      case .mains(mains): #expect(found.confidence > 0.95)
      case .undetermined where !isDistinguishable: continue
      default: Issue.record("\(mains): \(found.verdict)")
      }
      guard let light = found.light else {
        #expect(!isDistinguishable)
        continue
      }
      let range = try #require(try await camera.durationsWithinAFrame())
      let steady = light.steadyExposures(in: range, step: 1e-4)
      #expect(!steady.isEmpty)
      for time in steady {
        let means = stride(from: 0, to: 0.02, by: 0.0007).map {
          flicker.meanLight(from: $0, for: time)
        }
        #expect(means.max()! / means.min()! < 1.006, "\(time)")
      }
    }
  }

  @Test func pulsesAreNoMains() async throws {
    for frequency in [437.0, 713, 1130] {
      let port = try port(
        SimulatedFlicker(.pulses(0.4), frequency: frequency, modulation: 0.8), frameRate: 29.97)
      switch try await Camera(port).measureFlicker().verdict {
      case .other, .undetermined: break
      case let verdict: Issue.record("\(frequency) Hz: \(verdict)")
      }
    }
  }

  @Test func anEvenLight() async throws {
    let found = try await Camera(try port(nil, frameRate: 29.97)).measureFlicker()
    switch found.verdict {
    case .none, .undetermined: break
    default: Issue.record("\(found.verdict)")
    }
  }
}
