/// A meter that adds up frames of a still scene and measures their sharpness.
///
/// Even and odd frames go into two sums whose noise is independent: see ``FocusMeasure``.
///
/// ```swift
/// let layout = try FrameLayout(width: 64, height: 64, format: .gray(bits: 8))
/// let stripes = (0..<64 * 64).map { UInt8($0 / 4 % 2 == 0 ? 60 : 180) }
/// var meter = FocusMeter()
/// for _ in 0..<2 { try meter.add(stripes.span, layout: layout) }
/// assert(meter.measure!.sharpness > 0.01 && meter.measure!.standardError == 0)
/// ```
///
/// Complexity: O(pixels of the region) for each frame, and for a measure.
public struct FocusMeter: Sendable {
  /// The number of frames added.
  public private(set) var frames = 0
  private var width = 0
  private var height = 0
  /// The sums of even and odd frames.
  private var sums: (even: [Float], odd: [Float]) = ([], [])

  /// Creates a meter without frames.
  public init() {}

  /// Adds a frame: its green channel, its luma, or its gray.
  ///
  /// - Parameters:
  ///   - bytes: the frame, in any format.
  ///   - layout: the layout of the bytes.
  ///   - region: the part that is measured, in pixels; `nil` for the whole frame. It is the same
  ///     for all frames.
  /// - Precondition: the region is as large as that of the frames before.
  /// - Throws: `FrameError` if the bytes are too few or the region is not inside the frame.
  public mutating func add(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle? = nil
  ) throws(FrameError) {
    add(try LinearPlane(bytes, layout: layout, region: region))
  }

  /// Adds a frame's plane, which is as large as those before.
  package mutating func add(_ plane: LinearPlane) {
    if frames == 0 { (width, height) = (plane.width, plane.height) }
    precondition((width, height) == (plane.width, plane.height), "regions must have the same size")
    switch frames {
    case 0: sums.even = plane.values
    case 1: sums.odd = plane.values
    case let count where count % 2 == 0: Self.add(plane.values, to: &sums.even)
    default: Self.add(plane.values, to: &sums.odd)
    }
    frames += 1
  }

  private static func add(_ values: [Float], to sum: inout [Float]) {
    let values = values.span
    var sum = sum.mutableSpan
    for index in sum.indices { sum[index] += values[index] }
  }

  /// The sharpness of the frames. `nil` if there are none or an odd number of them, so that the
  /// sums differ in noise, and if the region is black or nearly all of it is clipped.
  public var measure: FocusMeasure? {
    guard frames >= 2, frames % 2 == 0, width >= 3, height >= 3 else { return nil }
    let tiles = DetailTiles(sums.even, sums.odd, width: width, height: height)
    return FocusMeasure(tiles, frames: frames)
  }
}
