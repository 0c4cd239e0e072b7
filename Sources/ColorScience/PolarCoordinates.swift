/// A point of a plane, as chroma and hue give it.
struct PolarCoordinates {
  var x, y: Double

  var radius: Double { (x * x + y * y).squareRoot() }

  /// 0 ≤ angle < 360, counterclockwise from the x axis.
  var degrees: Double {
    let angle = arctangent(y, x) * (180 / Double.pi)
    guard angle < 0 else { return angle }
    // A hair below 0 rounds to a full turn.
    return angle + 360 < 360 ? angle + 360 : 0
  }
}

extension PolarCoordinates {
  init(radius: Double, degrees: Double) {
    let angle = degrees * (Double.pi / 180)
    self.init(x: radius * cosine(angle), y: radius * sine(angle))
  }
}
