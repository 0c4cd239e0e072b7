package import ColorScience
internal import SimulatedScenes
internal import WhiteBalance

/// A series of pictures of changing motifs, all balanced for the first light, as the mean colors of
/// the cells of a grid.
///
/// A motif is a room of `SimulatedRoom`. The wall, and with it most of the color, stays the same in
/// successive pictures as often as the series' photographer stays in one place.
package struct SimulatedSeries {
  /// The motifs of a series.
  package enum Motifs: String, Sendable {
    /// Each picture has another motif.
    case changing
    /// All pictures have one motif, as with a camera on a tripod.
    case one
  }

  /// A picture of a series.
  package struct Picture {
    /// The linear means of the cells, row by row.
    package var colors: [LinearRGB]
    /// The exposure in stops: twice the light with one more.
    package var exposure: Double
    /// The response to a white surface under the picture's light.
    package var white: LinearRGB
  }

  /// The pictures in the order in which they were taken.
  package let pictures: [Picture]
  /// `true` if the pictures have the sensor's own colors; others are converted to linear sRGB.
  package let isRaw: Bool
  /// The names of the sensor and the lamps.
  package let description: String

  /// Draws a series.
  ///
  /// - Parameter change: the first picture under another lamp, and the difference between a gray
  ///   surface's colors before and after, in CIEDE2000; the brightness changes, too.
  package init(
    seed: UInt64, pictures count: Int, cells: Int, motifs: Motifs = .changing,
    change: (picture: Int, ciede2000: Double)? = nil
  ) {
    // Generators of successive seeds would give the same numbers, shifted by one.
    var seeds = SplitMix64(state: seed)
    var random = SplitMix64(state: seeds.next())
    let sensor = MeasuredSensor.all[Int(random.uniform() * Double(MeasuredSensor.all.count))]
    let lamps = LampPair(from: &random, apart: change?.ciede2000)
    description = "\(sensor.name), \(lamps.names)"
    let balance = sensor.response(to: lamps.first).vector
    let lights = [lamps.first, lamps.second].map { light in
      func response(_ reflectance: (Double) -> Double) -> SIMD3<Double> {
        sensor.response(to: light, reflectance: reflectance).vector / balance
      }
      let patches = sensor.responses(to: .classicFrom2014, under: light)
      return (
        white: response { _ in 1 }, gray: response { _ in RoomPaint.gray },
        surfaces: patches.map { $0.vector / balance } + coloredPapers.map { response($0) }
      )
    }
    isRaw = random.uniform() < 0.5
    let patches = Array(lights[0].surfaces.prefix(24))
    let matrix = isRaw ? nil : Matrix3x3(developing: patches, under: lamps.first)
    func developed(_ color: SIMD3<Double>) -> LinearRGB {
      LinearRGB(matrix.map { $0 * color } ?? color)
    }

    let restlessness = random.uniform()
    let brightness = power(2, 2 * Double(random.nextNormal()))
    let fullWell = power(10, 3.3 + random.uniform())
    var motif = Motif(cells: cells, surfaces: lights[0].surfaces.count)
    pictures = (0..<count).map { index in
      let isChanged = change.map { index >= $0.picture } == true
      let (light, level) = isChanged ? (lights[1], brightness) : (lights[0], 1)
      motif.move(&random, restlessness)
      if motif.paints.isEmpty || motifs == .changing { motif.draw(&random) }
      let colors = motif.paints.map { $0.color(surfaces: light.surfaces, gray: light.gray) }
      // The exposure is automatic, and not quite right.
      let mean = colors.reduce(.zero, +).y / Double(cells)
      let factor = 0.18 * power(2, 0.3 * Double(random.nextNormal())) / mean
      let seen = colors.map { color in
        Self.seen(factor * color, fullWell, &random).map(developed) ?? LinearRGB(.zero)
      }
      return Picture(
        colors: seen, exposure: logarithm(factor / level) / logarithm(2),
        white: developed(light.white))
    }
  }

  /// Returns a color with the noise of a cell's pixels; `nil` if it is clipped.
  private static func seen(
    _ color: SIMD3<Double>, _ fullWell: Double, _ random: inout SplitMix64
  ) -> SIMD3<Double>? {
    guard color.max() < 0.9 else { return nil }
    var color = color
    for channel in 0..<3 {
      let variance = SimulatedRoom.variance(of: color[channel], fullWell: fullWell) / 1000
      color[channel] += variance.squareRoot() * Double(random.nextNormal())
    }
    return color
  }

  /// The part of a room that a picture shows.
  private struct Motif {
    let cells, surfaces: Int
    var paints: [RoomPaint] = []
    /// The surface of the wall, and how far the room is from white, 0…1.
    private var place: (wall: Int, colorfulness: Double)?

    init(cells: Int, surfaces: Int) { (self.cells, self.surfaces) = (cells, surfaces) }

    /// Goes to another place, with a probability.
    mutating func move(_ random: inout SplitMix64, _ probability: Double) {
      if place == nil || random.uniform() < probability {
        // From a white room to one full of colors.
        place = (Int(random.uniform() * Double(surfaces)), 0.1 + 0.9 * random.uniform())
      }
    }

    mutating func draw(_ random: inout SplitMix64) {
      let (wall, colorfulness) = place ?? (0, 0)
      paints = (0..<cells).map { _ in
        RoomPaint(&random, wall: wall, surfaces: surfaces, colorfulness: colorfulness)
      }
    }
  }
}
