/// How coarsely a compressed frame stores the means of its blocks of 8×8 samples.
///
/// JPEG rounds the mean of each block to a multiple of a step. Where a surface is even and its
/// noise small, all blocks are rounded alike, so that the mean of them all is as wrong as that of
/// one.
public struct BlockRounding: Hashable, Sendable {
  /// The step of luma, in codes: an eighth of the first number of its quantization table.
  public var luma: Double
  /// The step of Cb.
  public var cb: Double
  /// The step of Cr.
  public var cr: Double
  /// Which pixels shared chroma in the file, where a frame of red, green and blue was made of it.
  public var chroma: PixelFormat.ChromaLayout?

  /// Rounding with steps in codes, zero where none is known.
  public init(
    luma: Double, cb: Double, cr: Double, chroma: PixelFormat.ChromaLayout? = nil
  ) {
    self.luma = luma
    self.cb = cb
    self.cr = cr
    self.chroma = chroma
  }
}
