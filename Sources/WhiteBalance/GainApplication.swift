import ColorScience

/// Gains made ready for frames of one layout: every stored value's successor, in tables.
///
/// A stored value is decoded to linear light, multiplied by its channel's gain, encoded again and
/// rounded to the nearest code. What would lie at or above the white level is
/// clipped there, and what would lie below 0 is 0. A sample that was at or above the white level
/// already is kept, whatever its gain: how much light it had is not known, and white that is clipped
/// in all channels stays white instead of taking on the color of the gains. Gains below 1 therefore
/// leave a gap below such samples. Samples that are no color, such as alpha, and gaps between rows are
/// kept. Colors that were multiplied by alpha are taken as they stand, which is exact only where they
/// are opaque or linear.
///
/// Error: the nearest code, by the curves' own bounds (`GainApplicationTests`). Complexity: O(2ᵇ) to
/// make for b bits per sample, O(pixels) to apply.
public struct GainApplication: Sendable {
  /// What gains did to a frame's highlights.
  public struct Clipping: Hashable, Sendable {
    /// All pixels of the frame.
    public var pixels: Int
    /// Pixels of which the gains raised at least one sample to white that was below it.
    public var clipped: Int
    /// Pixels whose red was raised to white.
    public var redClipped: Int
    /// Pixels whose green was raised to white.
    public var greenClipped: Int
    /// Pixels whose blue was raised to white.
    public var blueClipped: Int

    /// Counts of pixels; in a color filter array each has one sample.
    public init(
      pixels: Int, clipped: Int = 0, redClipped: Int = 0, greenClipped: Int = 0,
      blueClipped: Int = 0
    ) {
      self.pixels = pixels
      self.clipped = clipped
      self.redClipped = redClipped
      self.greenClipped = greenClipped
      self.blueClipped = blueClipped
    }
  }

  /// The frames that it is for.
  public let layout: FrameLayout

  /// By channel, the successor of every stored value.
  private let codes: [[UInt16]]
  private let white: Int
  /// The samples of a pixel that are colors, by the parity of its row and of its column.
  private let samples: [[[(offset: Int, channel: Int)]]]

  /// Gains, as they are given, for frames of a layout.
  ///
  /// - Precondition: the gains are positive and finite (`Gains.areUsable`).
  public init(of gains: Gains, layout: FrameLayout) {
    precondition(gains.areUsable, "gains are positive and finite")
    self.layout = layout
    let largest = layout.format.maximumValue
    let range = layout.whiteLevel - layout.blackLevel
    // A sample that cannot rise any more is clipped, whatever the white level says.
    let white = Int(max(0, min(layout.whiteLevel.rounded(.up), Double(largest))))
    codes = [gains.red, gains.green, gains.blue].map { gain in
      (0...largest).map { code in
        guard code < white else { return UInt16(code) }
        let light = gain * layout.transfer.linear((Double(code) - layout.blackLevel) / range)
        let value = (layout.blackLevel + range * layout.transfer.encoded(light)).rounded()
        return UInt16(max(0, min(value, Double(white))))
      }
    }
    self.white = white
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, _):
      let all = [(offset: red, channel: 0), (green, 1), (blue, 2)]
      samples = [[all, all], [all, all]]
    case .bayer(let pattern):
      let red = pattern.redPosition
      samples = (0...1).map { row in
        (0...1).map { column in
          [(offset: 0, channel: (row == red.row ? 0 : 1) + (column == red.column ? 0 : 1))]
        }
      }
    }
  }

  /// Applies the gains to a frame's bytes in place; bytes behind the frame are kept.
  ///
  /// - Throws: `FrameError.tooShort`.
  @discardableResult
  public func apply(to bytes: inout MutableSpan<UInt8>) throws(FrameError) -> Clipping {
    try require(bytes.count)
    var clipping = Clipping(pixels: layout.width * layout.height)
    for row in 0..<layout.height { apply(to: &bytes, row: row, clipping: &clipping) }
    return clipping
  }

  /// Writes a frame with the gains applied to another buffer, whole rows with the gaps between them.
  ///
  /// - Throws: `FrameError.tooShort` if either buffer is.
  @discardableResult
  public func apply(
    to bytes: Span<UInt8>, writingTo output: inout MutableSpan<UInt8>
  ) throws(FrameError) -> Clipping {
    try require(bytes.count)
    try require(output.count)
    for index in 0..<layout.byteCount { output[index] = bytes[index] }
    return try apply(to: &output)
  }

  private func require(_ count: Int) throws(FrameError) {
    guard count >= layout.byteCount else {
      throw .tooShort(bytes: count, needed: layout.byteCount)
    }
  }

  /// One row, in place.
  private func apply(to bytes: inout MutableSpan<UInt8>, row: Int, clipping: inout Clipping) {
    let size = layout.format.bytesPerSample
    let step = size * layout.format.samplesPerPixel
    for column in 0..<layout.width {
      let pixel = row * layout.bytesPerRow + column * step
      var clipped = SIMD3<Int>.zero
      for sample in samples[row & 1][column & 1] {
        let offset = pixel + sample.offset * size
        var code = Int(bytes[offset])
        // Bits above the format's would index past the table.
        if size == 2 { code = (code | Int(bytes[offset + 1]) << 8) & layout.format.maximumValue }
        let new = codes[sample.channel][code]
        if code < white, new >= white { clipped[sample.channel] = 1 }
        bytes[offset] = UInt8(truncatingIfNeeded: new)
        if size == 2 { bytes[offset + 1] = UInt8(new >> 8) }
      }
      clipping.redClipped += clipped[0]
      clipping.greenClipped += clipped[1]
      clipping.blueClipped += clipped[2]
      clipping.clipped += clipped.max()
    }
  }
}

extension Frame {
  /// Multiplies the light of every pixel by gains, as they are given, in place.
  ///
  /// Gains of which the smallest is 1 (`Gains.normalized()`) keep white what is white and clip
  /// highlights; those of which the largest is 1 (`Gains.attenuated()`) clip nothing and darken.
  /// `GainApplication` says what happens to each sample, and serves many frames of one layout.
  ///
  /// - Precondition: the gains are positive and finite (`Gains.areUsable`).
  /// - Returns: how many pixels the gains clipped.
  /// - Throws: `FrameError.tooShort` if bytes were removed.
  @discardableResult
  public mutating func apply(_ gains: Gains) throws(FrameError) -> GainApplication.Clipping {
    let application = GainApplication(of: gains, layout: layout)
    var span = bytes.mutableSpan
    return try application.apply(to: &span)
  }
}

extension Gains {
  /// The same chromaticity with the largest gain 1, under which no sample clips that was not clipped:
  /// idempotent, and exact for that gain.
  ///
  /// Edge cases: gains that are not positive and finite are returned as they are.
  public func attenuated() -> Gains {
    areUsable ? Gains(vector: vector / vector.max()) : self
  }
}
