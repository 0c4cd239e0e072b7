import ColorScience
import Testing

@testable import CameraProfiles

/// The comparison of the first picture with a later one of the same settings.
struct FirstPictureTests {
  /// The codes of light behind a contrast curve, as webcams have it.
  private static func codes(_ light: SIMD3<Double>) -> [Double] {
    (0..<3).map { channel in
      let value = TransferFunction.sRGB.encoded(light[channel])
      return 255 * (value - 0.35 * sine(2 * .pi * value) / (2 * .pi))
    }
  }

  private static func picture(_ lights: [SIMD3<Double>], clipped: Double = 0) -> FirstPicture {
    FirstPicture(
      balances: [], exposure: nil,
      frames: lights.enumerated().map { index, light in
        CodeMean(
          CameraRecording.Frame(
            sequence: index, seconds: 0, format: "", codes: codes(light),
            deviations: [2, 2, 2], clipped: [clipped, clipped, clipped], pixels: 10_000, picture: []
          ))
      })
  }

  /// A card that is not neutral, in frames whose light varies with a period of 17.
  private static func flickering(_ amount: Double, color: SIMD3<Double>) -> [SIMD3<Double>] {
    (0..<16).map { color * (1 + amount * sine(2 * .pi * Double($0) / 17)) }
  }

  @Test(
    "A flickering lamp is the same lamp, at any brightness",
    arguments: [0.02, 0.05, 0.1], [0.12, 0.2, 0.45])
  func flicker(amount: Double, brightness: Double) {
    let color = brightness * SIMD3(0.55, 1, 0.8)
    let first = Self.picture(Self.flickering(amount, color: color))
    for phase in [-1.0, -0.4, 0, 0.6, 1] {
      let codes = Self.codes(color * (1 + amount * phase))
      #expect(first.change(to: SIMD3(codes[0], codes[1], codes[2]), delay: 2) == 0)
    }
  }

  /// Near white a contrast curve changes ratios so much that only the learned curve explains it.
  @Test func flickerNearWhite() throws {
    let points = (0...40).map { index in
      let light = Double(index) / 40
      return ToneCurve.Point(
        stored: Self.codes(SIMD3(repeating: light))[0] / 255, linear: light)
    }
    let curve = TransferFunction.curve(try #require(ToneCurve(points)))
    let color = SIMD3(0.9, 0.15, 0.9)
    let first = Self.picture(Self.flickering(0.05, color: color))
    func change(_ light: SIMD3<Double>, _ transfer: TransferFunction) -> Double {
      let codes = Self.codes(light)
      return first.change(to: SIMD3(codes[0], codes[1], codes[2]), behind: transfer, delay: 2)
    }
    for factor in [0.95, 1, 1.05] { #expect(change(factor * color, curve) == 0) }
    for other in [SIMD3(0.95, 1, 1), SIMD3(1, 1, 1.06)] {
      #expect(change(color * other, curve) > 0.02)
    }
    #expect(change(0.95 * color, .sRGB) > 0)
  }

  @Test("Another lamp is noticed, even if the first one flickers", arguments: [0, 0.02, 0.05, 0.1])
  func otherLamp(amount: Double) {
    let color = SIMD3(0.11, 0.2, 0.16)
    let first = Self.picture(Self.flickering(amount, color: color))
    for other in [SIMD3(0.95, 1, 1), SIMD3(1.1, 1.05, 0.9), SIMD3(1, 1, 1.06)] {
      let codes = Self.codes(color * other)
      #expect(first.change(to: SIMD3(codes[0], codes[1], codes[2]), delay: 2) > 0.02)
    }
  }

  @Test("A lamp that is exchanged during the first frames is noticed", arguments: [6, 9, 12])
  func exchanged(at frame: Int) {
    let (before, after) = (SIMD3(0.2, 0.15, 0.06), SIMD3(0.12, 0.2, 0.17))
    let lights = (0..<16).map { $0 < frame ? before : after }
    let codes = Self.codes(after)
    #expect(Self.picture(lights).change(to: SIMD3(codes[0], codes[1], codes[2]), delay: 2) > 0.1)
  }

  @Test("A black channel shows no change while the lamp flickers, but is noticed if it lights up")
  func blackChannel() {
    let color = SIMD3(0.3, 0.25, 0.0)
    let first = Self.picture(Self.flickering(0.05, color: color))
    for phase in [-1.0, 0, 1] {
      let codes = Self.codes(color * (1 + 0.05 * phase))
      #expect(first.change(to: SIMD3(codes[0], codes[1], codes[2]), delay: 2) == 0)
    }
    let codes = Self.codes(SIMD3(0.3, 0.25, 0.05))
    #expect(first.change(to: SIMD3(codes[0], codes[1], codes[2]), delay: 2) > 0.1)
  }

  @Test func tooFewFramesShowNothing() {
    let codes = SIMD3(20.0, 200, 20)
    let color = SIMD3(0.2, 0.2, 0.2)
    #expect(Self.picture([color, color]).change(to: codes, delay: 0) == 0)
    #expect(Self.picture([color, color, color, color]).change(to: codes, delay: 2) == 0)
    #expect(
      Self.picture([color, color, color], clipped: 0.5).change(to: codes, delay: 0) == 0)
  }
}
