import ColorScience
import ProfileFiles
import SimulatedScenes
import Testing
import WhiteBalance

/// Applies tables as Adobe's SDK does (dng_reference.cpp, RefBaselineHueSatMap), in an independent
/// implementation.
struct HueSatMapTests {
  private static let connectionWhite = XYZ(x: 0.9642, y: 1, z: 0.8249)

  /// Returns a camera's matrix and root polynomial to profiles' D50, and its responses to the
  /// patches.
  private static func camera(
    _ index: Int
  ) throws -> (matrix: Matrix3x3, colors: RootPolynomial, patches: [SIMD3<Double>]) {
    let sensor = MeasuredSensor.all[index]
    let light = StandardIlluminant.a.spectrum
    let responses = sensor.responses(to: .classicFrom2014, under: light)
    let camera = try SensitivityEstimate(
      charts: [ChartShot(light: Light(.a), responses: responses)])
    let shown = StandardIlluminant.d50.spectrum
    let matrix = try #require(camera.colorMatrix(under: light, shownUnder: shown))
    let colors = try #require(camera.rootPolynomial(under: light, shownUnder: shown))
    let adaptation = try #require(
      ChromaticAdaptation(from: XYZ(matrix * SIMD3(1, 1, 1)), to: connectionWhite)
    ).matrix
    let white = sensor.response(to: light).vector
    return (adaptation * matrix, adaptation * colors, responses.map { $0.vector / white })
  }

  /// Returns XYZ under D50 as a converter changes it.
  private static func applied(_ map: DNGProfile.HueSatMap, to xyz: SIMD3<Double>) throws -> XYZ {
    let white = try #require(
      ChromaticAdaptation(from: connectionWhite, to: XYZ(RGBColorSpace.proPhoto.white))
    ).matrix
    let rgb = RGBColorSpace.proPhoto.fromXYZ * (white * xyz)
    let (r, g, b) = (max(rgb.x, 0), max(rgb.y, 0), max(rgb.z, 0))
    let value = max(r, g, b)
    let gap = value - min(r, g, b)
    var hue = 0.0
    if gap > 0 {
      hue = r == value ? (g - b) / gap : g == value ? 2 + (b - r) / gap : 4 + (r - g) / gap
    }
    if hue < 0 { hue += 6 }
    let saturation = value > 0 ? gap / value : 0

    let place = hue * Double(map.hues) / 6
    let step = saturation * Double(map.saturations - 1)
    let first = min(Int(place), map.hues - 1), low = min(Int(step), map.saturations - 2)
    func change(_ part: KeyPath<DNGProfile.HueSatMap.Change, Float>) -> Double {
      func at(_ hue: Int, _ saturation: Int) -> Double {
        Double(map.changes[hue % map.hues * map.saturations + saturation][keyPath: part])
      }
      let (a, b) = (place - Double(first), step - Double(low))
      return (1 - a) * ((1 - b) * at(first, low) + b * at(first, low + 1))
        + a * ((1 - b) * at(first + 1, low) + b * at(first + 1, low + 1))
    }
    var turned = (hue + change(\.hue) / 60).truncatingRemainder(dividingBy: 6)
    if turned < 0 { turned += 6 }
    let full = min(saturation * change(\.saturation), 1)
    let top = value * change(\.value)
    let share = turned - turned.rounded(.down)
    let (p, q, t) = (top * (1 - full), top * (1 - full * share), top * (1 - full * (1 - share)))
    let shown: SIMD3<Double> =
      switch Int(turned) {
      case 0: SIMD3(top, t, p)
      case 1: SIMD3(q, top, p)
      case 2: SIMD3(p, top, t)
      case 3: SIMD3(p, q, top)
      case 4: SIMD3(t, p, top)
      default: SIMD3(top, p, q)
      }
    let back = try #require(white.inverse)
    return XYZ(back * (RGBColorSpace.proPhoto.toXYZ * shown))
  }

  @Test(arguments: [0, 8, 20]) func tableIsTheRootPolynomial(index: Int) throws {
    let camera = try Self.camera(index)
    let map = try #require(DNGProfile.HueSatMap(from: camera.matrix, to: camera.colors))
    var (sum, without) = (0.0, 0.0)
    for patch in camera.patches {
      // The result is the same at any exposure.
      for exposure in [1, 0.01] {
        let seen = exposure * patch
        let wanted = LabColor(
          XYZ(camera.colors(LinearRGB(seen)) / exposure), white: Self.connectionWhite)
        let made = try Self.applied(map, to: camera.matrix * seen)
        sum += LabColor(XYZ(made.vector / exposure), white: Self.connectionWhite)
          .ciede2000(to: wanted)
      }
      without += LabColor(XYZ(camera.matrix * patch), white: Self.connectionWhite)
        .ciede2000(
          to: LabColor(XYZ(camera.colors(LinearRGB(patch))), white: Self.connectionWhite))
    }
    #expect(sum / 48 < 0.05, "\(sum / 48)")
    #expect(without / 24 > 0.5, "\(without / 24)")
  }

  @Test func graysStay() throws {
    let camera = try Self.camera(3)
    let map = try #require(DNGProfile.HueSatMap(from: camera.matrix, to: camera.colors))
    for hue in 0..<map.hues { #expect(map.changes[hue * map.saturations].value == 1) }
    #expect(
      DNGProfile.HueSatMap(from: Matrix3x3(diagonal: SIMD3(1, 0, 1)), to: camera.colors) == nil)
  }

  @Test func sizesDiffer() throws {
    let camera = try Self.camera(3)
    let matrix = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    func profile(_ maps: [DNGProfile.HueSatMap?]) -> DNGProfile {
      DNGProfile(
        uniqueCameraModel: "Desk",
        calibrations: maps.map {
          .init(illuminant: .lightSource(.d65), colorMatrix: matrix, hueSatMap: $0)
        })
    }
    let map = DNGProfile.HueSatMap(from: camera.matrix, to: camera.colors)
    let small = DNGProfile.HueSatMap(
      from: camera.matrix, to: camera.colors, hues: 6, saturations: 5)
    #expect(try profile([map, map]).encoded().count > 2 * 90 * 30 * 12)
    for maps in [[map, nil], [nil, map], [small, map]] {
      #expect(throws: DNGProfileError.self) { try profile(maps).encoded() }
    }
  }
}
