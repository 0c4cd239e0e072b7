extension PlanckianLocus {
  /// Converts many chromaticities to color temperature and Duv.
  ///
  /// The results equal those of `correlatedColorTemperature(of:)`, bit for bit (`BatchTests`), with
  /// NaN in both where there is no answer. Complexity: O(count), with 16 KiB of temporary memory.
  ///
  /// - Precondition: all four spans have the same count.
  public func correlatedColorTemperatures(
    x: Span<Double>, y: Span<Double>, mired: inout MutableSpan<Double>,
    duv: inout MutableSpan<Double>
  ) {
    let count = x.count
    precondition(
      y.count == count && mired.count == count && duv.count == count,
      "x, y, mired and duv must have the same count")
    unsafe withUnsafeTemporaryAllocation(
      byteCount: InverseBlock.byteCount, alignment: 16
    ) { scratch in
      guard let base = scratch.baseAddress else { return }
      let block = unsafe InverseBlock(base)
      var start = 0
      while start < count {
        let length = min(InverseBlock.size, count - start)
        let (xs, ys) = (x.extracting(start..<start + length), y.extracting(start..<start + length))
        for index in 0..<length {
          let factor = 1 / Chromaticity(x: xs[index], y: ys[index]).uniformSum
          block.u[index] = 4 * xs[index] * factor
          block.v[index] = 6 * ys[index] * factor
        }
        // Points are processed in pairs.
        if length & 1 == 1 { (block.u[length], block.v[length]) = (0, 0) }
        block.solve(length + length & 1)
        for index in 0..<length {
          var result = (mired: block.mired[index], duv: block.duv[index])
          if result.duv.isNaN {
            let xy = Chromaticity(x: x[start + index], y: y[start + index])
            result = Self.coordinates(UCS1960(xy)) ?? (.nan, .nan)
          }
          mired[start + index] = result.mired * inverseScale
          duv[start + index] = result.duv
        }
        start += length
      }
    }
  }

  /// Converts many color temperatures to chromaticities.
  ///
  /// The results equal those of `chromaticity(of:)`, bit for bit (`BatchTests`). Complexity:
  /// O(count), with 4 KiB of temporary memory.
  ///
  /// - Precondition: all four spans have the same count.
  public func chromaticities(
    mired: Span<Double>, duv: Span<Double>, x: inout MutableSpan<Double>,
    y: inout MutableSpan<Double>
  ) {
    let count = mired.count
    precondition(
      duv.count == count && x.count == count && y.count == count,
      "mired, duv, x and y must have the same count")
    unsafe withUnsafeTemporaryAllocation(
      byteCount: ForwardBlock.byteCount, alignment: 16
    ) { scratch in
      guard let base = scratch.baseAddress else { return }
      let block = unsafe ForwardBlock(base)
      var start = 0
      while start < count {
        let length = min(InverseBlock.size, count - start)
        for index in 0..<length {
          block.mired[index] = mired[start + index] * scale
          block.duv[index] = duv[start + index]
        }
        block.solve(length)
        for index in 0..<length {
          x[start + index] = block.x[index]
          y[start + index] = block.y[index]
        }
        start += length
      }
    }
  }
}

/// The scratch arrays for converting 64 points from mired and Duv to x, y, like `InverseBlock`.
private struct ForwardBlock {
  static let byteCount = 8 * ScratchArray<Double>.byteCount

  let mired, duv, x, y: ScratchArray<Double>
  private let u, v, du, dv: ScratchArray<Double>

  /// - Parameter base: memory of `byteCount` bytes, which outlives the block.
  @unsafe init(_ base: UnsafeMutableRawPointer) {
    (mired, duv, x, y) = unsafe (.init(base, 0), .init(base, 1), .init(base, 2), .init(base, 3))
    (u, v, du, dv) = unsafe (.init(base, 4), .init(base, 5), .init(base, 6), .init(base, 7))
  }

  @inline(__always)
  func solve(_ count: Int) {
    for index in 0..<count {
      let point = LocusPoint(mired: mired[index])
      (u[index], v[index]) = (point.u, point.v)
      (du[index], dv[index]) = (point.du, point.dv)
    }
    for index in 0..<count {
      let speed = (du[index] * du[index] + dv[index] * dv[index]).squareRoot()
      let distance = duv[index] / speed
      let pu = u[index] - distance * dv[index]
      let pv = v[index] + distance * du[index]
      let factor = 1 / (2 * pu - 8 * pv + 4)
      x[index] = 3 * pu * factor
      y[index] = 2 * pv * factor
    }
  }
}

/// The scratch arrays for converting 64 points from u, v to mired and Duv.
///
/// The state of the points is spread over arrays, and each phase is a separate loop: in a single
/// loop the processor would wait for each step of a point's long chain of operations.
struct InverseBlock {
  static let size = 64
  static let byteCount = 32 * ScratchArray<Double>.byteCount

  let u, v, mired, duv: ScratchArray<Double>
  private let t, delta, slope, cross, square: ScratchArray<Double>
  private let piece: ScratchArray<Int>
  private let c0, c1, c2, c3, c4: ScratchArray<SIMD2<Double>>
  private let first, second, eu, ev, u1, v1, u2, v2, u3, v3, u4, v4: ScratchArray<Double>

  /// - Parameter base: memory of `byteCount` bytes, which outlives the block.
  @unsafe init(_ base: UnsafeMutableRawPointer) {
    (u, v, mired, duv) = unsafe (.init(base, 0), .init(base, 1), .init(base, 2), .init(base, 3))
    (t, delta, slope) = unsafe (.init(base, 4), .init(base, 5), .init(base, 6))
    (cross, square, piece) = unsafe (.init(base, 7), .init(base, 8), .init(base, 9))
    (first, second) = unsafe (.init(base, 10), .init(base, 11))
    (eu, u1, u2) = unsafe (.init(base, 12), .init(base, 13), .init(base, 14))
    (ev, v1, v2) = unsafe (.init(base, 15), .init(base, 16), .init(base, 17))
    (u3, u4, v3, v4) = unsafe (.init(base, 18), .init(base, 19), .init(base, 20), .init(base, 21))
    // Arrays of pairs are twice as long: from index 11 they lie behind all the others.
    (c0, c1, c2) = unsafe (.init(base, 11), .init(base, 12), .init(base, 13))
    (c3, c4) = unsafe (.init(base, 14), .init(base, 15))
  }

  /// - Parameter count: the number of points; it must be even.
  @inline(__always)
  func solve(_ count: Int) {
    let guess = TabulatedLocus.guess
    let coefficients = TabulatedLocus.coefficients
    for index in 0..<count { piece[index] = PieceGuess.cell(u[index], v[index]) }
    for index in 0..<count { piece[index] = guess.hint(piece[index]) }
    for _ in 0..<2 {
      for index in stride(from: 0, to: count, by: 2) {
        let a = guess.isotherms.distances(piece[index], u[index], v[index])
        let b = guess.isotherms.distances(piece[index + 1], u[index + 1], v[index + 1])
        store(a, b, first, second, index)
      }
      for index in 0..<count {
        (piece[index], t[index]) = PieceGuess.place(first[index], second[index], near: piece[index])
      }
    }
    for index in 0..<count {
      (c0[index], c1[index], c2[index], c3[index], c4[index]) = TabulatedLocus.taylor(
        coefficients, piece: piece[index], at: t[index])
    }
    for index in stride(from: 0, to: count, by: 2) {
      store(c0[index], c0[index + 1], eu, ev, index)
      store(c1[index], c1[index + 1], u1, v1, index)
      store(c2[index], c2[index + 1], u2, v2, index)
      store(c3[index], c3[index + 1], u3, v3, index)
      store(c4[index], c4[index + 1], u4, v4, index)
    }
    for index in 0..<count {
      (eu[index], ev[index]) = (u[index] - eu[index], v[index] - ev[index])
      (delta[index], slope[index]) = TabulatedLocus.step(
        eu: eu[index], ev: ev[index], u1[index], v1[index], u2[index], v2[index], u3[index],
        v3[index])
    }
    for index in 0..<count {
      (delta[index], cross[index], square[index]) = TabulatedLocus.refined(
        delta[index], slope: slope[index], eu: eu[index], ev: ev[index], u1[index], v1[index],
        u2[index], v2[index], u3[index], v3[index], u4[index], v4[index])
    }
    // To the compiler this is a call to the C library, and a loop with one is not vectorized.
    for index in 0..<count { square[index] = square[index].squareRoot() }
    for index in 0..<count {
      (mired[index], duv[index]) = TabulatedLocus.foot(
        piece: piece[index], t: t[index], delta: delta[index], cross: cross[index],
        length: square[index])
    }
  }

  /// Stores two vectors over two coordinates as two over two points. If the numbers were stored one
  /// by one, they would be computed one by one; and a loop that reads vectors is not vectorized.
  @inline(__always)
  private func store(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ x: ScratchArray<Double>, _ y: ScratchArray<Double>,
    _ index: Int
  ) {
    x.store(SIMD2(a.x, b.x), at: index)
    y.store(SIMD2(a.y, b.y), at: index)
  }
}

/// One of a block's arrays. Loops over it stay within the block's size.
@safe struct ScratchArray<Element: BitwiseCopyable> {
  static var byteCount: Int { InverseBlock.size * MemoryLayout<Element>.stride }

  private let base: UnsafeMutablePointer<Element>

  /// - Parameter base: the start of array 0.
  @unsafe init(_ base: UnsafeMutableRawPointer, _ index: Int) {
    unsafe self.base = (base + index * Self.byteCount).bindMemory(
      to: Element.self, capacity: InverseBlock.size)
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < InverseBlock.size)
      return unsafe base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < InverseBlock.size)
      unsafe base[index] = newValue
    }
  }

  @inline(__always)
  func store(_ pair: SIMD2<Element>, at index: Int) where Element: SIMDScalar {
    assert(index >= 0 && index + 1 < InverseBlock.size)
    unsafe UnsafeMutableRawPointer(base + index).storeBytes(of: pair, as: SIMD2<Element>.self)
  }
}
