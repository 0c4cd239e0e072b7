internal import WhiteBalance

extension LibcameraTuning {
  /// The names of the tunings that come with this package: platform (`vc4`: Raspberry Pi 0–4,
  /// `pisp`: 5) and sensor, such as `vc4/imx219`.
  ///
  /// Source: libcamera, BSD-2-Clause; see `Calibration/Profiles`.
  public static var shippedNames: [String] { shipped.map(\.name) }

  /// The shipped tuning with a name; `nil` if there is none. The name of a sensor alone stands for
  /// its tuning for `vc4`, or else for `pisp`.
  public init?(named name: String) {
    let found = Self.shipped.first { [name, "vc4/\(name)", "pisp/\(name)"].contains($0.name) }
    guard let found else { return nil }
    self = found.tuning
  }

  /// By platform, `vc4` first, then by sensor.
  private static let shipped: [(name: String, tuning: LibcameraTuning)] =
    shippedCurves.split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      let numbers = fields.dropFirst().compactMap { Double($0) }
      do {
        return (
          String(fields[0]),
          LibcameraTuning(
            camera: try CurveCameraModel(
              points: stride(from: 4, to: numbers.count, by: 3).map {
                .init(kelvin: numbers[$0], red: numbers[$0 + 1], blue: numbers[$0 + 2])
              }), transversePositive: numbers[0], transverseNegative: numbers[1],
            sensitivityRed: numbers[2], sensitivityBlue: numbers[3])
        )
      } catch {
        // The table is part of the program, and a test reads all of it.
        preconditionFailure("the shipped curves are damaged: \(error)")
      }
    }
}
