import ColorScience
import WhiteBalance

/// A surface that may be the card, and how much it looks like one.
struct CardCandidate {
  let mask: CellMask
  /// How much of a card's outline the surface has, from 0 to 1.
  let outline: Double
  /// How plausible it is that the surface is neutral, from 0 to 1.
  let plausibility: Double
  /// The product of all factors from 0 to 1.
  let quality: Double
  /// The quality times the share of the frame that the surface covers.
  let score: Double

  /// - Parameter bright: the logarithm of the green that counts as bright in this frame.
  init(_ mask: CellMask, grid: CellGrid, neutrals: PlausibleNeutrals, bright: Double) {
    let share = Double(mask.count) / Double(mask.cells.count)
    let border = Double(mask.borderCount) / Double(2 * (mask.columns + mask.rows) - 4)
    outline = max(0, (mask.rectangularity - 0.65) / 0.35) * max(0, 1 - border / 0.4)
    plausibility = neutrals.plausibility(of: grid.medianLogRatios(of: mask))
    let brightness = exponential(grid.medianLogGreen(of: mask) - bright)
    quality = min(1, outline) * plausibility * min(1, brightness / 0.08)
    score = quality * share
    self.mask = mask
  }

  /// Whether the middle of a rectangle of cells is part of the surface.
  func overlaps(_ rectangle: PixelRectangle) -> Bool {
    let center = (rectangle.y + rectangle.height / 2) * mask.columns
    return mask.cells[center + rectangle.x + rectangle.width / 2]
  }
}
