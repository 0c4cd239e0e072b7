import CWbcalFrameKernels
import ColorScience

/// Gains made ready for frames of one layout: every stored value's successor, in tables.
///
/// In the RGB and Bayer formats, a stored value is decoded to linear light, multiplied by its
/// channel's gain, encoded again and rounded to the nearest code. What would lie at or above the
/// white level is clipped there, and what would lie below 0 is 0. A sample that was at or above the
/// white level already is kept, whatever its gain: how much light it had is not known, and white
/// that is clipped in all channels stays white instead of taking on the color of the gains. Gains
/// below 1 therefore leave a gap below such samples. Floating-point samples hold any number: they
/// are multiplied and neither clipped nor kept, and those that rise to white are counted. Samples
/// that are no color, such as alpha, and gaps between rows are kept. Colors that were multiplied by
/// alpha are taken as they stand, which is exact only where they are opaque or linear.
///
/// Error: the nearest code, by the curves' own bounds (`GainApplicationTests`); of 8-bit pixels
/// that are linear from 0 on, gains below 16 are first rounded, to 2⁻¹⁵ where all are below 2 and
/// half as finely for each doubling, which moves a product by up to 0.004 codes, or up to 0.032.
/// Complexity: O(2ᵇ) to make for b bits per sample, O(pixels) to apply.
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

  /// By channel, the successor of every stored value; empty where they are no integers, or for the
  /// kernel.
  private let codes: [[UInt16]]
  private let white: Int
  private let gains: Gains
  /// What the kernel wants, where it does nearly the same.
  private let kernel: wb_gains?

  /// Gains, as they are given, for frames of a layout.
  ///
  /// - Precondition: the gains are positive and finite (`Gains.arePositiveAndFinite`).
  /// - Throws: `FrameError.colorless` for gray frames, and those of luma and chroma.
  public init(of gains: Gains, layout: FrameLayout) throws(FrameError) {
    precondition(gains.arePositiveAndFinite, "gains are positive and finite")
    switch layout.format.arrangement {
    case .interleaved, .bayer: break
    case .gray, .subsampled: throw .colorless
    }
    self.layout = layout
    self.gains = gains
    let largest = layout.format.maximumValue
    // A sample that cannot rise any more is clipped, whatever the white level says.
    let white = Int(max(0, min(layout.whiteLevel.rounded(.up), Double(largest))))
    self.white = white
    guard layout.format.isInteger else {
      kernel = nil
      codes = []
      return
    }
    kernel = Self.kernel(gains, layout, white: white)
    guard kernel == nil else {
      codes = []
      return
    }
    codes = [gains.red, gains.green, gains.blue].map { gain in
      (0...largest).map { code in
        guard code < white else { return UInt16(code) }
        let value = Self.successor(Double(code), gain, layout).rounded()
        return UInt16(max(0, min(value, Double(white))))
      }
    }
  }

  private static func successor(_ code: Double, _ gain: Double, _ layout: FrameLayout) -> Double {
    let range = layout.whiteLevel - layout.blackLevel
    let light = gain * layout.transfer.linear((code - layout.blackLevel) / range)
    return layout.blackLevel + range * layout.transfer.encoded(light)
  }

  private static func kernel(_ gains: Gains, _ layout: FrameLayout, white: Int) -> wb_gains? {
    guard case .interleaved(let red, let green, let blue, _) = layout.format.arrangement,
      layout.format.sample == .unsigned(bits: 8), max(red, green, blue) < 3,
      layout.transfer == .linear, layout.blackLevel == 0, white > 0
    else { return nil }
    let largest = gains.vector.max()
    guard let shift = (12...15).last(where: { largest * Double(1 << $0) <= 65535 }) else {
      return nil
    }
    var factor = SIMD3<UInt16>.zero
    for (place, gain) in [(red, gains.red), (green, gains.green), (blue, gains.blue)] {
      factor[place] = UInt16((gain * Double(1 << shift)).rounded())
    }
    return wb_gains(
      factor: (factor.x, factor.y, factor.z), shift: UInt8(shift), white: UInt8(white))
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

  /// Writes a frame with the gains applied to another buffer, whole rows with the gaps between
  /// them.
  ///
  /// - Throws: `FrameError.tooShort` if either buffer is.
  @discardableResult
  public func apply(
    to bytes: Span<UInt8>, writingTo output: inout MutableSpan<UInt8>
  ) throws(FrameError) -> Clipping {
    try require(bytes.count)
    try require(output.count)
    if case .interleaved(let red, let green, let blue, let step) = layout.format.arrangement,
      let kernel, layout.bytesPerRow == layout.width * step
    {
      var clipping = Clipping(pixels: layout.width * layout.height)
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe output.withUnsafeMutableBufferPointer { output in
          for row in 0..<layout.height {
            let start = row * layout.bytesPerRow
            let lanes = unsafe run(
              kernel, bytes.baseAddress! + start, output.baseAddress! + start, step: step)
            clipping.add(lanes, at: SIMD3(red, green, blue))
          }
        }
      }
      return clipping
    }
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
    let start = row * layout.bytesPerRow
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let step):
      if let kernel {
        let lanes = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
          let pixels = unsafe bytes.baseAddress! + start
          return unsafe run(kernel, pixels, pixels, step: step)
        }
        clipping.add(lanes, at: SIMD3(red, green, blue))
        return
      }
      for column in 0..<layout.width {
        var clipped = SIMD3<Int>.zero
        for (channel, offset) in [red, green, blue].enumerated() {
          let isRaised = change(&bytes, start, column * step + offset, channel)
          clipped[channel] = isRaised ? 1 : 0
        }
        clipping.add(clipped)
      }
    case .bayer(let pattern):
      let red = pattern.redPosition
      for column in 0..<layout.width {
        let channel = (row & 1 == red.row ? 0 : 1) + (column & 1 == red.column ? 0 : 1)
        var clipped = SIMD3<Int>.zero
        clipped[channel] = change(&bytes, start, column, channel) ? 1 : 0
        clipping.add(clipped)
      }
    case .gray, .subsampled: break
    }
  }

  /// One row by the kernel: samples of each lane, and pixels, that became white.
  private func run(
    _ kernel: wb_gains, _ pixels: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>,
    step: Int
  ) -> SIMD4<UInt64> {
    var kernel = kernel
    var clipped: [UInt64] = [0, 0, 0, 0]
    unsafe wb_apply_rgb8(pixels, output, layout.width, Int32(step), &kernel, &clipped)
    return SIMD4(clipped[0], clipped[1], clipped[2], clipped[3])
  }

  /// Changes a sample, counted from the start of a row; whether it became white.
  private func change(
    _ bytes: inout MutableSpan<UInt8>, _ row: Int, _ index: Int, _ channel: Int
  ) -> Bool {
    func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
    func put(_ word: Int, at offset: Int) {
      bytes[offset] = UInt8(word & 255)
      bytes[offset + 1] = UInt8(word >> 8)
    }
    func isRaised(_ old: Int, _ new: Int) -> Bool { old < white && new >= white }
    switch layout.format.sample {
    case .unsigned(bits: 8):
      let old = Int(bytes[row + index])
      let new = Int(codes[channel][old])
      bytes[row + index] = UInt8(new)
      return isRaised(old, new)
    case .unsigned:
      // Bits above the format's would index past the table.
      let old = word(row + 2 * index) & layout.format.maximumValue
      let new = Int(codes[channel][old])
      put(new, at: row + 2 * index)
      return isRaised(old, new)
    case .packed(let bits):
      let place = PackedSample(bits: bits, row: row, index: index)
      let old = place.read { Int(bytes[$0]) }
      let new = Int(codes[channel][old])
      for (offset, byte) in place.written(new, over: { Int(bytes[$0]) }) {
        bytes[offset] = UInt8(byte)
      }
      return isRaised(old, new)
    case .half:
      let old = LinearSamples.binary32(UInt16(word(row + 2 * index)))
      let (new, isRaised) = changed(old, channel)
      if new != old { put(Int(LinearSamples.binary16(new)), at: row + 2 * index) }
      return isRaised
    case .float:
      let offset = row + 4 * index
      let old = Float(bitPattern: UInt32(word(offset)) | UInt32(word(offset + 2)) << 16)
      let (new, isRaised) = changed(old, channel)
      put(Int(new.bitPattern & 0xFFFF), at: offset)
      put(Int(new.bitPattern >> 16), at: offset + 2)
      return isRaised
    }
  }

  /// A number's successor: nothing clips, as numbers above white can be stored, but they are
  /// counted.
  private func changed(_ value: Float, _ channel: Int) -> (Float, isRaised: Bool) {
    let gain = gains.vector[channel]
    let new = Float(Self.successor(Double(value), gain, layout))
    let white = Float(layout.whiteLevel)
    return (new, value < white && new >= white)
  }
}

extension GainApplication.Clipping {
  fileprivate mutating func add(_ lanes: SIMD4<UInt64>, at places: SIMD3<Int>) {
    redClipped += Int(lanes[places.x])
    greenClipped += Int(lanes[places.y])
    blueClipped += Int(lanes[places.z])
    clipped += Int(lanes.w)
  }

  fileprivate mutating func add(_ clipped: SIMD3<Int>) {
    redClipped += clipped[0]
    greenClipped += clipped[1]
    blueClipped += clipped[2]
    self.clipped += clipped.max()
  }
}

extension Frame {
  /// Multiplies the light of every pixel by gains, as they are given, in place.
  ///
  /// Gains of which the smallest is 1 (`Gains.normalized()`) keep white what is white and clip
  /// highlights; those of which the largest is 1 (`Gains.attenuated()`) clip nothing and darken.
  /// `GainApplication` says what happens to each sample, and serves many frames of one layout.
  ///
  /// - Precondition: the gains are positive and finite (`Gains.arePositiveAndFinite`).
  /// - Returns: how many pixels the gains clipped.
  /// - Throws: `FrameError.tooShort` if bytes were removed, `FrameError.colorless` for gray frames,
  ///   and those of luma and chroma.
  @discardableResult
  public mutating func apply(_ gains: Gains) throws(FrameError) -> GainApplication.Clipping {
    let application = try GainApplication(of: gains, layout: layout)
    var span = bytes.mutableSpan
    return try application.apply(to: &span)
  }
}

extension Gains {
  /// The same chromaticity with the largest gain 1, under which no sample clips that was not
  /// clipped: idempotent, and exact for that gain.
  ///
  /// Edge cases: gains that are not positive and finite are returned as they are.
  public func attenuated() -> Gains {
    arePositiveAndFinite ? Gains(vector / vector.max()) : self
  }
}
