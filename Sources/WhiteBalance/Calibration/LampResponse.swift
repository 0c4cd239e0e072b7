import ColorScience

/// The responses of a prior's cameras to one light.
struct LampResponse: Sendable {
  /// The `logGains` of each camera's response.
  var logGains: [SIMD2<Double>]
  /// The derivatives of the logarithms of red, green and blue with respect to the heights of
  /// `SensorGrid.filters`, one camera after the other.
  var filters: [[Double]]

  /// Computes the responses; `nil` if a channel of a camera has no response to the light.
  init?(_ power: [Double], cameras: [[[Double]]]) {
    logGains = []
    filters = [[], [], []]
    for camera in cameras {
      var sums = SIMD3<Double>.zero
      for channel in 0..<3 {
        let shares = zip(camera[channel], power).map { $0 * $1 }
        let sum = shares.reduce(0, +)
        guard sum > 0, sum.isFinite else { return nil }
        sums[channel] = sum
        for bump in SensorGrid.filters {
          var total = 0.0
          for index in shares.indices { total += shares[index] * bump[index] }
          filters[channel].append(total / sum)
        }
      }
      logGains.append(LinearRGB(sums).logGains)
    }
  }

  /// The weighted mean of responses, after adding an offset to the logarithms of each.
  init(mean lamps: [(response: LampResponse, offset: SIMD2<Double>, weight: Double)]) {
    let total = lamps.reduce(0) { $0 + $1.weight }
    let first = lamps[0].response
    logGains = first.logGains.indices.map { camera in
      lamps.reduce(SIMD2.zero) {
        $0 + $1.weight / total * ($1.response.logGains[camera] + $1.offset)
      }
    }
    filters = first.filters.indices.map { channel in
      first.filters[channel].indices.map { index in
        lamps.reduce(0) { $0 + $1.weight / total * $1.response.filters[channel][index] }
      }
    }
  }

  /// The mean over the cameras.
  var mean: SIMD2<Double> { logGains.reduce(SIMD2.zero, +) / Double(logGains.count) }

  /// The covariance of the logarithms under this light with those under another, over cameras like
  /// those of the prior. It is the sum of the covariances of the cameras themselves, of random
  /// filters in front of them, and of free scales of red and of blue.
  func covariance(with other: LampResponse) -> Covariance2x2 {
    let (a, b) = (mean, other.mean)
    var sum = Covariance2x2.zero
    for camera in logGains.indices {
      let (p, q) = (logGains[camera] - a, other.logGains[camera] - b)
      sum.rr += p.x * q.x
      sum.rb += p.x * q.y
      sum.br += p.y * q.x
      sum.bb += p.y * q.y
    }
    let (red, green, blue) = (
      dot(filters[0], other.filters[0]), dot(filters[1], other.filters[1]),
      dot(filters[2], other.filters[2])
    )
    let count = Double(logGains.count)
    sum = sum * (1 / (count - 1))
    sum.rr += (green + red) / count + 1
    sum.bb += (green + blue) / count + 1
    sum.rb += green / count
    sum.br += green / count
    return sum
  }
}
