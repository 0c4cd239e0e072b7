import ColorScience
import Testing

@testable import WhiteBalance

/// The limits beyond which samples count as saturated, each tested from both sides.
struct SaturationTests {
  /// A featureless frame, for tiles with synthetic codes.
  private struct Plain {
    var format = PixelFormat.bayer(.rggb, bits: 12)
    var black = 64.0
    var white: Double?
    var transfer = TransferFunction.linear
    /// The codes of the tiles.
    var centers = [SIMD4<Float>(repeating: 1024)]
    var deviation = SIMD4<Float>.zero
    /// The number of the frame's thousand samples that have the brighter code.
    var brighter = 0
    var brightCode = 4000

    func refusal() throws -> GrayCardEstimate.Refusal? {
      let cell = format.unit.columns
      let layout = try FrameLayout(
        width: 50 * cell, height: 20 * cell, format: format, blackLevel: black, whiteLevel: white,
        transfer: transfer)
      var bytes = [UInt8](repeating: 0, count: layout.byteCount)
      func put(_ code: Int, _ sample: Int) {
        let channels = cell == 2 ? 1 : 3
        for place in 0..<channels {
          // The red pixel of a cell, or all three samples of a pixel.
          let pixel = sample / 50 * cell * layout.width + sample % 50 * cell
          let index = pixel * channels + place
          if format.bytesPerSample == 1 {
            bytes[index] = UInt8(code)
          } else {
            (bytes[2 * index], bytes[2 * index + 1]) = (UInt8(code & 255), UInt8(code >> 8))
          }
        }
      }
      // Some noise prevents a pile-up.
      for sample in 0..<1000 { put(70 + sample % 7, sample) }
      for sample in 0..<brighter { put(brightCode, sample) }
      let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
      var saturation = Saturation(samples, acceptedShare: 0.02)
      let found = TypicalCodes(samples, bytes.span, columns: 20..<50, rows: 10..<20)
      var codes = try #require(found)
      for center in centers {
        (codes.center, codes.deviation) = (center, deviation)
        (codes.top, codes.atTop) = (center, .zero)
        saturation.add(codes, columns: 20..<50, rows: 10..<20)
      }
      return saturation.refusal(bytes.span)
    }

    func isSaturated(_ change: (inout Plain) -> Void) throws -> Bool {
      var plain = self
      change(&plain)
      return try plain.refusal() != nil
    }
  }

  @Test func whatIsReported() throws {
    var plain = Plain()
    plain.centers = [1000, 1024, 1010, 300].map { SIMD4(repeating: $0) }
    plain.centers[3].x = 600
    #expect(try plain.refusal() == .saturated(.green, code: 1024, share: 0.75))
  }

  /// The channels may differ by a 64th relative to the black level: 960 and 945.
  @Test func channelsThatAreNearlyEqual() throws {
    for lane in 0..<4 {
      for (code, expected) in [(1009 as Float, true), (1008.9, false)] {
        let plain = Plain()
        #expect(try plain.isSaturated { $0.centers[0][lane] = code } == expected, "\(lane) \(code)")
      }
    }
  }

  /// The noise is at most a thousandth of the light in every channel.
  @Test func noiseOfAThousandth() throws {
    let plain = Plain()
    for lane in 0..<4 {
      #expect(try plain.isSaturated { $0.deviation[lane] = 0.96 })
      #expect(try !plain.isSaturated { $0.deviation[lane] = 0.961 })
    }
  }

  /// More than half of the tiles must be flat.
  @Test func halfOfTheTiles() throws {
    let (flat, other) = (SIMD4<Float>(repeating: 1024), SIMD4<Float>(900, 700, 700, 500))
    #expect(try Plain().isSaturated { $0.centers = [flat, flat, other] })
    #expect(try !Plain().isSaturated { $0.centers = [flat, other] })
    #expect(try !Plain().isSaturated { $0.centers = [flat, other, other] })
    #expect(try !Plain().isSaturated { $0.centers = [] })
  }

  /// One sample of a thousand may be brighter by more than a 64th: above 64 + 960·65/64 = 1039.
  @Test func theBrightestOfTheFrame() throws {
    #expect(try Plain().isSaturated { $0.brighter = 1 })
    #expect(try !Plain().isSaturated { $0.brighter = 2 })
    #expect(try Plain().isSaturated { ($0.brighter, $0.brightCode) = (500, 1039) })
    #expect(try !Plain().isSaturated { ($0.brighter, $0.brightCode) = (500, 1040) })
  }

  /// Only a sensor's linear samples of more than 8 bits may be saturated anywhere above black;
  /// other flat samples must be above nine tenths of white.
  @Test func whatMayBePainted() throws {
    for (code, expected) in [(65, true), (64, false)] {
      let found = try Plain().isSaturated {
        ($0.brighter, $0.brightCode) = (1000, code)
        $0.centers = [SIMD4(repeating: Float(code))]
      }
      #expect(found == expected)
    }
    // 90 % of 250, relative to black and relative to 0, is 225.
    let others: [(inout Plain) -> Void] = [
      { $0.format = .bayer(.rggb, bits: 8) },
      { $0.format = .rgb8 },
      { ($0.format, $0.transfer) = (.bayer(.rggb, bits: 12), .sRGB) },
      { $0.format = .rgb16 },
    ]
    for change in others {
      for (code, expected) in [(225 as Float, false), (226, true), (65, false)] {
        let found = try Plain().isSaturated {
          change(&$0)
          ($0.black, $0.white, $0.centers) = (0, 250, [SIMD4(repeating: code)])
        }
        #expect(found == expected, "\(code)")
      }
    }
    let dark = try Plain().isSaturated {
      ($0.format, $0.black, $0.white) = (.rgb16, 1000, 2000)
      $0.centers = [SIMD4(repeating: 1900)]
    }
    let bright = try Plain().isSaturated {
      ($0.format, $0.black, $0.white) = (.rgb16, 1000, 2000)
      $0.centers = [SIMD4(repeating: 1901)]
    }
    #expect(!dark && bright)
  }

  /// Returns the refusal for a frame of one tile in which green has a given number of samples of
  /// each code, blue has some codes, and all codes of red differ.
  private static func pile(
    green: [(code: Int, count: Int)], blues: Int = 1, accepted: Double = 0.02,
    white: Double = 65_536
  ) throws -> GrayCardEstimate.Refusal? {
    let greens = green.flatMap { [Int](repeating: $0.code, count: $0.count) }
    let layout = try FrameLayout(width: greens.count, height: 1, format: .rgb16, whiteLevel: white)
    var bytes: [UInt8] = []
    for (index, green) in greens.enumerated() {
      for code in [10, green, 3 + index % blues] { bytes += [UInt8(code & 255), UInt8(code >> 8)] }
    }
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    var saturation = Saturation(samples, acceptedShare: accepted)
    let found = TypicalCodes(samples, bytes.span, columns: 0..<greens.count, rows: 0..<1)
    saturation.add(try #require(found), columns: 0..<greens.count, rows: 0..<1)
    return saturation.refusal(bytes.span)
  }

  private static let rising = (1...8).map { (code: 500 + $0, count: 5) }

  /// The code must be more than twice as frequent as any other.
  @Test func twiceAsOften() throws {
    let found = try Self.pile(green: Self.rising + [(1000, 11)])
    #expect(found == .saturated(.green, code: 1000, share: 11.0 / 51))
    #expect(try Self.pile(green: Self.rising + [(1000, 10)]) == nil)
  }

  /// The code must have more than a tenth of the tile's samples.
  @Test func aTenth() throws {
    let rising = (1...45).map { (code: 500 + $0, count: 2) }
    #expect(try Self.pile(green: rising + [(1000, 11)]) != nil)
    #expect(try Self.pile(green: rising + [(1000, 10)]) == nil)
    let hundred = rising.dropFirst() + [(1000, 12)]
    #expect(try Self.pile(green: Array(hundred), accepted: 0.119) != nil)
    #expect(try Self.pile(green: Array(hundred), accepted: 0.12) == nil)
  }

  /// The channel must have at least five codes; or more than half of its samples pile up while
  /// another channel has eight codes.
  @Test func noiseBesideThePile() throws {
    #expect(try Self.pile(green: [(1, 4), (2, 4), (3, 4), (4, 4), (1000, 12)]) != nil)
    #expect(try Self.pile(green: [(1, 4), (2, 4), (3, 4), (1000, 12)], blues: 9) == nil)
    #expect(try Self.pile(green: [(1, 4), (2, 4), (3, 4), (1000, 13)], blues: 8) != nil)
    #expect(try Self.pile(green: [(1, 4), (2, 4), (3, 4), (1000, 13)], blues: 7) == nil)
  }

  /// The code must be above 0.2 % of white.
  @Test func piledUpInTheDark() throws {
    #expect(try Self.pile(green: Self.rising + [(1000, 11)], white: 1000 / 0.0021) != nil)
    #expect(try Self.pile(green: Self.rising + [(1000, 11)], white: 501_000) == nil)
  }
}
