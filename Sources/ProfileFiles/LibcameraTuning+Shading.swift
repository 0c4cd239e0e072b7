internal import WhiteBalance

extension LibcameraTuning {
  /// The color temperature that files state for the shading, in kelvin. libcamera uses a single
  /// table at every temperature.
  static let shadingTemperature = 4500

  /// Returns the section `rpi.alsc` with this tuning's shading, for a target such as `bcm2835`;
  /// `nil` if there is none.
  ///
  /// The tables have a value for the middle of each cell of the grid in which the platform sums the
  /// picture: 16 × 12 cells, or 32 × 32 for `pisp`. Those of red and blue are relative to green,
  /// and libcamera divides each by its least value, for which `grays(behind:)` allows.
  ///
  /// Source: libcamera 0.7.1, `src/ipa/rpi/controller/rpi/alsc.cpp` and `controller.cpp`.
  func lensShading(target: String) -> TuningFile.Shading? {
    guard let shading else { return nil }
    let (columns, rows) = target == "pisp" ? (32, 32) : (16, 12)
    func middle(_ index: Int, of count: Int) -> Double { (Double(index) + 0.5) / Double(count) }
    let gains: [Gains] = (0..<rows).flatMap { row in
      (0..<columns).map { column in
        shading.gains(x: middle(column, of: columns), y: middle(row, of: rows))
      }
    }
    func calibration(_ value: (Gains) -> Double) -> TuningFile.Shading.Calibration {
      let values = gains.map(value)
      let least = values.min() ?? 1
      return .init(
        ct: Self.shadingTemperature,
        table: values.map { value -> Double in (value / least * 1e4).rounded() / 1e4 },
        least: least)
    }
    return .init(
      red: [calibration { $0.red / $0.green }], blue: [calibration { $0.blue / $0.green }],
      luminance: calibration(\.green).table, strength: 1)
  }

  /// Returns the curve's grays behind libcamera's correction of shading, whose least gains of red
  /// and blue are 1, and not those of the middle.
  ///
  /// This holds for modes that read the whole sensor: of a part, libcamera takes the least there.
  func grays(behind shading: TuningFile.Shading?) -> [CurveCameraModel.Point] {
    let (red, blue) = (shading?.red.first?.least ?? 1, shading?.blue.first?.least ?? 1)
    return camera.points.map {
      .init(kelvin: $0.kelvin, red: $0.red / red, blue: $0.blue / blue)
    }
  }

  /// Returns the lines of the algorithm `LensShadingCorrection` with this tuning's shading; `nil`
  /// if there is none.
  ///
  /// The tables have 17 × 17 values, for the edges of 16 × 16 equal cells, with 1024 for a gain of
  /// 1. The hardware takes gains of 1 to 3.999, so that the least gain of all channels becomes 1.
  ///
  /// Source: libcamera 0.7.1, `src/ipa/rkisp1/algorithms/lsc.cpp` and
  /// `include/linux/rkisp1-config.h`.
  var lensShadingLines: [String]? {
    guard let shading else { return nil }
    let cells = 16
    let gains = (0...cells).map { row in
      (0...cells).map { column in
        shading.gains(x: Double(column) / Double(cells), y: Double(row) / Double(cells))
      }
    }
    let least = gains.joined().map { $0.vector.min() }.min() ?? 1
    func table(_ name: String, _ value: (Gains) -> Double) -> [String] {
      let rows = gains.map { row in
        row.map { "\(min(4095, Int((1024 * value($0) / least).rounded())))" }
          .joined(separator: ", ")
      }
      return ["    \(name): ["] + rows.map { "      \($0)," } + ["    ]"]
    }
    let sizes = Array(repeating: "0.0625", count: cells / 2).joined(separator: ", ")
    return ["x-size: [ \(sizes) ]", "y-size: [ \(sizes) ]", "sets:"]
      + ["  - ct: \(Self.shadingTemperature)"] + table("r", \.red) + table("gr", \.green)
      + table("gb", \.green) + table("b", \.blue)
  }
}

extension TuningFile.Shading {
  /// The section in JSON, in one line.
  var text: String {
    func list(_ values: [Double]) -> String {
      "[" + values.map { "\($0)" }.joined(separator: ", ") + "]"
    }
    func tables(_ calibrations: [Calibration]) -> String {
      let entries = calibrations.map { "{ \"ct\": \($0.ct), \"table\": \(list($0.table)) }" }
      return "[ " + entries.joined(separator: ", ") + " ]"
    }
    return "{ \"luminance_strength\": \(strength), \"calibrations_Cr\": \(tables(red)), "
      + "\"calibrations_Cb\": \(tables(blue)), \"luminance_lut\": \(list(luminance)) }"
  }
}
