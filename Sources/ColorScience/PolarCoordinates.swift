/// A point of a plane, as given by chroma and hue.
struct PolarCoordinates {
  var x, y: Double

  var radius: Double { (x * x + y * y).squareRoot() }

  /// 0 ≤ angle < 360, counterclockwise from the x axis.
  var degrees: Double {
    let angle = arctangent(y, x) * (180 / Double.pi)
    guard angle < 0 else { return angle }
    // The sum rounds to 360 for an angle just below 0.
    return angle + 360 < 360 ? angle + 360 : 0
  }
}

extension PolarCoordinates {
  init(radius: Double, degrees: Double) {
    let angle = degrees * (Double.pi / 180)
    self.init(x: radius * cosine(angle), y: radius * sine(angle))
  }
}
