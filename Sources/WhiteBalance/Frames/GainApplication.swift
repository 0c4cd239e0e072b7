import CWbcalFrameKernels
import ColorScience

/// Gains prepared for frames of one layout, as tables of the new value of every code.
///
/// In the RGB and Bayer formats, a code is decoded to a linear value, multiplied by its channel's
/// gain, encoded again and rounded to the nearest code between 0 and the white level.
/// `HighlightPolicy` defines the results of samples that were clipped before. Floating-point
/// samples are multiplied and never clipped; those that rise to white are counted. Samples that are
/// not a color, such as alpha, and gaps between rows are kept. Colors that are premultiplied by
/// alpha are treated like others, which is exact only where they are opaque or linear.
///
/// ```swift
/// typealias Clipping = GainApplication.ClippingCounts
///
/// func balance(_ bytes: inout [UInt8], layout: FrameLayout) throws -> Clipping {
///   var span = bytes.mutableSpan
///   return try GainApplication(of: Gains(red: 1.5, blue: 2), layout: layout).apply(to: &span)
/// }
///
/// var pixel: [UInt8] = [100, 150, 130]
/// let clipping = try balance(&pixel, layout: FrameLayout(width: 1, height: 1, format: .rgb8))
/// assert(pixel == [150, 150, 255] && clipping.blueClipped == 1)
/// ```
///
/// Error: the result is the nearest code, within the error bounds of the transfer functions
/// (`GainApplicationTests`). One case rounds gains first: 8-bit linear pixels with black level 0,
/// clipped samples kept, and gains below 16. The gains are rounded to multiples of 2⁻¹⁵ if all are
/// below 2, and of twice that for each doubling of the limit, which changes a product by up to
/// 0.004 codes (gains below 2) or 0.032 codes (gains below 16). Complexity: O(2ᵇ) to make for b
/// bits per sample, O(pixels) to apply.
public struct GainApplication: Sendable {
  /// The treatment of integer samples that are at or above the white level before the gains, so
  /// that their true linear value is not known.
  public enum HighlightPolicy: Hashable, Sendable {
    /// They keep their value, whatever their gain.
    ///
    /// White that is clipped in all channels stays white. Gains below 1 leave a gap below such
    /// samples; a neutral highlight clipped in one channel alone takes on that channel's color.
    case kept
    /// They become as bright as the brightest sample of their pixel after the gains, in which
    /// clipped samples count as white times their gain.
    ///
    /// A highlight whose other channels are neutral becomes neutral, a red one stays red, and
    /// white that is clipped in all channels becomes white times the largest gain. In a color
    /// filter array, a 2×2 cell counts as a pixel.
    case neutral
  }

  /// The effect of gains on a frame's highlights, as counts of pixels; in a color filter array each
  /// pixel has one sample.
  public struct ClippingCounts: Hashable, Sendable {
    /// All pixels of the frame.
    public var pixels: Int
    /// Pixels with at least one sample that was below white and that the gains raised to white.
    public var clipped = 0
    /// Pixels whose red was raised to white.
    public var redClipped = 0
    /// Pixels whose green was raised to white.
    public var greenClipped = 0
    /// Pixels whose blue was raised to white.
    public var blueClipped = 0

    /// Creates the counts of a frame with the given number of pixels, none of them raised.
    public init(pixels: Int = 0) { self.pixels = pixels }

    /// Adds the counts of other rows of the same frame.
    public mutating func add(_ other: ClippingCounts) {
      pixels += other.pixels
      clipped += other.clipped
      redClipped += other.redClipped
      greenClipped += other.greenClipped
      blueClipped += other.blueClipped
    }
  }

  /// The place of a sample in a pixel, or in a cell of a color filter array.
  private struct Place {
    var row, index, channel: Int
    /// The index in `codes` of the result of its code 0.
    var firstCode: Int
  }

  /// The layout of the frames.
  public let layout: FrameLayout
  /// The treatment of samples that were clipped before.
  public let clipped: HighlightPolicy

  /// The samples of a pixel or cell.
  private let places: [Place]
  /// The number of samples from a pixel or cell to the next one in its row.
  private let step: Int
  private let samplesInRow: Int
  /// The results of all codes of red, then of green and of blue: the new code in the lower 16 bits,
  /// and 1 in the upper bits if the code is raised to white; empty for floating-point samples and
  /// if the kernel is used.
  private let codes: [UInt32]
  /// The new codes as one table for each byte of a pixel of three or four bytes, in the form that
  /// the lookup kernel reads.
  private let tables: [UInt8]
  private let white: Int
  private let gains: Gains
  /// The gains in the form that the kernel reads; `nil` if it cannot be used.
  private let kernel: wb_gains?

  /// Prepares gains, which are not normalized, for frames of a layout.
  ///
  /// - Precondition: the gains are positive and finite (`Gains.arePositiveAndFinite`).
  /// - Throws: `FrameError.colorless` for gray frames and those of luma and chroma.
  public init(of gains: Gains, layout: FrameLayout, clipped: HighlightPolicy = .kept)
    throws(FrameError)
  {
    precondition(gains.arePositiveAndFinite, "`gains` must be positive and finite")
    let largest = layout.format.maximumValue
    func place(_ row: Int, _ index: Int, _ channel: Int) -> Place {
      Place(row: row, index: index, channel: channel, firstCode: channel * (largest + 1))
    }
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let samples):
      places = [place(0, red, 0), place(0, green, 1), place(0, blue, 2)]
      step = samples
    case .bayer(let pattern):
      let red = pattern.redPosition
      places = [(0, 0), (0, 1), (1, 0), (1, 1)].map { row, column in
        let channel = (row == red.row ? 0 : 1) + (column == red.column ? 0 : 1)
        return place(row, column, channel)
      }
      step = 2
    case .gray, .subsampled: throw .colorless
    }
    self.layout = layout
    samplesInRow = layout.width * layout.format.samplesPerPixel
    self.gains = gains
    self.clipped = clipped
    // A sample that cannot rise further is clipped, whatever the white level is.
    let white = Int(max(0, min(layout.whiteLevel.rounded(.up), Double(largest))))
    self.white = white
    kernel = clipped == .kept ? Self.kernel(gains, layout, white: white) : nil
    guard layout.format.isInteger, kernel == nil else {
      (codes, tables) = ([], [])
      return
    }
    let codes = [gains.red, gains.green, gains.blue].flatMap { gain in
      (0...largest).map { code in
        if code >= white, clipped == .kept { return UInt32(code) }
        let value = Self.multiplied(Double(min(code, white)), gain, layout).rounded()
        let new = UInt32(max(0, min(value, Double(white))))
        return code < white && new >= white ? new | 1 << 16 : new
      }
    }
    self.codes = codes
    let places = places
    tables =
      layout.format.sample == .unsigned(bits: 8) && places.count == 3 && (3...4).contains(step)
      ? (0..<step).flatMap { index in
        let place = places.first { $0.index == index }
        return (0..<256).map { code in
          place.map { UInt8(truncatingIfNeeded: codes[$0.firstCode + code]) } ?? UInt8(code)
        }
      } : []
  }

  private static func multiplied(_ code: Double, _ gain: Double, _ layout: FrameLayout) -> Double {
    let range = layout.whiteLevel - layout.blackLevel
    let linear = gain * layout.transfer.linear((code - layout.blackLevel) / range)
    return layout.blackLevel + range * layout.transfer.encoded(linear)
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

  /// Applies the gains to a frame's bytes in place; bytes after the frame are kept.
  ///
  /// - Throws: `FrameError.tooShort`.
  @discardableResult
  public func apply(to bytes: inout MutableSpan<UInt8>) throws(FrameError) -> ClippingCounts {
    try apply(to: &bytes, rows: layout.height)
  }

  /// Applies the gains in place to some rows of a frame, so that a frame that does not fit in
  /// memory can be changed in strips. In a color filter array, a strip starts with an even row.
  ///
  /// - Parameters:
  ///   - bytes: the rows, including the gaps between them.
  ///   - rows: the number of rows, from 1 to the layout's height.
  /// - Throws: `FrameError.tooShort`.
  @discardableResult
  public func apply(
    to bytes: inout MutableSpan<UInt8>, rows: Int
  ) throws(FrameError) -> ClippingCounts {
    precondition((1...layout.height).contains(rows), "`rows` must be from 1 to the height")
    try require(bytes.count, rows: rows)
    var clipping = ClippingCounts(pixels: layout.width * rows)
    switch layout.format.sample {
    case _ where kernel != nil:
      unsafe bytes.withUnsafeMutableBufferPointer { bytes in
        let base = bytes.baseAddress!
        unsafe runKernel(base, base, rows, &clipping)
      }
    case .unsigned(let bits) where clipped == .kept:
      unsafe bytes.withUnsafeMutableBytes { bytes in
        if bits == 8 {
          unsafe changeWords(of: UInt8.self, bytes.baseAddress!, rows, &clipping)
        } else {
          unsafe changeWords(of: UInt16.self, bytes.baseAddress!, rows, &clipping)
        }
      }
    default:
      for row in stride(from: 0, to: rows, by: layout.format.unit.rows) {
        for first in stride(from: 0, to: samplesInRow, by: step) {
          change(&bytes, row: row, of: rows, first: first, &clipping)
        }
      }
    }
    return clipping
  }

  /// Writes a frame with the gains applied to another buffer, including the gaps between its rows.
  ///
  /// - Throws: `FrameError.tooShort` if either buffer is too short.
  @discardableResult
  public func apply(
    to bytes: Span<UInt8>, writingTo output: inout MutableSpan<UInt8>
  ) throws(FrameError) -> ClippingCounts {
    try require(bytes.count, rows: layout.height)
    try require(output.count, rows: layout.height)
    if kernel != nil, layout.bytesPerRow == layout.format.rowBytes(width: layout.width) {
      var clipping = ClippingCounts(pixels: layout.width * layout.height)
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe runKernel(bytes.baseAddress!, output.baseAddress!, layout.height, &clipping)
        }
      }
      return clipping
    }
    for index in 0..<layout.byteCount { output[index] = bytes[index] }
    return try apply(to: &output)
  }

  private func require(_ count: Int, rows: Int) throws(FrameError) {
    let needed = layout.byteCount - (layout.height - rows) * layout.bytesPerRow
    guard count >= needed else { throw .tooShort(bytes: count, needed: needed) }
  }

  private func runKernel(
    _ pixels: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ rows: Int,
    _ clipping: inout ClippingCounts
  ) {
    guard var kernel else { return }
    var counts: [UInt64] = [0, 0, 0, 0]
    for row in 0..<rows {
      let start = row * layout.bytesPerRow
      unsafe wb_apply_rgb8(
        pixels + start, output + start, layout.width, Int32(step), &kernel, &counts)
    }
    clipping.redClipped = Int(counts[places[0].index])
    clipping.greenClipped = Int(counts[places[1].index])
    clipping.blueClipped = Int(counts[places[2].index])
    clipping.clipped = Int(counts[3])
  }

  /// Changes samples of one or two bytes when clipped ones are kept. The result is that of
  /// `change`, many times as fast.
  private func changeWords<Word: FixedWidthInteger & UnsignedInteger>(
    of _: Word.Type, _ bytes: UnsafeMutableRawPointer, _ rows: Int, _ clipping: inout ClippingCounts
  ) {
    let mask = layout.format.maximumValue
    let size = MemoryLayout<Word>.size
    var (red, green, blue, any) = (0, 0, 0, 0)
    unsafe codes.withUnsafeBufferPointer { table in
      let codes = table.baseAddress!
      /// Changes the sample at an address; returns 1 if it is raised to white, otherwise 0.
      @inline(__always) func change(
        _ sample: UnsafeMutableRawPointer, _ codes: UnsafePointer<UInt32>
      ) -> Int {
        let old = Int(Word(littleEndian: unsafe sample.loadUnaligned(as: Word.self))) & mask
        let new = unsafe codes[old]
        unsafe sample.storeBytes(of: Word(truncatingIfNeeded: new).littleEndian, as: Word.self)
        return Int(new >> 16)
      }
      for row in 0..<rows {
        let start = unsafe bytes + row * layout.bytesPerRow
        if places.count == 3 {
          // No array is accessed in the loop.
          let (x, y, z) = (places[0].index * size, places[1].index * size, places[2].index * size)
          let (reds, greens, blues) = unsafe (
            codes + places[0].firstCode, codes + places[1].firstCode, codes + places[2].firstCode
          )
          var raised: [UInt64] = [0, 0, 0, 0, 0]
          let done =
            tables.isEmpty
            ? 0
            : unsafe wb_map_rgb8(
              start.assumingMemoryBound(to: UInt8.self), layout.width, Int32(self.step), tables,
              UInt8(white), &raised)
          red &+= Int(raised[places[0].index])
          green &+= Int(raised[places[1].index])
          blue &+= Int(raised[places[2].index])
          any &+= Int(raised[self.step])
          let step = step * size
          var pixel = unsafe start + done * step
          for _ in done..<layout.width {
            let r = unsafe change(pixel + x, reds)
            let g = unsafe change(pixel + y, greens)
            let b = unsafe change(pixel + z, blues)
            unsafe pixel += step
            red &+= r
            green &+= g
            blue &+= b
            any &+= r | g | b
          }
        } else {
          for place in places where place.row == row & 1 {
            var count = 0
            for index in stride(from: place.index, to: samplesInRow, by: step) {
              count &+= unsafe change(start + index * size, codes + place.firstCode)
            }
            switch place.channel {
            case 0: red += count
            case 1: green += count
            default: blue += count
            }
            any += count
          }
        }
      }
    }
    clipping.redClipped += red
    clipping.greenClipped += green
    clipping.blueClipped += blue
    clipping.clipped += any
  }

  /// Changes the samples of a pixel or cell that lie in the frame; `first` is the index of its
  /// first sample.
  private func change(
    _ bytes: inout MutableSpan<UInt8>, row: Int, of rows: Int, first: Int,
    _ clipping: inout ClippingCounts
  ) {
    let format = layout.format
    var (raised, brightest) = (0, 0)
    // One bit for each place.
    var wereClipped = 0
    for bit in places.indices {
      let place = places[bit]
      let (start, index) = ((row + place.row) * layout.bytesPerRow, first + place.index)
      guard row + place.row < rows, index < samplesInRow else { continue }
      let isRaised: Bool
      if format.isInteger {
        let old = format.code(bytes.span, row: start, index: index)
        let new = Int(codes[place.firstCode + old] & 0xFFFF)
        format.setCode(new, in: &bytes, row: start, index: index)
        isRaised = old < white && new >= white
        brightest = max(brightest, new)
        if old >= white { wereClipped |= 1 << bit }
      } else {
        let old = format.number(bytes.span, row: start, index: index)
        let new = Float(Self.multiplied(Double(old), gains.vector[place.channel], layout))
        if new != old { format.setNumber(new, in: &bytes, row: start, index: index) }
        isRaised = old < Float(layout.whiteLevel) && new >= Float(layout.whiteLevel)
      }
      if isRaised {
        raised += 1
        switch place.channel {
        case 0: clipping.redClipped += 1
        case 1: clipping.greenClipped += 1
        default: clipping.blueClipped += 1
        }
      }
    }
    clipping.clipped += format.unit.rows == 1 ? min(raised, 1) : raised
    guard clipped == .neutral else { return }
    for (bit, place) in places.enumerated() where wereClipped >> bit & 1 == 1 {
      let start = (row + place.row) * layout.bytesPerRow
      format.setCode(brightest, in: &bytes, row: start, index: first + place.index)
    }
  }
}

extension Frame {
  /// Multiplies the linear light of every pixel by gains in place; the gains are not normalized.
  ///
  /// Gains whose smallest is 1 (`Gains.normalized(to: .smallest)`) keep white and clip highlights.
  /// Gains whose largest is 1 (`Gains.normalized(to: .largest)`) clip nothing and darken the
  /// picture; use `clipped: .neutral` with them if the frame has clipped highlights.
  /// `GainApplication` documents the treatment of each sample and the errors, and is faster for
  /// many frames of one layout.
  ///
  /// - Precondition: the gains are positive and finite.
  @discardableResult
  public mutating func apply(
    _ gains: Gains, clipped: GainApplication.HighlightPolicy = .kept
  ) throws(FrameError) -> GainApplication.ClippingCounts {
    let application = try GainApplication(of: gains, layout: layout, clipped: clipped)
    var span = bytes.mutableSpan
    return try application.apply(to: &span)
  }
}
