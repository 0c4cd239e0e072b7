import CWbcalTurboJPEG
import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import WbcalImageFiles

/// Compares the effect of JPEG's rounding on the mean of a surface with the error that an estimate
/// states.
struct JPEGRoundingTests {
  /// Returns the root-mean-square error of ln(red/green) and ln(blue/green) over surfaces of known
  /// light, in units of the stated errors.
  private func errors(
    quality: Int, noise: Double, _ subsampling: TJSAMP, isFile: Bool = false, states: Bool = true
  ) throws -> Double {
    let decoder = MotionJPEGDecoder()
    let (width, height) = (160, 120)
    var random = SeededRandom(seed: UInt64(quality) * 100 + UInt64(noise * 10))
    var squares = 0.0
    let trials = 40
    for _ in 0..<trials {
      let light = SIMD3(
        0.1 + 0.4 * random.uniform(), 0.1 + 0.4 * random.uniform(), 0.1 + 0.4 * random.uniform())
      // As in a sensor, the noise is in linear light, and codes after the curve are integers.
      let codes =
        SIMD3(
          TransferFunction.sRGB.encoded(light.x), TransferFunction.sRGB.encoded(light.y),
          TransferFunction.sRGB.encoded(light.z)) * 255
      var pixels: [UInt8] = []
      pixels.reserveCapacity(3 * width * height)
      for _ in 0..<width * height {
        for channel in 0..<3 {
          let value = codes[channel] + noise * random.normal()
          // Random rounding ensures that only JPEG's rounding causes an error.
          pixels.append(UInt8(max(0, min(255, (value + random.uniform()).rounded(.down)))))
        }
      }
      let picture = MotionJPEG.encoded(
        pixels, width: width, height: height, subsampling, quality: quality)
      var frame = try isFile ? JPEGReader.read(picture) : decoder.frame(picture)
      if !states { frame.layout.blockRounding = nil }
      let estimate = try GrayCardEstimator().estimate(frame)
      let truth = LinearRGB(light).logRatios
      let error = estimate.logRatios - truth
      let (x, y) = (error.x / estimate.standardError.red, error.y / estimate.standardError.blue)
      squares += (x * x + y * y) / 2
    }
    return (squares / Double(trials)).squareRoot()
  }

  @Test(arguments: [50, 60, 75, 85, 90, 95], [0.0, 0.5, 1, 2])
  func theStatedErrorHolds(quality: Int, noise: Double) throws {
    for subsampling in [TJSAMP_422, TJSAMP_420, TJSAMP_444] {
      for isFile in [false, true] {
        let found = try errors(quality: quality, noise: noise, subsampling, isFile: isFile)
        #expect(found < 1.7, "errors are \(found) of the stated ones, \(subsampling), \(isFile)")
        #expect(found > 0.5, "errors are \(found) of the stated ones, \(subsampling), \(isFile)")
      }
    }
  }

  /// A card with little noise, whose blocks are rounded to different levels in different places
  /// because the light falls off, is one card and not two.
  @Test(arguments: [50, 60, 75, 90]) func blocksOnTwoLevels(quality: Int) throws {
    let decoder = MotionJPEGDecoder()
    let (width, height) = (160, 120)
    for trial in 0..<20 {
      var random = SeededRandom(seed: UInt64(100 * quality + trial))
      let tint = SIMD3(0.4 + 0.2 * random.uniform(), 0.5, 0.4 + 0.2 * random.uniform())
      var pixels: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          let (u, v) = (Double(x) / 80 - 1, Double(y) / 60 - 1)
          let fall = (u * u + v * v) / 2
          for channel in 0..<3 {
            let light = 0.3 * tint[channel] * (1 - [0.1, 0.1, 0.12][channel] * fall)
            let code = 255 * TransferFunction.sRGB.encoded(light) + 0.5 * random.normal()
            pixels.append(UInt8((code + random.uniform()).rounded(.down)))
          }
        }
      }
      let frame = try decoder.frame(
        MotionJPEG.encoded(pixels, width: width, height: height, TJSAMP_422, quality: quality))
      let estimate = try GrayCardEstimator(region: .center(0.5)).estimate(frame)
      let isOne = estimate.refusals.allSatisfy { if case .coarse = $0 { true } else { false } }
      #expect(isOne, "\(trial): \(estimate.refusals)")
      if quality == 90 { #expect(estimate.isAccepted) }
      if quality == 50 { #expect(!estimate.isAccepted, "\(trial): \(estimate.channelErrors)") }
    }
  }

  /// Without the rounding an estimate would state an error that is several times too small.
  @Test func itMatters() throws {
    #expect(try errors(quality: 50, noise: 1, TJSAMP_422, states: false) > 2)
  }
}
