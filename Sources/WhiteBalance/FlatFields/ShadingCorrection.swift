import CWbcalFrameKernels
import ColorScience

/// Gains that differ over the picture, prepared for frames of one layout: those of a flat field,
/// multiplied by gains of the whole picture.
///
/// A code is decoded to a linear value, multiplied by its channel's gain at its pixel, encoded
/// again and rounded to the nearest code between 0 and the white level. Samples that were clipped
/// keep their value, as with `GainApplication.HighlightPolicy.kept`. Floating-point samples are
/// multiplied and never clipped.
///
/// ```swift
/// func flatten(_ frame: inout Frame, by field: FlatField, _ gains: Gains) throws {
///   let correction = try ShadingCorrection(field.gains, times: gains, layout: frame.layout)
///   var bytes = frame.bytes.mutableSpan
///   try correction.apply(to: &bytes, rows: 0..<frame.layout.height)
/// }
/// ```
///
/// Error: the result is the nearest code (`ShadingCorrectionTests`). Complexity: O(2ᵇ) to make for
/// b bits per sample, O(pixels) to apply.
public struct ShadingCorrection: Sendable {
  /// The layout of the frames.
  public let layout: FrameLayout

  private let mesh: MeshRows
  /// The channels of the samples of a pixel, or of a cell's first and second row; −1 is no color.
  private let channels: [[Int]]
  /// The linear values of all codes; empty for floating-point samples.
  private let light: [Float]
  /// The linear value halfway between each code and the one before it; empty if codes are linear or
  /// floating-point.
  private let limits: [Float]
  /// The code of the lowest value of each of many equal parts of the linear range.
  private let lowestCodes: [UInt16]
  private let white: Int

  /// The number of parts of the linear range.
  private static let parts = 65_535

  /// Prepares the gains, which are not normalized, for frames of a layout.
  ///
  /// - Precondition: the gains of the whole picture are positive and finite.
  /// - Throws: `FrameError.colorless` for gray frames and those of luma and chroma.
  public init(
    _ mesh: GainMesh, times gains: Gains = Gains(red: 1, blue: 1), layout: FrameLayout
  ) throws(FrameError) {
    precondition(gains.arePositiveAndFinite, "`gains` must be positive and finite")
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let samples):
      var pixel = Array(repeating: -1, count: samples)
      (pixel[red], pixel[green], pixel[blue]) = (0, 1, 2)
      channels = [pixel]
    case .bayer(let pattern):
      let red = pattern.redPosition
      channels = (0...1).map { row in
        (0...1).map { ($0 == red.column ? 0 : 1) + (row == red.row ? 0 : 1) }
      }
    case .gray, .subsampled: throw .colorless
    }
    self.layout = layout
    self.mesh = MeshRows(mesh, times: gains, width: layout.width, height: layout.height)
    let largest = layout.format.maximumValue
    white = Int(max(0, min(layout.whiteLevel.rounded(.up), Double(largest))))
    func linear(_ code: Double) -> Float {
      let range = layout.whiteLevel - layout.blackLevel
      return Float(layout.transfer.linear((code - layout.blackLevel) / range))
    }
    let isInteger = layout.format.isInteger
    light = isInteger ? (0...largest).map { linear(Double($0)) } : []
    guard isInteger, layout.transfer != .linear else {
      (limits, lowestCodes) = ([], [])
      return
    }
    limits = (0...white).map { linear(Double($0) - 0.5) }
    lowestCodes = Self.lowestCodes(of: limits)
  }

  /// Returns the highest code whose limit is not above the lowest value of each part.
  private static func lowestCodes(of limits: [Float]) -> [UInt16] {
    var code = 0
    return (0...parts).map { part in
      while code + 1 < limits.count, limits[code + 1] <= Float(part) / Float(parts) { code += 1 }
      return UInt16(code)
    }
  }

  /// Applies the gains in place to some rows of a frame.
  ///
  /// - Parameters:
  ///   - bytes: the rows, including the gaps between them.
  ///   - rows: the numbers of the rows in the frame; the first is even in a color filter array.
  /// - Throws: `FrameError.tooShort`.
  @discardableResult
  public func apply(
    to bytes: inout MutableSpan<UInt8>, rows: Range<Int>
  ) throws(FrameError) -> GainApplication.ClippingCounts {
    precondition(
      rows.lowerBound >= 0 && rows.upperBound <= layout.height && !rows.isEmpty,
      "`rows` must be rows of the frame")
    precondition(
      channels.count == 1 || rows.lowerBound % 2 == 0,
      "`rows` must start with an even row of a color filter array")
    let needed = layout.byteCount - (layout.height - rows.count) * layout.bytesPerRow
    guard bytes.count >= needed else { throw .tooShort(bytes: bytes.count, needed: needed) }
    var counts = GainApplication.ClippingCounts(pixels: layout.width * rows.count)
    let isMosaic = channels.count == 2
    if isMosaic, limits.isEmpty, case .unsigned(let bits) = layout.format.sample, bits > 8 {
      for row in rows {
        changeMosaic(&bytes, (row - rows.lowerBound) * layout.bytesPerRow, row: row, &counts)
      }
      return counts
    }
    var factors = [[Float]](repeating: Array(repeating: 0, count: layout.width), count: 3)
    for row in rows {
      for channel in 0..<3 { mesh.fill(&factors[channel], channel: channel, row: row) }
      let start = (row - rows.lowerBound) * layout.bytesPerRow
      switch layout.format.sample {
      case .unsigned(let bits) where limits.isEmpty && bits == 8:
        changeLinear(of: UInt8.self, &bytes, start, row: row, factors, &counts)
      case .unsigned where limits.isEmpty:
        changeLinear(of: UInt16.self, &bytes, start, row: row, factors, &counts)
      default: change(&bytes, start, row: row, factors, &counts)
      }
    }
    return counts
  }

  /// Changes a row of a color filter array with linear codes of two bytes.
  private func changeMosaic(
    _ bytes: inout MutableSpan<UInt8>, _ start: Int, row: Int,
    _ counts: inout GainApplication.ClippingCounts
  ) {
    let pixel = channels[row % 2]
    let (even, odd) = (mesh.points(pixel[0], row: row), mesh.points(pixel[1], row: row))
    var range = wb_code_range(
      black: Float(layout.blackLevel), white: Int32(white), mask: Int32(layout.format.maximumValue))
    var found: (UInt64, UInt64) = (0, 0)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe even.withUnsafeBufferPointer { even in
        unsafe odd.withUnsafeBufferPointer { odd in
          unsafe mesh.shares.withUnsafeBufferPointer { shares in
            unsafe mesh.starts.withUnsafeBufferPointer { starts in
              var mesh = unsafe wb_mesh_row(
                even: even.baseAddress, odd: odd.baseAddress, shares: shares.baseAddress,
                starts: starts.baseAddress, intervals: self.mesh.intervals)
              unsafe withUnsafeMutableBytes(of: &found) { found in
                unsafe wb_shade_mosaic(
                  (bytes.baseAddress! + start).assumingMemoryBound(to: UInt8.self), &mesh, &range,
                  found.assumingMemoryBound(to: UInt64.self).baseAddress)
              }
            }
          }
        }
      }
    }
    var raised = [0, 0, 0]
    raised[pixel[0]] += Int(found.0)
    raised[pixel[1]] += Int(found.1)
    counts.add(raised)
    counts.clipped += raised.reduce(0, +)
  }

  /// Changes a row of linear codes of one or two bytes.
  private func changeLinear<Word: FixedWidthInteger & UnsignedInteger>(
    of _: Word.Type, _ bytes: inout MutableSpan<UInt8>, _ start: Int, row: Int,
    _ factors: [[Float]], _ counts: inout GainApplication.ClippingCounts
  ) {
    let (black, top) = (Float(layout.blackLevel), Float(white))
    let mask = layout.format.maximumValue
    let (pixel, white) = (channels[row % channels.count], white)
    let isMosaic = channels.count == 2
    let step = isMosaic ? 2 : 1
    var raised = [0, 0, 0]
    // One for each pixel that is raised to white; whole rows without one are the rule.
    var marks: [Bool] = []
    unsafe bytes.withUnsafeMutableBytes { bytes in
      let base = unsafe bytes.baseAddress! + start
      for (index, channel) in pixel.enumerated() where channel >= 0 {
        var count = 0
        unsafe factors[channel].withUnsafeBufferPointer { factors in
          for column in stride(from: isMosaic ? index : 0, to: layout.width, by: step) {
            let place = isMosaic ? column : column * pixel.count + index
            let address = unsafe base + place * MemoryLayout<Word>.size
            let old = Int(Word(littleEndian: unsafe address.loadUnaligned(as: Word.self))) & mask
            if old >= white { continue }
            let value = unsafe (Float(old) - black) * factors[column] + black
            let new = Word(truncatingIfNeeded: Int(max(0, min(value, top)) + 0.5))
            unsafe address.storeBytes(of: new.littleEndian, as: Word.self)
            guard Int(new) >= white else { continue }
            count += 1
            if marks.isEmpty { marks = Array(repeating: false, count: layout.width) }
            marks[column] = true
          }
        }
        raised[channel] += count
      }
    }
    counts.add(raised)
    counts.clipped += marks.count { $0 }
  }

  /// Changes a row of samples of any kind.
  private func change(
    _ bytes: inout MutableSpan<UInt8>, _ start: Int, row: Int, _ factors: [[Float]],
    _ counts: inout GainApplication.ClippingCounts
  ) {
    let pixel = channels[row % channels.count]
    let isMosaic = channels.count == 2
    for column in 0..<layout.width {
      var raised = [0, 0, 0]
      for (index, channel) in pixel.enumerated()
      where channel >= 0 && (!isMosaic || column % 2 == index) {
        let place = isMosaic ? column : column * pixel.count + index
        let factor = factors[channel][column]
        if layout.format.isInteger {
          let old = layout.format.code(bytes.span, row: start, index: place)
          if old >= white { continue }
          let new = code(light[old] * factor)
          layout.format.setCode(new, in: &bytes, row: start, index: place)
          raised[channel] += new >= white ? 1 : 0
        } else {
          let old = layout.format.number(bytes.span, row: start, index: place)
          layout.format.setNumber(
            number(old, times: factor), in: &bytes, row: start, index: place)
          // The format may have fewer digits.
          let new = layout.format.number(bytes.span, row: start, index: place)
          let white = Float(layout.whiteLevel)
          raised[channel] += old < white && new >= white ? 1 : 0
        }
      }
      guard raised != [0, 0, 0] else { continue }
      counts.add(raised)
      counts.clipped += 1
    }
  }

  /// Returns the nearest code of a linear value.
  private func code(_ light: Float) -> Int {
    if limits.isEmpty {
      let range = Float(layout.whiteLevel - layout.blackLevel)
      let value = Float(layout.blackLevel) + range * light
      return Int(max(0, min(value, Float(white))) + 0.5)
    }
    let part = max(0, min(light, 1)) * Float(Self.parts)
    var code = Int(lowestCodes[Int(part)])
    while code > 0, light < limits[code] { code -= 1 }
    while code < white, light >= limits[code + 1] { code += 1 }
    return code
  }

  private func number(_ value: Float, times factor: Float) -> Float {
    let range = layout.whiteLevel - layout.blackLevel
    let light = layout.transfer.linear((Double(value) - layout.blackLevel) / range)
    return Float(layout.blackLevel + range * layout.transfer.encoded(light * Double(factor)))
  }
}

extension GainApplication.ClippingCounts {
  /// Adds counts of red, green and blue.
  fileprivate mutating func add(_ raised: [Int]) {
    redClipped += raised[0]
    greenClipped += raised[1]
    blueClipped += raised[2]
  }
}
