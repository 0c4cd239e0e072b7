extension PlanckianLocus {
  /// The color temperature and Duv of many chromaticities.
  ///
  /// The same as `correlatedColorTemperature(of:)`, bit for bit (`BatchTests`), with NaN in both where
  /// there is no answer. Complexity: O(count), no allocation but for 8 KiB of scratch on the stack.
  ///
  /// - Precondition: all four have the same count.
  public func correlatedColorTemperatures(
    x: Span<Double>, y: Span<Double>, mired: inout MutableSpan<Double>,
    duv: inout MutableSpan<Double>
  ) {
    let count = x.count
    precondition(
      y.count == count && mired.count == count && duv.count == count,
      "x, y, mired and duv must have the same count")
    unsafe withUnsafeTemporaryAllocation(
      of: Double.self, capacity: InverseBlock.arrays * InverseBlock.size
    ) { scratch in
      guard let base = scratch.baseAddress else { return }
      let block = unsafe InverseBlock(base)
      var start = 0
      while start < count {
        let length = min(InverseBlock.size, count - start)
        for index in 0..<length {
          let (px, py) = (x[start + index], y[start + index])
          let factor = 1 / Chromaticity(x: px, y: py).uniformDenominator
          block.u[index] = 4 * px * factor
          block.v[index] = 6 * py * factor
        }
        block.solve(length)
        for index in 0..<length {
          var result = (mired: block.mired[index], duv: block.duv[index])
          if !block.isCertain(index) {
            let (u, v) = (block.u[index], block.v[index])
            result = u.isFinite && v.isFinite ? Self.coordinates(u, v) : (.nan, .nan)
            if !result.mired.isFinite || !result.duv.isFinite { result = (.nan, .nan) }
          }
          mired[start + index] = result.mired * inverseScale
          duv[start + index] = result.duv
        }
        start += length
      }
    }
  }

  /// The chromaticities of many color temperatures.
  ///
  /// The same as `chromaticity(of:)`, bit for bit (`BatchTests`). Complexity: O(count), no allocation.
  ///
  /// - Precondition: all four have the same count.
  public func chromaticities(
    mired: Span<Double>, duv: Span<Double>, x: inout MutableSpan<Double>,
    y: inout MutableSpan<Double>
  ) {
    let count = mired.count
    precondition(
      duv.count == count && x.count == count && y.count == count,
      "mired, duv, x and y must have the same count")
    unsafe withUnsafeTemporaryAllocation(
      of: Double.self, capacity: ForwardBlock.arrays * InverseBlock.size
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

/// 64 points on their way from mired and Duv to x, y, like `InverseBlock`.
private struct ForwardBlock {
  static let arrays = 8

  let mired, duv, x, y: ScratchArray<Double>
  private let u, v, du, dv: ScratchArray<Double>

  /// - Parameter base: room for `arrays` × `InverseBlock.size` numbers, which outlives the block.
  @unsafe init(_ base: UnsafeMutablePointer<Double>) {
    func array(_ index: Int) -> ScratchArray<Double> {
      unsafe ScratchArray(base + index * InverseBlock.size)
    }
    (mired, duv, x, y) = (array(0), array(1), array(2), array(3))
    (u, v, du, dv) = (array(4), array(5), array(6), array(7))
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

/// 64 points on their way from u, v to mired and Duv.
///
/// Their state is spread over arrays, and each phase is a loop of its own: in one loop a point's long
/// chain of operations would leave the processor waiting.
struct InverseBlock {
  static let size = 64
  static let arrays = 16

  let u, v, mired, duv: ScratchArray<Double>
  private let piece: ScratchArray<Int>
  private let t, u0, u1, u2, u3, u4, v0, v1, v2, v3, v4: ScratchArray<Double>

  /// - Parameter base: room for `arrays` × `size` numbers, which outlives the block.
  @unsafe init(_ base: UnsafeMutablePointer<Double>) {
    func array(_ index: Int) -> ScratchArray<Double> {
      unsafe ScratchArray(base + index * Self.size)
    }
    (u, v, mired, duv) = (array(0), array(1), array(2), array(3))
    t = array(5)
    // Whole numbers lie in the fifth array.
    piece = unsafe ScratchArray(
      UnsafeMutableRawPointer(base + 4 * Self.size).bindMemory(to: Int.self, capacity: Self.size))
    (u0, u1, u2, u3, u4) = (array(6), array(7), array(8), array(9), array(10))
    (v0, v1, v2, v3, v4) = (array(11), array(12), array(13), array(14), array(15))
  }

  /// Whether the answer stands: not NaN, that of a point beyond an end, nor one of several below the
  /// evolute.
  @inline(__always)
  func isCertain(_ index: Int) -> Bool { duv[index] >= PlanckianLocus.monotonicAbove }

  @inline(__always)
  func solve(_ count: Int) {
    let isotherms = TabulatedLocus.isotherms
    let coefficients = TabulatedLocus.coefficients
    for index in 0..<count { piece[index] = 0 }
    var step = 128
    while step > 0 {
      for index in 0..<count {
        piece[index] = TabulatedLocus.advanced(
          piece[index], by: step, isotherms, u[index], v[index])
      }
      step >>= 1
    }
    for index in 0..<count {
      let found = piece[index]
      let first = isotherms[found].distance(u[index], v[index])
      let second = isotherms[found + 1].distance(u[index], v[index])
      // Beyond an end there is no piece, and nothing to be certain of.
      let isInside = first >= 0 && found < TabulatedLocus.pieceCount
      t[index] = isInside ? 2 * (first / (first - second)) - 1 : .nan
      piece[index] = min(found, TabulatedLocus.pieceCount - 1)
    }
    for index in 0..<count {
      let (c0, c1, c2, c3, c4) = TabulatedLocus.taylor(
        coefficients, piece: piece[index], at: t[index])
      (u0[index], v0[index]) = (c0.x, c0.y)
      (u1[index], v1[index]) = (c1.x, c1.y)
      (u2[index], v2[index]) = (c2.x, c2.y)
      (u3[index], v3[index]) = (c3.x, c3.y)
      (u4[index], v4[index]) = (c4.x, c4.y)
    }
    for index in 0..<count {
      let foot = TabulatedLocus.foot(
        eu: u[index] - u0[index], ev: v[index] - v0[index], u1[index], v1[index], u2[index],
        v2[index], u3[index], v3[index], u4[index], v4[index])
      mired[index] = t[index] + foot.delta
      duv[index] = foot.duv
    }
    for index in 0..<count {
      mired[index] = 4 * (Double(2 * piece[index] + 1) + mired[index])
    }
  }
}

/// An array of a block. Loops over it stay within the block's size.
@safe struct ScratchArray<Element: BitwiseCopyable> {
  private let base: UnsafeMutablePointer<Element>

  init(_ base: UnsafeMutablePointer<Element>) { unsafe self.base = base }

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
}
