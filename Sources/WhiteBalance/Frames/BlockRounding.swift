/// The coarseness with which a compressed frame stores the means of its blocks of 8×8 samples.
///
/// JPEG rounds the mean of each block to a multiple of a step. Where a surface is even and its
/// noise is small, all blocks are rounded the same way, so that the mean of all blocks has the same
/// error as that of one.
public struct BlockRounding: Hashable, Sendable, Codable {
  /// The step of luma, in codes: an eighth of the first entry of its quantization table.
  public var luma: Double
  /// The step of Cb, in codes.
  public var cb: Double
  /// The step of Cr, in codes.
  public var cr: Double
  /// The pixels that shared chroma in the file, if a frame of red, green and blue was decoded from
  /// it.
  public var chroma: PixelFormat.ChromaLayout?

  /// Rounding with steps in codes; a step is zero if it is not known.
  public init(
    luma: Double, cb: Double, cr: Double, chroma: PixelFormat.ChromaLayout? = nil
  ) {
    self.luma = luma
    self.cb = cb
    self.cr = cr
    self.chroma = chroma
  }
}
