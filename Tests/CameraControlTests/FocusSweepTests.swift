import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Random lenses: each is focused at its best position, or refused with the true reason.
struct FocusSweepTests {
  /// A camera, its lens, and its scene.
  private struct Drawn: CustomStringConvertible {
    var configuration: SimulatedCamera.Configuration
    var lens: SimulatedLens
    var isNearAtMaximum: Bool
    var latency: Int?
    var description: String

    init(seed: Int) throws {
      var random = SplitMix64(state: UInt64(seed) &* 6007 &+ 5)
      func draw<Element>(_ list: [Element]) -> Element {
        list[Int(random.next() % UInt64(list.count))]
      }
      var words: [String] = []
      func note<Value>(_ name: String, _ value: Value) -> Value {
        words.append("\(name) \(value)")
        return value
      }
      configuration = SimulatedCamera.Configuration(
        sensor: try #require(MeasuredSensor(named: draw(["canon-eos-600d", "nikon-d5100"]))),
        lamp: try #require(MeasuredLamp(named: draw(["A", "D65", "FL11", "LED-B3"]))),
        seed: UInt64(seed), size: (160, 120))
      configuration.pipeline = try #require(
        SimulatedPipeline(named: note("pipeline", draw(["ideal", "webcam", "board"]))))
      configuration.iso = note("ISO", draw([100.0, 400, 1600, 3200]))
      let textures: [SimulatedTexture] = [
        .noise(contrast: 0.6, grain: 1), .noise(contrast: 0.3, grain: 2),
        .noise(contrast: 0.15, grain: 3), .noise(contrast: 0.1, grain: 2),
        .text(contrast: 0.8, dot: 1), .text(contrast: 0.5, dot: 2), .text(contrast: 0.15, dot: 2),
        .noise(contrast: 0.04, grain: 3),
      ]
      configuration.texture = note("texture", draw(textures))
      let steps = note("steps", draw([40, 64, 100, 250, 600, 1000]))
      let step = note("of", draw([1, 1, 5]))
      let first = note("from", draw([0, 0, -100, 50]))
      let range = Double(steps * step)
      func share(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(random.next() >> 11) / Double(1 << 53)
      }
      lens = SimulatedLens(
        range: first...first + steps * step,
        best: note("best", Double(first) + share(0.1, 0.85) * range))
      lens.step = step
      lens.blur = note("blur", draw([6.0, 12, 25]))
      lens.backlash = note("backlash", share(0, 0.08) * range)
      lens.latency = draw([0, 0, 1, 3])
      configuration.latency = draw([0, 1, 2, 2, 3, 6])
      let total = note("latency", configuration.latency + lens.latency)
      lens.speed = note("speed", draw([.infinity, range / 10, range / 40, range / 80]))
      configuration.lens = lens
      latency = note("known", draw([true, false])) ? total : nil
      isNearAtMaximum = note("near at maximum", draw([true, false]))
      configuration.settings = [
        ControlValue(.focusPosition, first + step * Int(random.next() % UInt64(steps)))
      ]
      description = "\(seed): " + words.joined(separator: ", ")
    }

    /// Indicates whether noise may hide all detail.
    var isFaint: Bool { configuration.texture == .noise(contrast: 0.04, grain: 3) }

    /// A step, or a hundredth of the range.
    var unit: Double {
      max(Double(lens.step), Double(lens.range.upperBound - lens.range.lowerBound) / 100)
    }

    func camera(_ port: SimulatedCamera) -> Camera {
      var camera = Camera(port, latency: latency)
      camera.isNearAtMaximum = isNearAtMaximum
      return camera
    }
  }

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  private static let count = number("WBCAL_SOAK_CAMERAS") == nil ? 16 : 300
  private static let first = number("WBCAL_SOAK_FIRST") ?? 0

  @Test func sweepsEndAtTheBestPlace() async throws {
    var missed: [String] = []
    var wrong: [String] = []
    var faint = (refused: 0, all: 0)
    for seed in Self.first..<Self.first + Self.count {
      let drawn = try Drawn(seed: seed)
      if drawn.isFaint { faint.all += 1 }
      let port = try SimulatedCamera(drawn.configuration)
      let before = try await port.value(of: .focusPosition)
      do throws(CameraError) {
        let sweep = try await drawn.camera(port).sweepFocus()
        let off = abs(await port.lensPlace - drawn.lens.best) / drawn.unit
        if off > 2 {
          missed.append("\(off) off: \(drawn)")
          // The stated error must not be too small either.
          if off > 2 + 4 * sweep.standardError / drawn.unit { wrong.append("\(off): \(drawn)") }
        }
        if try await port.value(of: .focusPosition) != sweep.value {
          wrong.append("not set: \(drawn)")
        }
        if abs(sweep.repeatability) > 0.1 + 5 * sweep.repeatabilityError + 0.5 {
          wrong.append("repeatability \(sweep.repeatability): \(drawn)")
        }
      } catch {
        if drawn.isFaint { faint.refused += 1 } else { missed.append("\(error): \(drawn)") }
        switch error {
        case .notFocused(.noTexture), .notFocused(.uncertain), .notFocused(.notFinest): break
        default: wrong.append("\(error): \(drawn)")
        }
        if try await port.value(of: .focusPosition) != before {
          wrong.append("not as before: \(drawn)")
        }
      }
    }
    #expect(
      Double(missed.count) <= 0.02 * Double(Self.count - faint.all),
      Comment(rawValue: missed.joined(separator: "\n")))
    #expect(2 * faint.refused <= faint.all, "\(faint)")
    #expect(wrong.isEmpty, Comment(rawValue: wrong.joined(separator: "\n")))
  }
}
