import CWbcalVideo4Linux
import CameraControl
import CameraProfiles

/// The controls of a camera: those of its video node and of its sub-devices.
struct CameraControls {
  /// The devices, the video node first, each with the controls that are taken from it.
  private(set) var devices: [ControlAccess]
  private let sources: [ControlSource]
  private let tables: [ControlTable]
  private let camera: String

  /// Asks the drivers for their controls.
  init(_ sources: [ControlSource], camera: String) throws(CameraError) {
    var tables: [ControlTable] = []
    for source in sources { tables.append(try ControlTable(source.handle, camera: camera)) }
    self.init(sources, tables, camera)
  }

  private init(_ sources: [ControlSource], _ tables: [ControlTable], _ camera: String) {
    self.sources = sources
    self.tables = tables
    self.camera = camera
    let timings = sources.map(\.timing)
    devices = zip(sources, ControlTable.chosen(of: tables, timings: timings)).map {
      ControlAccess(table: $1, handle: $0.handle, camera: camera)
    }
  }

  /// The present timing of the sensor; `nil` if no sub-device states one.
  var sensorTiming: SensorTiming? { sources.lazy.compactMap(\.timing).last }

  /// The descriptions of the controls, in the order of V4L2's numbers.
  var descriptions: [ControlDescription] {
    devices.flatMap(\.table.controls).sorted { $0.number < $1.number }.map(\.description)
  }

  /// The handle of the video node.
  var videoNode: any DeviceHandle { devices[0].handle }

  /// Returns the devices, opened once more.
  func opened(
    by open: (String) throws(CameraError) -> any DeviceHandle
  ) throws(CameraError) -> [ControlAccess] {
    var again: [ControlAccess] = []
    for (source, device) in zip(sources, devices) {
      again.append(
        ControlAccess(table: device.table, handle: try open(source.path), camera: camera))
    }
    return again
  }

  /// Indicates whether the limits of a control may change: those of a sensor's exposure depend on
  /// its format and blanking.
  var haveSubdevices: Bool { devices.count > 1 }

  /// Returns the controls with the present limits of those of sub-devices.
  func examinedAgain() throws(CameraError) -> CameraControls {
    var tables = tables
    for index in sources.indices where sources[index].kind != .videoNode {
      tables[index] = try ControlTable(sources[index].handle, camera: camera)
    }
    return CameraControls(sources, tables, camera)
  }

  private func device(of id: ControlID) throws(CameraError) -> Int {
    guard let index = devices.firstIndex(where: { $0.table[id] != nil }) else {
      throw .noControl(id, camera: camera)
    }
    return index
  }

  /// Returns the current flags of a control.
  func flags(of id: ControlID) throws(CameraError) -> ControlFlags {
    try devices[device(of: id)].flags(of: id)
  }

  /// Returns the value that the driver reports.
  func value(of id: ControlID) throws(CameraError) -> Int {
    try devices[device(of: id)].value(of: id)
  }

  /// Writes values, or none if one is outside its control's limits.
  ///
  /// - Throws: `CameraError.settingNotKept` if a driver set a value other than the one it was
  ///   given, after all have been written.
  func set(_ values: [ControlValue]) throws(CameraError) {
    var writes = [[ControlAccess.Write]](repeating: [], count: devices.count)
    for value in values {
      let index = try device(of: value.id)
      writes[index].append(try devices[index].write(of: value))
    }
    var written: [ControlValue] = []
    var reported: [Int] = []
    for index in Self.orderOfWriting(writes) {
      for transaction in ControlAccess.transactions(writes[index]) {
        reported += try devices[index].write(transaction, after: written)
        written += transaction.map(\.controlValue)
      }
    }
    for (value, reported) in zip(written, reported) where value.value != reported {
      throw .settingNotKept(value, reported: reported)
    }
  }

  /// Returns the order of the devices: first those whose automatic modes are turned off, and last
  /// those whose automatic modes are turned on.
  static func orderOfWriting(_ writes: [[ControlAccess.Write]]) -> [Int] {
    func rank(_ writes: [ControlAccess.Write]) -> Int {
      let turns = writes.compactMap { $0.control.turnsAutomaticOff($0.value) }
      return turns.contains(true) ? 0 : turns.isEmpty ? 1 : 2
    }
    return writes.indices.sorted { (rank(writes[$0]), $0) < (rank(writes[$1]), $1) }
  }
}
