import CLittleCMSPeer
import ColorScience
import Foundation
import Pairs

/// Points between 2000 and 25 000 K with |Duv| ≤ 0.02, for which every peer gives a result.
struct Points {
  var x: [Double] = [], y: [Double] = [], mired: [Double] = [], duv: [Double] = []
  var kelvin: [Double] = []

  init(count: Int) {
    var random = Generator(state: 1)
    for _ in 0..<count {
      let light = CorrelatedColorTemperature(
        mired: 40 + 460 * random.uniform(), duv: 0.04 * random.uniform() - 0.02)
      let xy = Chromaticity(light)
      x.append(xy.x)
      y.append(xy.y)
      mired.append(light.mired)
      duv.append(light.duv)
      kelvin.append(light.kelvin)
    }
  }
}

/// The destination of results, which keeps the compiler from optimizing the work away.
final class Sink {
  private var a, b: [Double]
  var sum = 0.0

  init(count: Int) {
    a = [Double](repeating: 0, count: count)
    b = a
  }

  /// Passes both arrays to a batch.
  func fill(_ body: (inout MutableSpan<Double>, inout MutableSpan<Double>) -> Void) {
    Self.fill(&a, &b, body)
  }

  private static func fill(
    _ a: inout [Double], _ b: inout [Double],
    _ body: (inout MutableSpan<Double>, inout MutableSpan<Double>) -> Void
  ) {
    var first = a.mutableSpan
    var second = b.mutableSpan
    body(&first, &second)
  }
}

func run() {
  let count = 1 << 14
  let points = Points(count: count)
  let sink = Sink(count: count)
  let locus = PlanckianLocus()
  let robertson = Robertson()

  let inverseBatch = Work(name: "xy → temperature, Duv, batch", count: count) {
    sink.fill { mired, duv in
      locus.correlatedColorTemperatures(
        x: points.x.span, y: points.y.span, mired: &mired, duv: &duv)
    }
  }
  let inverseScalar = Work(name: "xy → temperature, Duv, scalar", count: count) {
    for index in 0..<count {
      let xy = Chromaticity(x: points.x[index], y: points.y[index])
      sink.sum += locus.correlatedColorTemperature(of: xy)?.mired ?? 0
    }
  }
  let inverseLatency = Work(name: "xy → temperature, Duv, each waiting for the last", count: count)
  {
    var last = 0.0
    for index in 0..<count {
      let xy = Chromaticity(x: points.x[index] + last * 0x1p-80, y: points.y[index])
      last = locus.correlatedColorTemperature(of: xy)?.mired ?? 0
    }
    sink.sum += last
  }
  let forwardBatch = Work(name: "temperature, Duv → xy, batch", count: count) {
    sink.fill { x, y in
      locus.chromaticities(mired: points.mired.span, duv: points.duv.span, x: &x, y: &y)
    }
  }
  let forwardScalar = Work(name: "temperature, Duv → xy, scalar", count: count) {
    for index in 0..<count {
      sink.sum +=
        locus.chromaticity(
          of: CorrelatedColorTemperature(mired: points.mired[index], duv: points.duv[index])
        ).x
    }
  }
  let forwardLatency = Work(name: "temperature, Duv → xy, each waiting for the last", count: count)
  {
    var last = 0.0
    for index in 0..<count {
      let mired = points.mired[index] + last * 0x1p-80
      last =
        locus.chromaticity(
          of: CorrelatedColorTemperature(mired: mired, duv: points.duv[index])
        ).x
    }
    sink.sum += last
  }
  let tint = Work(name: "xy → temperature, tint, scalar", count: count) {
    for index in 0..<count {
      let xy = Chromaticity(x: points.x[index], y: points.y[index])
      sink.sum += TemperatureAndTint(xy)?.tint ?? 0
    }
  }
  let tintBack = Work(name: "temperature, tint → xy, scalar", count: count) {
    for index in 0..<count {
      let light = TemperatureAndTint(
        temperature: points.kelvin[index], tint: 3000 * points.duv[index])
      sink.sum += Chromaticity(light).x
    }
  }
  let lcms = Work(name: "Little CMS `cmsTempFromWhitePoint`", count: count) {
    for index in 0..<count {
      var white = cmsCIExyY(x: points.x[index], y: points.y[index], Y: 1)
      var kelvin = 0.0
      _ = cmsTempFromWhitePoint(&kelvin, &white)
      sink.sum += kelvin
    }
  }
  let plain = Work(name: "Robertson, straightforward", count: count) {
    for index in 0..<count {
      sink.sum += robertson.temperature(x: points.x[index], y: points.y[index])
    }
  }

  print(
    """
    # Benchmarks

    Written by `make bench`. \(machine())

    Two works run in turn, in random order, 101 pairs of \(count) points each; the ratio is the median over
    the pairs, with a 95 % interval by bootstrap. Rates are those of this machine at that time; the ratios
    are what counts. Points: 2000…25 000 K, |Duv| ≤ 0.02, where every peer has an answer.

    | work | million/s | beside | million/s | times as fast |
    |---|---|---|---|---|
    """)
  let pairs = [
    (inverseBatch, inverseBatch), (inverseBatch, lcms), (inverseBatch, plain),
    (inverseScalar, lcms), (inverseScalar, plain), (inverseLatency, lcms),
    (tint, lcms), (forwardBatch, inverseBatch), (forwardScalar, inverseScalar),
    (forwardLatency, inverseLatency), (tintBack, tint),
  ]
  for (a, b) in pairs {
    let result = Comparison(a, b)
    let interval = String(format: "%.2f (%.2f…%.2f)", result.ratio, result.low, result.high)
    let rates = [result.first, result.second].map { String(format: "%.1f", 1e3 / $0) }
    print("| \(a.name) | \(rates[0]) | \(b.name) | \(rates[1]) | \(interval) |")
  }
  precondition(!sink.sum.isNaN)
}

run()
