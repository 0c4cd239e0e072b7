import ColorScience
import WhiteBalance

/// A surface that may be the card, with a score for its likeness to one.
struct CardCandidate {
  let mask: CellMask
  /// The likeness of the surface's outline to a card's, from 0 to 1.
  let outline: Double
  /// The plausibility that the surface is neutral, from 0 to 1.
  let plausibility: Double
  /// The product of all factors, from 0 to 1.
  let quality: Double
  /// The quality times the fraction of the frame that the surface covers.
  let score: Double

  /// - Parameter bright: the natural logarithm of the green that counts as bright in this frame.
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

  /// Returns `true` if the middle of a rectangle of cells is part of the surface.
  func overlaps(_ rectangle: PixelRectangle) -> Bool {
    let center = (rectangle.y + rectangle.height / 2) * mask.columns
    return mask.cells[center + rectangle.x + rectangle.width / 2]
  }
}
