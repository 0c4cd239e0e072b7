extension PlanckianLocus {
  /// Converts many chromaticities to color temperature and Duv, with the results for `Double`
  /// rounded to `Scalar` (`BatchTests`). Complexity: O(count), with 8 KiB of temporary memory.
  ///
  /// - Precondition: all four spans have the same count.
  @inlinable
  public func correlatedColorTemperatures<Scalar: BinaryFloatingPoint>(
    x: Span<Scalar>, y: Span<Scalar>, mired: inout MutableSpan<Scalar>,
    duv: inout MutableSpan<Scalar>
  ) {
    Self.inChunks(x, y, &mired, &duv) { x, y, mired, duv in
      correlatedColorTemperatures(x: x.span, y: y.span, mired: &mired, duv: &duv)
    }
  }

  /// Converts many color temperatures to chromaticities, with the results for `Double` rounded to
  /// `Scalar` (`BatchTests`). Complexity: O(count), with 8 KiB of temporary memory.
  ///
  /// - Precondition: all four spans have the same count.
  @inlinable
  public func chromaticities<Scalar: BinaryFloatingPoint>(
    mired: Span<Scalar>, duv: Span<Scalar>, x: inout MutableSpan<Scalar>,
    y: inout MutableSpan<Scalar>
  ) {
    Self.inChunks(mired, duv, &x, &y) { mired, duv, x, y in
      chromaticities(mired: mired.span, duv: duv.span, x: &x, y: &y)
    }
  }

  /// Converts many chromaticities to temperature in kelvin and tint: the results of
  /// `TemperatureAndTint(_:on:)`, rounded to `Scalar`, with NaN in both where there is no answer
  /// (`BatchTests`). Complexity: O(count), with scratch of 8 KiB.
  ///
  /// - Precondition: all four have the same count.
  @inlinable
  public func temperaturesAndTints<Scalar: BinaryFloatingPoint>(
    x: Span<Scalar>, y: Span<Scalar>, temperature: inout MutableSpan<Scalar>,
    tint: inout MutableSpan<Scalar>
  ) {
    Self.inChunks(x, y, &temperature, &tint) { x, y, temperature, tint in
      correlatedColorTemperatures(x: x.span, y: y.span, mired: &temperature, duv: &tint)
      for index in temperature.indices {
        temperature[index] = 1e6 / temperature[index]
        tint[index] = 3000 * tint[index]
      }
    }
  }

  /// Converts many temperatures in kelvin and tints to chromaticities: the results of
  /// `Chromaticity(_:on:)` for a `TemperatureAndTint`, rounded to `Scalar` (`BatchTests`).
  /// Complexity: O(count), with scratch of 8 KiB.
  ///
  /// - Precondition: all four have the same count.
  @inlinable
  public func chromaticities<Scalar: BinaryFloatingPoint>(
    temperature: Span<Scalar>, tint: Span<Scalar>, x: inout MutableSpan<Scalar>,
    y: inout MutableSpan<Scalar>
  ) {
    Self.inChunks(temperature, tint, &x, &y) { temperature, tint, x, y in
      for index in temperature.indices {
        temperature[index] = 1e6 / temperature[index]
        tint[index] = tint[index] / 3000
      }
      chromaticities(mired: temperature.span, duv: tint.span, x: &x, y: &y)
    }
  }

  /// Lets `convert` compute two columns from two others in `Double`, at most 256 rows at a time, so
  /// that all data stays in the processor's first-level cache.
  @inlinable
  static func inChunks<Scalar: BinaryFloatingPoint>(
    _ first: Span<Scalar>, _ second: Span<Scalar>, _ third: inout MutableSpan<Scalar>,
    _ fourth: inout MutableSpan<Scalar>,
    _ convert: (
      inout MutableSpan<Double>, inout MutableSpan<Double>, inout MutableSpan<Double>,
      inout MutableSpan<Double>
    ) -> Void
  ) {
    let count = first.count
    precondition(
      second.count == count && third.count == count && fourth.count == count,
      "all four must have the same count")
    for start in stride(from: 0, to: count, by: 256) {
      let rows = start..<min(start + 256, count)
      var a = rows.map { Double(first[$0]) }
      var b = rows.map { Double(second[$0]) }
      var (c, d) = (a, b)
      do {
        var a = a.mutableSpan
        var b = b.mutableSpan
        var c = c.mutableSpan
        var d = d.mutableSpan
        convert(&a, &b, &c, &d)
      }
      for row in rows {
        third[row] = Scalar(c[row - start])
        fourth[row] = Scalar(d[row - start])
      }
    }
  }
}
