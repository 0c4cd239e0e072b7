import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

struct SimulatedShutterTests {
  /// Returns the light at a moment, from the definition of each waveform.
  private func light(_ flicker: SimulatedFlicker, _ time: Double) -> Double {
    let cycles = time * flicker.frequency
    let phase = cycles - cycles.rounded(.down)
    let arch = sine(.pi * phase)
    let shape: Double
    switch flicker.waveform {
    case .sine: shape = (1 - cosine(2 * .pi * phase)) / 2
    case .rectifiedSine: shape = arch
    case .unequalArches(let share):
      let isSecond = (cycles / 2 - (cycles / 2).rounded(.down)) >= 0.5
      shape = isSecond ? arch * (1 - share) : arch
    case .pulses(let duty): shape = phase < duty ? 1 : 0
    }
    // The darkest moment is (1 − m)/(1 + m) of the brightest.
    let darkest = (1 - flicker.modulation) / (1 + flicker.modulation)
    return darkest + (1 - darkest) * shape
  }

  static let lamps = [
    SimulatedFlicker(.sine, frequency: 100, modulation: 0.1),
    SimulatedFlicker(.rectifiedSine, frequency: 120),
    SimulatedFlicker(.unequalArches(0.2), frequency: 100, modulation: 0.5),
    SimulatedFlicker(.pulses(0.3), frequency: 730, modulation: 0.9),
  ]

  /// The mean equals sums over 20 000 moments of the window, and over 100 periods.
  @Test(arguments: lamps) func meanLightIsTheIntegral(flicker: SimulatedFlicker) {
    let periods = 100 / flicker.frequency
    let steps = 20_000
    func sum(_ start: Double, _ duration: Double) -> Double {
      (0..<steps).reduce(0) {
        $0 + light(flicker, start + (Double($1) + 0.5) / Double(steps) * duration)
      } / Double(steps)
    }
    let mean = sum(0, periods)
    for (start, duration) in [(0.0, 0.0004), (0.0123, 0.0031), (-0.4, 0.0166), (7.7, 0.0333)] {
      let expected = sum(start, duration) / mean
      #expect(abs(flicker.meanLight(from: start, for: duration) - expected) < 5e-3)
    }
    let whole = flicker.meanLight(from: 0.3, for: 2 / flicker.frequency)
    #expect(abs(whole - 1) < 1e-9, "whole periods leave nothing")
  }

  @Test func percentFlickerIsTheModulation() {
    for flicker in Self.lamps {
      let moments = (0..<5000).map {
        flicker.meanLight(from: Double($0) / 5000 * 2 / flicker.frequency, for: 0)
      }
      let (low, high) = (moments.min()!, moments.max()!)
      #expect(abs((high - low) / (high + low) - flicker.modulation) < 0.01)
    }
  }

  private func configuration(_ shutter: SimulatedShutter?) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "nikon-d5100")),
      lamp: try #require(MeasuredLamp(named: "D65")), size: (16, 120))
    configuration.settings = [ControlValue(.autoWhiteBalance, 0)]
    configuration.shutter = shutter
    return configuration
  }

  private func rows(_ camera: SimulatedCamera) async throws -> FlickerFrame {
    try await camera.withNextFrame { info, bytes in
      let seconds = Double(info.timestamp.components.attoseconds) * 1e-18
      return try? FlickerFrame(
        bytes, layout: info.layout, sequence: info.sequence,
        time: Double(info.timestamp.components.seconds) + seconds, groups: 120)
    } ?? FlickerFrame(sequence: 0, time: 0, rows: [])
  }

  /// Light of 100 Hz that is read over 20 ms gives two bands in the picture; a global shutter gives
  /// none, nor does an exposure of 10 ms.
  @Test func bandsAreWhereTheShutterPutsThem() async throws {
    let lamp = SimulatedFlicker(.rectifiedSine, frequency: 100)
    let even = try await rows(SimulatedCamera(configuration(nil)))
    func swings(readout: Double, exposure: Double) async throws -> [Double] {
      let camera = try SimulatedCamera(
        configuration(SimulatedShutter(lamp, readout: readout, exposure: exposure)))
      return zip(try await rows(camera).rows, even.rows).map { $0 / $1 }
    }
    func crossings(_ values: [Double]) -> Int {
      let smooth = (0..<12).map { values[$0 * 10..<$0 * 10 + 10].reduce(0, +) / 10 }
      let middle = smooth.reduce(0, +) / 12
      return zip(smooth, smooth.dropFirst()).count { ($0 > middle) != ($1 > middle) }
    }
    let rolling = try await swings(readout: 0.02, exposure: 0.001)
    #expect((3...4).contains(crossings(rolling)))
    #expect(rolling.max()! / rolling.min()! > 2)
    for steady in [
      try await swings(readout: 0, exposure: 0.001),
      try await swings(readout: 0.02, exposure: 0.01),
    ] {
      let smooth = (0..<12).map { steady[$0 * 10..<$0 * 10 + 10].reduce(0, +) / 10 }
      #expect(smooth.max()! / smooth.min()! < 1.02)
    }
  }

  @Test func theExposureControlIsTheRowsWindow() async throws {
    let lamp = SimulatedFlicker(.rectifiedSine, frequency: 100)
    func spread(_ units: Int) async throws -> Double {
      var lit = try configuration(SimulatedShutter(lamp, readout: 0.02, exposure: 0.001))
      var dark = try configuration(nil)
      for index in 0..<2 {
        let settings = [
          ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
          ControlValue(.exposureTime, units),
        ]
        if index == 0 {
          (lit.exposure, lit.settings) = (SimulatedExposure(), settings)
        } else {
          (dark.exposure, dark.settings) = (SimulatedExposure(), settings)
        }
      }
      let even = try await rows(SimulatedCamera(dark)).rows
      let seen = zip(try await rows(SimulatedCamera(lit)).rows, even).map { $0 / $1 }
      let smooth = (0..<12).map { seen[$0 * 10..<$0 * 10 + 10].reduce(0, +) / 10 }
      return smooth.max()! / smooth.min()! - 1
    }
    #expect(try await spread(50) > 0.5)
    #expect(try await spread(100) < 0.02)
  }

  @Test func timestampsFollowTheFrameRate() async throws {
    for (rate, nanoseconds) in [(30.0, 33_333_333), (29.97, 33_366_700), (25, 40_000_000)] {
      var configuration = try configuration(nil)
      configuration.frameRate = rate
      let camera = try SimulatedCamera(configuration)
      _ = try await camera.withNextFrame { _, _ in }
      let second = try await camera.withNextFrame { info, _ in info.timestamp }
      #expect(second == .nanoseconds(nanoseconds))
    }
  }
}
