import ColorScience
import WhiteBalance

extension CellGrid.Cell {
  /// The difference in brightness that noise explains: three standard deviations, but never more
  /// than 5 %, since a larger scatter is not noise.
  private var brightnessNoise: Double { min(3 * noise.y.squareRoot(), 0.05) }
  /// The difference in color that noise explains, likewise, but never more than 10 %.
  fileprivate var colorNoise: SIMD2<Double> {
    let variance = SIMD2(noise.x + noise.y, noise.z + noise.y)
    return pointwiseMin(3 * variance.squareRoot(), SIMD2(repeating: 0.1))
  }

  /// Returns `true` if a neighbor may be part of the same surface.
  ///
  /// - Parameter step: the accepted difference in brightness, as a natural logarithm.
  func joins(_ other: CellGrid.Cell, step: Double) -> Bool {
    let color = logRatios - other.logRatios
    let limit = pointwiseMax(colorNoise, other.colorNoise)
    return abs(logLinear.y - other.logLinear.y) < step + max(brightnessNoise, other.brightnessNoise)
      && abs(color.x) < 0.03 + limit.x && abs(color.y) < 0.03 + limit.y
  }
}

extension CellGrid {
  /// Returns the medians of ln(red/green) and of ln(blue/green) over a surface.
  func medianLogRatios(of mask: CellMask) -> SIMD2<Double> {
    let ratios = covered(by: mask).map(\.logRatios)
    let middle = ratios.count / 2
    return SIMD2(ratios.map(\.x).orderStatistic(middle), ratios.map(\.y).orderStatistic(middle))
  }

  func medianLogGreen(of mask: CellMask) -> Double {
    let green = covered(by: mask).map(\.logLinear.y)
    return green.orderStatistic(green.count / 2)
  }

  /// Returns the range of green between the 5th and 95th percentile, relative to its median.
  func nonuniformity(of mask: CellMask) -> Double {
    let green = covered(by: mask).map(\.logLinear.y)
    func relative(_ index: Int) -> Double {
      exponential(green.orderStatistic(index) - green.orderStatistic(green.count / 2))
    }
    return relative(green.count * 19 / 20) - relative(green.count / 20)
  }

  /// Returns the cells of a surface whose color is close to its median.
  func medianColor(of mask: CellMask) -> CellMask {
    let center = medianLogRatios(of: mask)
    var result = mask
    for cell in mask.covered {
      let distance = cells[cell].logRatios - center
      let limit = cells[cell].colorNoise
      result.cells[cell] = abs(distance.x) < 0.06 + limit.x && abs(distance.y) < 0.06 + limit.y
    }
    return result
  }

  private func covered(by mask: CellMask) -> [Cell] { mask.covered.map { cells[$0] } }
}
