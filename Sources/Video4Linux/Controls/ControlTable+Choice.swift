import CWbcalVideo4Linux
import CameraProfiles

extension ControlTable {
  /// The tables of a camera's devices, in which each control occurs once. Some are named for their
  /// purpose, which depends on the other controls.
  ///
  /// - Parameters:
  ///   - tables: Those of the video node, then of the sub-devices, the one nearest the sensor
  ///     first. The first table that has a control keeps it.
  ///   - timings: The timing of each sub-device; `nil` for others, and if it is unknown.
  static func chosen(of tables: [ControlTable], timings: [SensorTiming?]) -> [ControlTable] {
    var taken: Set<UInt32> = []
    var chosen: [[DriverControl]] = []
    for (index, table) in tables.enumerated() {
      let own = table.controls.filter {
        !taken.contains($0.number) && (index == 0 || !isPartOfTiming($0))
      }
      taken.formUnion(own.map(\.number))
      chosen.append(own)
    }
    return zip(chosen, timings).map { controls, timing in
      ControlTable(controls.map { named($0, timing, among: taken) })
    }
  }

  /// Indicates whether a control determines the duration of a sensor's line, the unit of its
  /// exposure times: it is not offered, because a unit must not change.
  private static func isPartOfTiming(_ control: DriverControl) -> Bool {
    control.number == V4L2_CID_HBLANK.bits
  }

  private static func named(
    _ control: DriverControl, _ timing: SensorTiming?, among taken: Set<UInt32>
  ) -> DriverControl {
    switch control.number {
    case V4L2_CID_ANALOGUE_GAIN.bits where !taken.contains(V4L2_CID_GAIN.bits):
      return control.named(.gain)
    case V4L2_CID_EXPOSURE.bits where !taken.contains(V4L2_CID_EXPOSURE_ABSOLUTE.bits):
      guard let timing, timing.countsLines(to: control.description.maximum) else { return control }
      return control.named(.exposureTime, secondsPerUnit: timing.lineTime)
    default: return control
    }
  }
}
