/// A piecewise cubic through points. The slope at each point is that of the parabola through it and
/// its neighbors, bounded so that there is no bump between points that rise or fall.
///
/// Sources: C. de Boor, A Practical Guide to Splines (1978), for the slopes; F. N. Fritsch and R.
/// E. Carlson, Monotone piecewise cubic interpolation, SIAM Journal on Numerical Analysis 17
/// (1980), for their bound.
package struct SmoothCurve: Hashable, Sendable {
  /// The rule for the slopes at the first and the last point.
  package enum Ends { case parabola, secant }

  let x: [Double]
  let y: [Double]
  let slopes: [Double]

  /// - Precondition: at least two points, x rising.
  package init(x: [Double], y: [Double], ends: Ends = .parabola) {
    let widths = zip(x.dropFirst(), x).map(-)
    let secants = zip(zip(y.dropFirst(), y).map(-), widths).map(/)
    func bounded(_ slope: Double, _ secants: [Double]) -> Double {
      let least = secants.map(abs).min() ?? 0
      let rises = secants.allSatisfy { $0 > 0 }
      guard rises || secants.allSatisfy({ $0 < 0 }) else { return 0 }
      return rises ? min(max(slope, 0), 3 * least) : max(min(slope, 0), -3 * least)
    }
    var slopes = [secants[0]] + secants
    for index in x.indices.dropFirst().dropLast() {
      let (before, after) = (secants[index - 1], secants[index])
      let (left, right) = (widths[index - 1], widths[index])
      slopes[index] = bounded((right * before + left * after) / (left + right), [before, after])
    }
    if ends == .parabola, let last = secants.indices.last, last > 0 {
      func end(_ index: Int, _ next: Int) -> Double {
        let bend = (secants[index] - secants[next]) / (widths[index] + widths[next])
        return bounded(secants[index] + bend * widths[index], [secants[index]])
      }
      slopes[0] = end(0, 1)
      slopes[last + 1] = end(last, last - 1)
    }
    self.x = x
    self.y = y
    self.slopes = slopes
  }

  /// The curve's value; NaN beyond its ends.
  package func value(at position: Double) -> Double {
    guard position >= x[0], position <= x[x.count - 1] else { return .nan }
    let index = interval(below: position, in: x)
    let width = x[index + 1] - x[index]
    let t = (position - x[index]) / width
    let s = 1 - t
    return y[index] * s * s * (1 + 2 * t) + y[index + 1] * t * t * (1 + 2 * s)
      + width * s * t * (slopes[index] * s - slopes[index + 1] * t)
  }

  /// Returns the index of the last interval whose start is below a number; 0 if there is none. The
  /// values are the points' x, or their y if these rise.
  func interval(below number: Double, in values: [Double]) -> Int {
    var (low, high) = (0, values.count - 2)
    while low < high {
      let middle = (low + high + 1) / 2
      if values[middle] < number { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
