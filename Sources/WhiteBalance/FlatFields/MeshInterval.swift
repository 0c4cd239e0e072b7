/// A position among evenly spaced points of a mesh, between which values are linear.
package struct MeshInterval: Sendable {
  /// The points before and after the position; the same one if there is no other.
  package let first, second: Int
  /// The share of the distance between the points that lies before the position.
  package let share: Float

  /// Creates the interval of a position, which is 0 at the first point and 1 at the second one;
  /// beyond the points it is that of the nearest one.
  package init(_ position: Double, points: Int) {
    let place = min(max(position, 0), Double(points - 1))
    first = min(Int(place), max(points - 2, 0))
    second = min(first + 1, points - 1)
    share = Float(place - Double(first))
  }

  /// Returns the value between those of the two points.
  package func value(_ first: Float, _ second: Float) -> Float {
    Self.value(first, second, share: share)
  }

  /// Returns the value at a share of the distance between two points.
  @inline(__always)
  static func value(_ first: Float, _ second: Float, share: Float) -> Float {
    first * (1 - share) + second * share
  }

  /// Returns the value among four points of a mesh.
  package static func value(
    _ down: MeshInterval, _ right: MeshInterval, _ value: (_ row: Int, _ column: Int) -> Float
  ) -> Float {
    down.value(
      right.value(value(down.first, right.first), value(down.first, right.second)),
      right.value(value(down.second, right.first), value(down.second, right.second)))
  }
}
