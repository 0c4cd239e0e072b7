import WhiteBalance

/// A small surface of one color that may be a patch.
struct PatchBlob {
  /// The middle of the blob, in pixels of the image.
  let center: SIMD2<Double>
  /// The covariance of its pixels' positions: xx, xy, yy.
  let covariance: SIMD3<Double>
  let area: Double
  /// The mean linear values, and the fraction of samples that are clipped.
  let color: SIMD4<Double>

  /// Returns the length of an offset, in sides of the blob, as if it were a parallelogram; the
  /// covariance of a square is a twelfth of its area.
  func sides(_ offset: SIMD2<Double>) -> Double {
    let determinant = covariance.x * covariance.z - covariance.y * covariance.y
    let (x, y) = (offset.x, offset.y)
    let sum = covariance.z * x * x - 2 * covariance.y * x * y + covariance.x * y * y
    return (sum / (12 * determinant)).squareRoot()
  }
}

extension LinearImage {
  /// Finds the surfaces of one color, of 9 to about 400 pixels, whose outline fits a parallelogram.
  ///
  /// A surface grows from each pixel that agrees with its neighbors over all pixels that agree with
  /// the surface's mean, so that the slope of a blurred edge does not lead from one surface to the
  /// next.
  func blobs() -> [PatchBlob] {
    guard min(width, height) > 2 else { return [] }
    let (floor, tolerance) = (Float(floor), tolerance)
    func agree(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Bool {
      let difference = pointwiseMax(a - b, b - a)
      let limit = tolerance * (b + floor)
      return difference.x < limit.x && difference.y < limit.y && difference.z < limit.z
    }
    var isTaken = [Bool](repeating: false, count: pixels.count)
    var blobs: [PatchBlob] = []
    var members: [Int] = []
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let seed = y * width + x
        guard !isTaken[seed] else { continue }
        let color = pixels[seed]
        guard agree(pixels[seed - 1], color), agree(pixels[seed + 1], color),
          agree(pixels[seed - width], color), agree(pixels[seed + width], color)
        else { continue }
        members.removeAll(keepingCapacity: true)
        members.append(seed)
        isTaken[seed] = true
        var sum = color
        var next = 0
        while next < members.count {
          let place = members[next]
          next += 1
          let mean = sum / Float(members.count)
          let (row, column) = place.quotientAndRemainder(dividingBy: width)
          func visit(_ neighbor: Int) {
            guard !isTaken[neighbor], agree(pixels[neighbor], mean) else { return }
            isTaken[neighbor] = true
            members.append(neighbor)
            sum += pixels[neighbor]
          }
          if column > 0 { visit(place - 1) }
          if column < width - 1 { visit(place + 1) }
          if row > 0 { visit(place - width) }
          if row < height - 1 { visit(place + width) }
        }
        if let blob = blob(members, SIMD4<Double>(sum / Float(members.count))) {
          blobs.append(blob)
        }
      }
    }
    return blobs
  }

  private func blob(_ members: [Int], _ color: SIMD4<Double>) -> PatchBlob? {
    guard 9...400 ~= members.count else { return nil }
    var sum = SIMD2<Double>.zero
    var squares = SIMD3<Double>.zero
    for place in members {
      let (x, y) = (Double(place % width) + 0.5, Double(place / width) + 0.5)
      sum += SIMD2(x, y)
      squares += SIMD3(x * x, x * y, y * y)
    }
    let area = Double(members.count)
    let center = sum / area
    // A pixel is itself a square, with a covariance of 1/12.
    let covariance =
      squares / area - SIMD3(center.x * center.x, center.x * center.y, center.y * center.y)
      + SIMD3(1.0 / 12, 0, 1.0 / 12)
    let determinant = covariance.x * covariance.z - covariance.y * covariance.y
    let trace = covariance.x + covariance.z
    // Parallelograms have 1; trace² / determinant is 18 if the ratio of the axes is 4.
    guard determinant > 0, area / (12 * determinant.squareRoot()) > 0.8,
      trace * trace < 18 * determinant
    else { return nil }
    return PatchBlob(center: center, covariance: covariance, area: area, color: color)
  }

  /// The relative difference that noise and slight shading explain.
  private var tolerance: Float {
    let differences = sampledPlaces.map { place in
      abs(pixels[place].y - pixels[place + 1].y) / (pixels[place].y + Float(floor))
    }.filter(\.isFinite)
    guard !differences.isEmpty else { return 0.1 }
    return min(0.3, 0.1 + 3 * differences.orderStatistic(differences.count / 2))
  }
}
