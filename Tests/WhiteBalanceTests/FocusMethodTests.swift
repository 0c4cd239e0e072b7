import ColorScience
import CameraControl
import SimulatedCamera
import Testing

@testable import WhiteBalance

struct FocusMethodTests {
  static func plane(_ camera: SimulatedCamera) async throws -> LightPlane {
    try await camera.withNextFrame { info, bytes in
      try! LightPlane(
        bytes, layout: info.layout, region: PixelRectangle(x: 40, y: 30, width: 80, height: 60))
    }
  }
  static func grid(_ p: LightPlane, _ f: (Int, Int, (Int, Int) -> Double) -> Double) -> [Double] {
    var out: [Double] = []
    for y in 3..<p.height - 3 { for x in 3..<p.width - 3 {
      out.append(f(x, y) { Double(p.light[$1 * p.width + $0]) })
    } }
    return out.filter { $0.isFinite }
  }
  static func mean(_ v: [Double]) -> Double { v.reduce(0, +) / Double(v.count) }
  static func bright(_ p: LightPlane) -> Double { mean(p.light.map(Double.init).filter { $0.isFinite }) }
  static let naive: [(String, @Sendable (LightPlane) -> Double)] = [
    ("tenengrad", { p in
      mean(grid(p) { x, y, l in
        let gx = l(x+1,y-1)+2*l(x+1,y)+l(x+1,y+1)-l(x-1,y-1)-2*l(x-1,y)-l(x-1,y+1)
        let gy = l(x-1,y+1)+2*l(x,y+1)+l(x+1,y+1)-l(x-1,y-1)-2*l(x,y-1)-l(x+1,y-1)
        return gx*gx+gy*gy }) / (bright(p)*bright(p)) }),
    ("laplacian", { p in
      mean(grid(p) { x, y, l in
        let v = 4*l(x,y)-l(x+1,y)-l(x-1,y)-l(x,y-1)-l(x,y+1); return v*v }) / (bright(p)*bright(p)) }),
    ("modified laplacian", { p in
      mean(grid(p) { x, y, l in abs(2*l(x,y)-l(x+1,y)-l(x-1,y)) + abs(2*l(x,y)-l(x,y-1)-l(x,y+1)) }) / bright(p) }),
    ("normalized variance", { p in
      let v = p.light.map(Double.init).filter { $0.isFinite }
      let m = mean(v); return mean(v.map { ($0-m)*($0-m) }) / (m*m) }),
    ("dct ratio", { p in
      var high = 0.0, low = 0.0
      for by in 0..<p.height/8 { for bx in 0..<p.width/8 {
        var b = [Double](repeating: 0, count: 64)
        for i in 0..<64 { b[i] = Double(p.light[(by*8+i/8)*p.width+bx*8+i%8]) }
        if b.contains(where: { !$0.isFinite }) { continue }
        var t = [Double](repeating: 0, count: 64)
        for r in 0..<8 { for k in 0..<8 { for n in 0..<8 { t[r*8+k] += b[r*8+n]*cosine(.pi/8*(Double(n)+0.5)*Double(k)) * (k == 0 ? 0.7071 : 1)/2 } } }
        var d = [Double](repeating: 0, count: 64)
        for c in 0..<8 { for k in 0..<8 { for n in 0..<8 { d[k*8+c] += t[n*8+c]*cosine(.pi/8*(Double(n)+0.5)*Double(k)) * (k == 0 ? 0.7071 : 1)/2 } } }
        low += d[0]*d[0]
        for i in 1..<64 { high += d[i]*d[i] }
      } }
      return high/low }),
  ]
  /// cross-frame forms
  static func cross(_ a: LightPlane, _ b: LightPlane, _ h: (Int, Int, (Int, Int) -> Double) -> (Double, Double)) -> Double {
    var s = 0.0, n = 0.0
    for y in 3..<a.height - 3 { for x in 3..<a.width - 3 {
      let u = h(x, y) { Double(a.light[$1 * a.width + $0]) }
      let v = h(x, y) { Double(b.light[$1 * b.width + $0]) }
      let p = u.0*v.0+u.1*v.1
      if p.isFinite { s += p; n += 1 }
    } }
    return s / n / (bright(a)*bright(b))
  }
  static let crossed: [(String, @Sendable (LightPlane, LightPlane) -> Double)] = [
    ("x sobel", { cross($0, $1) { x, y, l in
        (l(x+1,y-1)+2*l(x+1,y)+l(x+1,y+1)-l(x-1,y-1)-2*l(x-1,y)-l(x-1,y+1),
         l(x-1,y+1)+2*l(x,y+1)+l(x+1,y+1)-l(x-1,y-1)-2*l(x,y-1)-l(x+1,y-1)) } }),
    ("x laplacian", { cross($0, $1) { x, y, l in (4*l(x,y)-l(x+1,y)-l(x-1,y)-l(x,y-1)-l(x,y+1), 0) } }),
    ("x modified", { cross($0, $1) { x, y, l in (2*l(x,y)-l(x+1,y)-l(x-1,y), 2*l(x,y)-l(x,y-1)-l(x,y+1)) } }),
    ("x variance", { a, b in let ma = bright(a), mb = bright(b); return cross(a, b) { x, y, l in (l(x,y), 0) } - 1 + 0*(ma+mb) }),
    ("x difference", { cross($0, $1) { x, y, l in (l(x+1,y)-l(x-1,y), l(x,y+1)-l(x,y-1)) } }),
    ("x sobel 2", { cross($0, $1) { x, y, l in
        func s(_ x: Int, _ y: Int) -> Double { l(x,y)+l(x+1,y)+l(x,y+1)+l(x+1,y+1) }
        return (s(x+1,y)-s(x-2,y), s(x,y+1)-s(x,y-2)) } }),
  ]
  @Test func compare() async throws {
    for (name, texture) in [("noise2 .05", SimulatedTexture.noise(contrast: 0.05, grain: 2)),
      ("noise4 .2", .noise(contrast: 0.2, grain: 4)), ("text .1", .text(contrast: 0.1, dot: 2))] {
      for well in [625.0] {
        var right: [String: Int] = [:]
        var score: [String: Double] = [:]
        let trials = 20
        for seed in 0..<trials {
          var ns: [[Double]] = Array(repeating: [], count: Self.naive.count)
          var cs: [[Double]] = Array(repeating: [], count: Self.crossed.count)
          var c2: [[Double]] = Array(repeating: [], count: Self.crossed.count)
          let places = Array(stride(from: 100, through: 150, by: 5))
          for place in places {
            var c = SimulatedCamera.Configuration(
              sensor: MeasuredSensor(named: "canon-eos-600d")!, lamp: MeasuredLamp(named: "D65")!,
              seed: UInt64(seed), size: (160, 120))
            c.texture = texture
            c.fullWell = well
            c.lens = SimulatedLens(best: 125)
            c.settings = [ControlValue(.focusPosition, place)]
            let camera = try SimulatedCamera(c)
            for _ in 0..<place { _ = try await camera.withNextFrame { _, _ in 0 } }
            let a = try await Self.plane(camera), b = try await Self.plane(camera)
            let d = try await Self.plane(camera), e = try await Self.plane(camera)
            for (i, m) in Self.naive.enumerated() { ns[i].append((m.1(a) + m.1(b)) / 2) }
            for (i, m) in Self.crossed.enumerated() { cs[i].append(m.1(a, b)); c2[i].append(m.1(d, e)) }
          }
          func judge(_ name: String, _ v: [Double]) {
            let best = v.indices.max { v[$0] < v[$1] }!
            if abs(places[best] - 125) <= 5 { right[name, default: 0] += 1 }
          }
          for (i, m) in Self.naive.enumerated() { judge(m.0, ns[i]) }
          for (i, m) in Self.crossed.enumerated() {
            judge(m.0, cs[i])
            // discriminability: difference best to 15 off, over noise
            let noise = (zip(cs[i], c2[i]).map { ($0 - $1) * ($0 - $1) }.reduce(0, +) / Double(2 * places.count)).squareRoot()
            score[m.0, default: 0] += (cs[i][5] - (cs[i][2] + cs[i][8]) / 2) / noise / Double(trials)
          }
        }
        print("RESULT", name, Int(well), (Self.naive.map(\.0) + Self.crossed.map(\.0)).map { "\($0) \(right[$0] ?? 0)" + (score[$0].map { " (\(Int($0 * 10)))" } ?? "") }.joined(separator: ", "))
      }
    }
  }
}
