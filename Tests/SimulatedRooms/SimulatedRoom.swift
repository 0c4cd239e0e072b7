package import ColorScience
internal import SimulatedScenes
internal import WhiteBalance

/// A room with people, seen by a camera that stands still, as the mean colors of the cells of a
/// grid: frames without pixels, thousands a second.
///
/// The colors are a measured sensor's, under lamps with measured spectra, balanced for the first
/// lamp. What happens, when, and how fast is drawn at random.
package struct SimulatedRoom {
  /// A reason that a picture changes although its light keeps its color.
  package enum Disturbance: String, CaseIterable, Sendable {
    /// People walk through; some stop for a while. They cast colored shadows.
    case people
    /// Somebody covers half of the picture.
    case cover
    /// The brightness changes by factors of 0.5 to 2 within seconds.
    case clouds
    /// The lamp's brightness swings by up to half with the mains, its red and blue by up to 1 %.
    case flicker
    /// The exposure changes in steps.
    case exposure
    /// The light drifts by up to 2 CIEDE2000.
    case drift
    /// A screen shows a film.
    case screen
    /// The tone curve is not the one that is assumed.
    case curve
  }

  /// A change of the light.
  package struct Change {
    /// The frame of its beginning.
    package var frame: Int
    /// The number of frames that it takes.
    package var length: Int
    /// The difference between a gray surface's colors before and after, in CIEDE2000, with the
    /// light before as the white.
    package var ciede2000: Double
    /// The factor of the brightness.
    package var brightness: Double

    package init(frame: Int, length: Int, ciede2000: Double, brightness: Double = 1) {
      (self.frame, self.length) = (frame, length)
      (self.ciede2000, self.brightness) = (ciede2000, brightness)
    }
  }

  /// `true` if the frames have the sensor's own colors; others are converted to linear sRGB.
  package let isRaw: Bool
  /// The names of the sensor and the lamps.
  package let description: String
  /// The difference in CIEDE2000 of a gray surface's present color from its first one.
  package private(set) var ciede2000 = 0.0
  /// The change of ln(red/green) and ln(blue/green) of a gray surface in raw frames since the first
  /// one.
  package private(set) var shift = SIMD2<Double>.zero
  /// The number of the next frame.
  package private(set) var frame = 0

  private let columns, rows: Int
  private let disturbances: Set<Disturbance>
  private let change: Change?
  private var random: SplitMix64
  /// The number of pixels in a cell, the electrons of white, and the tone curve's exponent.
  private let pixels, fullWell, exponent: Double
  /// The response to white under the second lamp.
  private let white: SIMD3<Double>
  /// The responses to each cell of the empty room under the first lamp and under the second.
  private let room: [Responses]
  private let clothes: [Responses]
  private let screens: Set<Int>
  private let lamps: LampPair
  /// The color matrix behind the balance.
  private let matrix: Matrix3x3?
  private let flicker: (frequency: Double, level: Double, color: SIMD3<Double>, skew: Double)
  private var people: [Person] = []
  private var cloud = Fade(), exposure = Fade(), film = SIMD3<Double>(repeating: 0.3)
  private let driftShare, driftPeriod: Double

  private static let framesPerSecond = 30.0

  fileprivate typealias Responses = (first: SIMD3<Double>, second: SIMD3<Double>)

  /// Draws a room.
  package init(
    seed: UInt64, columns: Int, rows: Int, disturbances: Set<Disturbance>, change: Change? = nil
  ) {
    // Generators of successive seeds would give the same numbers, shifted by one.
    var seeds = SplitMix64(state: seed)
    var random = SplitMix64(state: seeds.next())
    (self.columns, self.rows, self.disturbances, self.change) = (
      columns, rows, disturbances, change
    )
    let sensor = MeasuredSensor.all[Int(random.uniform() * Double(MeasuredSensor.all.count))]
    let lamps = LampPair(from: &random, apart: change?.ciede2000)
    self.lamps = lamps
    description = "\(sensor.name), \(lamps.names)"
    pixels = power(2, 8 + 6 * random.uniform())
    fullWell = power(10, 3.3 + random.uniform())
    exponent = disturbances.contains(.curve) ? 0.85 + 0.3 * random.uniform() : 1
    let white = sensor.response(to: lamps.first).vector
    func responses(_ reflectance: (Double) -> Double) -> Responses {
      (
        sensor.response(to: lamps.first, reflectance: reflectance).vector / white,
        sensor.response(to: lamps.second, reflectance: reflectance).vector / white
      )
    }
    let patches = ColorChart.classicFrom2014.patches.map { patch in
      responses { patch.reflectance[max(380, min($0, 780))] }
    }
    let surfaces = patches + coloredPapers.map { responses($0) }
    self.white = responses { _ in 1 }.second
    isRaw = random.uniform() < 0.5
    matrix = isRaw ? nil : Matrix3x3(developing: patches.map(\.first), under: lamps.first)
    room = Self.painted(
      columns * rows, gray: responses { _ in RoomPaint.gray }, surfaces: surfaces, &random)
    // Skin of all people, and clothes of every color.
    clothes = [patches[0], patches[1]] + surfaces
    screens = disturbances.contains(.screen) ? Self.screen(columns, rows, &random) : []
    flicker = (
      (random.uniform() < 0.5 ? 100 : 120) * (1 + 0.002 * random.nextSigned()),
      0.5 * random.uniform(), 0.01 * SIMD3(random.nextSigned(), 0, random.nextSigned()),
      0.5 * random.uniform()
    )
    let drift = disturbances.contains(.drift) ? lamps.share(apart: 2) : 0
    driftShare = drift * random.uniform()
    driftPeriod = Self.framesPerSecond * 60 * power(60, random.uniform())
    self.random = random
  }

  /// Returns the responses to the cells of a room, which is something between white and full of
  /// colors.
  private static func painted(
    _ count: Int, gray: Responses, surfaces: [Responses], _ random: inout SplitMix64
  ) -> [Responses] {
    let colorfulness = 0.1 + 0.9 * random.uniform()
    let wall = Int(random.uniform() * Double(surfaces.count))
    let (first, second) = (surfaces.map(\.first), surfaces.map(\.second))
    return (0..<count).map { _ in
      let paint = RoomPaint(
        &random, wall: wall, surfaces: surfaces.count, colorfulness: colorfulness)
      return (
        paint.color(surfaces: first, gray: gray.first),
        paint.color(surfaces: second, gray: gray.second)
      )
    }
  }

  /// Returns the cells of a screen of 3 × 2 cells somewhere in the picture.
  private static func screen(
    _ columns: Int, _ rows: Int, _ random: inout SplitMix64
  ) -> Set<Int> {
    let left = Int(random.uniform() * Double(columns - 3))
    let top = Int(random.uniform() * Double(rows - 2))
    return Set((top..<top + 2).flatMap { row in (left..<left + 3).map { row * columns + $0 } })
  }

  /// Returns the linear means of the cells of the next frame, row by row; zero where pixels are
  /// clipped.
  package mutating func next() -> [LinearRGB] {
    let time = Double(frame) / Self.framesPerSecond
    var share = driftShare * (1 - cosine(2 * .pi * Double(frame) / driftPeriod)) / 2
    var level = 1.0
    if let change, frame >= change.frame {
      let done = min(1, Double(frame - change.frame + 1) / Double(change.length))
      share += (1 - share) * done
      level = 1 + (change.brightness - 1) * done
    }
    ciede2000 = lamps.ciede2000(of: share)
    shift = LinearRGB((1 - share) + share * white).logRatios
    if disturbances.contains(.clouds) {
      level *= cloud.next(&random, every: 10, in: 1...5) { power(2, $0.nextSigned()) }
    }
    if disturbances.contains(.exposure) {
      level *= exposure.next(&random, every: 8, in: 0...0.2) {
        power(2, ($0.nextSigned() * 3).rounded() / 3)
      }
    }
    movePeople()
    let hasFlicker = disturbances.contains(.flicker)
    if random.uniform() < 0.02 {
      film = SIMD3(random.uniform(), random.uniform(), random.uniform()) * 0.5 + 0.02
    }
    var colors: [LinearRGB] = []
    colors.reserveCapacity(room.count)
    for row in 0..<rows {
      var light = SIMD3<Double>(repeating: level)
      if hasFlicker {
        let phase =
          2 * .pi * flicker.frequency
          * (time + flicker.skew * Double(row) / Double(rows) / Self.framesPerSecond)
        light *= (1 + flicker.level * sine(phase)) * (1 + flicker.color * sine(phase))
      }
      for column in 0..<columns {
        let cell = row * columns + column
        var color =
          screens.contains(cell)
          ? film : light * ((1 - share) * room[cell].first + share * room[cell].second)
        for person in people {
          person.cover(&color, column, row, rows) { part in
            let paint = clothes[part]
            return light * ((1 - share) * paint.first + share * paint.second)
          }
        }
        colors.append(seen(color))
      }
    }
    frame += 1
    return colors
  }

  /// Returns what the sensor makes of a color: noise, the full well, and the tone curve.
  private mutating func seen(_ color: SIMD3<Double>) -> LinearRGB {
    guard color.max() < 0.9 else { return LinearRGB(.zero) }
    var color = color
    for channel in 0..<3 {
      let variance = Self.variance(of: color[channel], fullWell: fullWell) / pixels
      color[channel] += variance.squareRoot() * Double(random.nextNormal())
    }
    if let matrix { color = matrix * color }
    if exponent != 1 {
      for channel in 0..<3 { color[channel] = power(max(color[channel], 1e-9), exponent) }
    }
    return LinearRGB(color)
  }

  /// Returns the variance of a pixel's linear value: shot noise, and read noise of 4 electrons.
  package static func variance(of light: Double, fullWell: Double) -> Double {
    (light * fullWell + 16) / (fullWell * fullWell)
  }

  private mutating func movePeople() {
    people.removeAll { $0.isGone(columns) }
    for index in people.indices { people[index].move(&random) }
    func start(_ rate: Double) -> Bool { random.uniform() < rate / Self.framesPerSecond }
    if disturbances.contains(.people), people.count < 4, start(0.1) {
      people.append(Person(&random, columns: columns, width: 1...3, clothes: clothes.count))
    }
    if disturbances.contains(.cover), !people.contains(where: \.isLarge), start(0.02) {
      let half = Double(columns) / 2
      people.append(
        Person(&random, columns: columns, width: half...half, clothes: clothes.count))
    }
  }
}

/// A factor that moves to another value now and then.
private struct Fade {
  private var from = 1.0, to = 1.0
  private var frame = 0, length = 1

  mutating func next(
    _ random: inout SplitMix64, every seconds: Double, in durations: ClosedRange<Double>,
    draw: (inout SplitMix64) -> Double
  ) -> Double {
    if frame >= length, random.uniform() < 1 / (30 * seconds) {
      (from, to, frame) = (to, draw(&random), 0)
      let duration =
        durations.lowerBound + random.uniform() * (durations.upperBound - durations.lowerBound)
      length = max(1, Int(30 * duration))
    }
    frame = min(frame + 1, length)
    return from * power(to / from, Double(frame) / Double(length))
  }
}

/// Somebody who walks through a room.
private struct Person {
  let isLarge: Bool
  private var position, speed: Double
  private let width: Double
  /// The clothes of the head, the body and the legs.
  private let parts: [Int]
  private let shade: Double
  /// The color of the light that a shadow lacks.
  private let shadow: SIMD3<Double>
  private var waits = 0
  private let stop: Double
  private let stay: Int
  private var ripple = 0.0

  init(
    _ random: inout SplitMix64, columns: Int, width range: ClosedRange<Double>, clothes: Int
  ) {
    width = range.lowerBound + random.uniform() * (range.upperBound - range.lowerBound)
    isLarge = width >= Double(columns) / 2
    let fromLeft = random.uniform() < 0.5
    // From a stroll to a hand that is moved before the lens.
    let crossing = isLarge ? 0.3 + 3 * random.uniform() : 1 + 5 * random.uniform()
    speed = (fromLeft ? 1 : -1) * Double(columns) / crossing / 30
    position = fromLeft ? -width : Double(columns)
    parts = (0..<3).map { part in
      part == 0 ? Int(random.uniform() * 2) : Int(random.uniform() * Double(clothes))
    }
    shade = power(2, -1 + 1.5 * random.uniform())
    shadow =
      (0.6 + 0.3 * random.uniform())
      * (1 + 0.05 * SIMD3(random.nextSigned(), 0, random.nextSigned()))
    let stops = isLarge || random.uniform() < 0.3
    stop = random.uniform() * (Double(columns) - width)
    stay = stops ? Int(30 * 2 * power(isLarge ? 30 : 90, random.uniform())) : 0
  }

  func isGone(_ columns: Int) -> Bool { position < -width - 1 || position > Double(columns) + 1 }

  mutating func move(_ random: inout SplitMix64) {
    let before = position
    if waits > 0 {
      waits -= 1
      // Nobody stands quite still.
      position += 0.02 * random.nextSigned()
    } else {
      position += speed
      ripple = 0.05 * random.nextSigned()
    }
    if stay > 0, (before < stop) != (position < stop), waits == 0, abs(before - position) > 0.03 {
      waits = stay
    }
  }

  func cover(
    _ color: inout SIMD3<Double>, _ column: Int, _ row: Int, _ rows: Int,
    _ paint: (Int) -> SIMD3<Double>
  ) {
    let left = Double(column)
    let inner = min(left + 1, position + width) - max(left, position)
    if inner <= 0 {
      let outer = min(left + 1, position + width + 1) - max(left, position - 1)
      if outer > 0 { color *= 1 + (shadow - 1) * min(outer, 1) }
      return
    }
    let part = 3 * row < rows ? 0 : 3 * row < 2 * rows ? 1 : 2
    // A head is narrower.
    let share = min(inner, 1) * (part == 0 && !isLarge ? 0.5 : 1)
    color = (1 - share) * color + share * shade * (1 + ripple) * paint(parts[part])
  }
}
