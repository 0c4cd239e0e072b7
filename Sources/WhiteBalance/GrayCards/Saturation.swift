import ColorScience

/// Detects samples that are saturated below the known white level.
///
/// All saturated samples have the same code, and none is above it. This is also true of a synthetic
/// picture, and of one with codes coarser than the noise.
struct Saturation {
  let samples: LinearSamples
  /// The share of the samples above which a channel counts as saturated.
  let acceptedShare: Double
  /// The columns and rows of the tiles, and their codes.
  private(set) var tiles: [(columns: Range<Int>, rows: Range<Int>, codes: TypicalCodes)] = []

  init(_ samples: LinearSamples, acceptedShare: Double) {
    self.samples = samples
    self.acceptedShare = acceptedShare
  }

  mutating func add(_ codes: TypicalCodes, columns: Range<Int>, rows: Range<Int>) {
    tiles.append((columns, rows, codes))
  }

  /// Returns the reason why the card is refused, or `nil`.
  func refusal(_ bytes: Span<UInt8>) -> GrayCardEstimate.Refusal? {
    guard samples.layout.format.isInteger else { return nil }
    // Red, green and blue computed from luma and chroma are not whole codes that could be counted.
    return plateau(bytes) ?? (samples.layout.format.isSubsampled ? nil : pileUp(bytes))
  }

  /// Returns a refusal if all channels have the same code and no noise, which light never causes:
  /// relative noise below a thousandth would require more than a million electrons in a pixel.
  ///
  /// A synthetic patch has that too. The code must therefore be the brightest of the frame; unless
  /// the samples are those of a sensor, with more than 8 bits, it must also be nearly white.
  private func plateau(_ bytes: Span<UInt8>) -> GrayCardEstimate.Refusal? {
    let layout = samples.layout
    let (black, white) = (Float(layout.blackLevel), Float(layout.whiteLevel))
    let isSensor =
      samples.pixelsPerSample == 4 && layout.transfer == .linear && layout.format.maximumValue > 255
    let least = black + (white - black) * (isSensor ? 0 : 0.9)
    let flat = tiles.filter { _, _, codes in
      let level = codes.center - black
      return codes.center.min() > least && level.max() - level.min() <= level.max() / 64
        && all(codes.deviation .<= level / 1000)
    }
    guard 2 * flat.count > tiles.count, let top = flat.map({ $0.codes.center.max() }).max() else {
      return nil
    }
    var (brighter, total) = (0, 0)
    samples.forEachOfFrame(bytes) { codes in
      total += 1
      if codes.max() - black > (top - black) * 65 / 64 { brighter += 1 }
    }
    guard brighter * 1000 <= total else { return nil }
    return .saturated(
      .green, code: Double(top), share: Double(flat.count) / Double(tiles.count))
  }

  /// Returns a refusal if a channel's largest code is by far its most frequent one, although there
  /// is noise.
  private func pileUp(_ bytes: Span<UInt8>) -> GrayCardEstimate.Refusal? {
    let total = Double(tiles.reduce(0) { $0 + $1.codes.count })
    var worst: (lane: Int, code: Float, share: Double)?
    for lane in samples.pixelsPerSample == 4 ? [1, 2, 0, 3] : [1, 0, 3] {
      let top = tiles.map { $0.codes.top[lane] }.max() ?? 0
      let touching = tiles.filter { $0.codes.top[lane] == top }
      guard
        Double(touching.reduce(0) { $0 + $1.codes.atTop[lane] }) > acceptedShare * total,
        samples.linear(code: top) > 0.002
      else { continue }
      let piled = touching.filter { isPiledUp(lane, at: top, in: $0.columns, $0.rows, bytes) }
      let share = Double(piled.reduce(0) { $0 + $1.codes.atTop[lane] }) / total
      if share > max(acceptedShare, worst?.share ?? 0) { worst = (lane, top, share) }
    }
    return worst.map { lane, code, share in
      .saturated(
        lane == 0 ? .red : lane == 3 ? .blue : .green, code: Double(code), share: share)
    }
  }

  /// Returns `true` if the samples of a tile pile up at a code in a lane.
  private func isPiledUp(
    _ lane: Int, at top: Float, in columns: Range<Int>, _ rows: Range<Int>, _ bytes: Span<UInt8>
  ) -> Bool {
    let lanes = TypicalCodes.lanes(samples, bytes, columns: columns, rows: rows)
    let counts = lanes.map { Dictionary($0.map { ($0, 1) }, uniquingKeysWith: +) }
    let atTop = counts[lane][top] ?? 0
    let next = counts[lane].reduce(0) { $1.key == top ? $0 : max($0, $1.value) }
    guard atTop > 2 * next, 10 * atTop > lanes[lane].count else { return false }
    // With this many codes, none would be so frequent without a limit. If more than half of the
    // samples have it, this lane lacks the noise that another one has.
    let others = counts.indices.filter { $0 != lane }.map { counts[$0].count }
    return counts[lane].count >= 5 || (2 * atTop > lanes[lane].count && others.max()! >= 8)
  }
}
