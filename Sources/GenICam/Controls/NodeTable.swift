#if GenICam
import CameraControl
import CameraProfiles

/// The controls of a camera, found by the names that the standard (SFNC) and makers give to nodes.
struct NodeTable {
  private(set) var controls: [NodeControl] = []

  subscript(id: ControlID) -> NodeControl? { controls.first { $0.id == id } }

  /// Finds the controls of a camera.
  init(_ device: AravisDevice) throws(CameraError) {
    try addBalances(device)
    try addAutomatic("BalanceWhiteAuto", .autoWhiteBalance, once: .doWhiteBalance, device)
    try addExposure(device)
    try addAutomatic("ExposureAuto", .exposureMode, once: nil, device)
    try addGain(device)
    try addAutomatic("GainAuto", .autoGain, once: nil, device)
    try addOthers(device)
  }

  // MARK: - Balances

  private static let colors: [(id: ControlID, name: String)] = [
    (.redBalance, "Red"), (.greenBalance, "Green"), (.blueBalance, "Blue"),
  ]

  /// The places of gains of single colors: selectors, numbers, and the words before a color's name.
  /// Integers are preferred, because their steps are known.
  private static let balances: [(selector: String, numbers: [String], words: [String])] = [
    ("BalanceRatioSelector", ["BalanceRatioRaw", "BalanceRatio", "BalanceRatioAbs"], [""]),
    ("GainSelector", ["GainRaw", "Gain", "GainAbs"], ["Digital", "Analog", ""]),
  ]

  private mutating func addBalances(_ device: AravisDevice) throws(CameraError) {
    let enabler = ["BalanceRatioEnable"].first { device.kind(of: $0) == .boolean }
    let governor = device.kind(of: "BalanceWhiteAuto") == .choice ? "BalanceWhiteAuto" : nil
    for place in Self.balances {
      guard let node = place.numbers.first(where: { device.kind(of: $0)?.isNumber == true }),
        device.kind(of: place.selector) == .choice
      else { continue }
      let choices = try device.required { () throws(AravisError) in
        try device.choices(of: place.selector)
      }
      for word in place.words {
        let found = Self.colors.filter { choices.contains(word + $0.name) }
        guard found.contains(where: { $0.id == .redBalance || $0.id == .blueBalance }) else {
          continue
        }
        for color in found {
          try addNumber(
            color.id, node, .init(node: place.selector, choice: word + color.name),
            fine: 1e-4, usual: 1, governor: governor, enabler: enabler, device)
        }
        return
      }
    }
  }

  // MARK: - Exposure

  private mutating func addExposure(_ device: AravisDevice) throws(CameraError) {
    let governor = device.kind(of: "ExposureAuto") == .choice ? "ExposureAuto" : nil
    let timed = ["ExposureTime", "ExposureTimeAbs"].first { device.kind(of: $0)?.isNumber == true }
    if let timed {
      // The standard's unit is 1 µs.
      try addNumber(
        .exposureTime, timed, nil, fine: 1, usual: 10_000, governor: governor, device)
    } else if device.kind(of: "ExposureTimeRaw")?.isNumber == true {
      try addNumber(
        .exposureLines, "ExposureTimeRaw", nil, fine: 1, usual: nil, governor: governor, device)
    }
  }

  private mutating func addGain(_ device: AravisDevice) throws(CameraError) {
    let numbers = ["GainRaw", "Gain", "GainAbs"]
    guard let node = numbers.first(where: { device.kind(of: $0)?.isNumber == true }) else { return }
    var selection: NodeControl.Selection?
    if device.kind(of: "GainSelector") == .choice {
      let choices = try device.required { () throws(AravisError) in
        try device.choices(of: "GainSelector")
      }
      guard let all = ["All", "AnalogAll", "DigitalAll"].first(where: choices.contains) else {
        return
      }
      selection = .init(node: "GainSelector", choice: all)
    }
    try addNumber(
      .gain, node, selection, fine: 0.01, usual: 0,
      governor: device.kind(of: "GainAuto") == .choice ? "GainAuto" : nil, device)
  }

  // MARK: - Others

  private mutating func addOthers(_ device: AravisDevice) throws(CameraError) {
    let numbers: [(id: ControlID, names: [String], fine: Double, usual: Double?)] = [
      (.gamma, ["Gamma"], 0.001, 1),
      (.blackLevel, ["BlackLevelRaw", "BlackLevel", "BlackLevelAbs"], 0.01, nil),
    ]
    for control in numbers {
      guard let node = control.names.first(where: { device.kind(of: $0)?.isNumber == true }) else {
        continue
      }
      try addNumber(control.id, node, nil, fine: control.fine, usual: control.usual, device)
    }
    // Older versions of the standard have the second name.
    if let node = ["TestPattern", "TestImageSelector"].first(where: {
      device.kind(of: $0) == .choice
    }) {
      let names = try device.required { () throws(AravisError) in try device.choices(of: node) }
      controls.append(
        NodeControl(
          id: .testPattern, node: node, selection: nil, values: .choices(names), governor: nil,
          enabler: nil))
    }
    if device.kind(of: "ColorTransformationEnable") == .boolean {
      controls.append(
        NodeControl(
          id: .colorTransformation, node: "ColorTransformationEnable", selection: nil,
          values: .boolean, governor: nil, enabler: nil))
    }
  }

  private mutating func addAutomatic(
    _ node: String, _ id: ControlID, once: ControlID?, _ device: AravisDevice
  ) throws(CameraError) {
    guard device.kind(of: node) == .choice else { return }
    let choices = try device.required { () throws(AravisError) in try device.choices(of: node) }
    guard choices.contains("Off") else { return }
    if let on = Self.continuous.first(where: choices.contains) {
      controls.append(
        NodeControl(
          id: id, node: node, selection: nil, values: .automatic(on: on), governor: nil,
          enabler: nil))
    }
    if let once, let choice = Self.once.first(where: choices.contains) {
      controls.append(
        NodeControl(
          id: once, node: node, selection: nil, values: .once(choice), governor: nil,
          enabler: nil))
    }
  }

  /// The names of the choice at which the camera keeps choosing, the standard's first.
  private static let continuous = ["Continuous", "Periodic"]
  /// The names of the choice at which the camera chooses once.
  private static let once = ["Once", "OnDemand"]

  private mutating func addNumber(
    _ id: ControlID, _ node: String, _ selection: NodeControl.Selection?, fine: Double,
    usual: Double?, governor: String? = nil, enabler: String? = nil, _ device: AravisDevice
  ) throws(CameraError) {
    guard let kind = device.kind(of: node) else { return }
    let (low, increment) = try device.required { () throws(AravisError) in
      if let selection, device.hasControl {
        try? device.set(selection.choice, of: selection.node)
      }
      return (try device.bounds(of: node, kind).low, device.increment(of: node, kind))
    }
    let isInteger = kind == .integer
    let scale = NodeScale(
      lowest: low, increment: isInteger ? increment ?? 1 : increment, fine: isInteger ? 1 : fine)
    controls.append(
      NodeControl(
        id: id, node: node, selection: selection,
        values: .numbers(kind, scale, usual: isInteger ? nil : usual), governor: governor,
        enabler: enabler))
  }
}

extension AravisDevice.Kind {
  /// Indicates whether the node's value is a number.
  var isNumber: Bool { self == .integer || self == .float }
}

extension AravisDevice {
  /// Reads what a camera must report to be used.
  func required<Result>(
    _ body: () throws(AravisError) -> Result
  ) throws(CameraError) -> Result {
    do { return try body() } catch {
      throw failure(error)
        ?? .system(call: "reading the controls of \(name)", number: error.number, text: error.text)
    }
  }
}

extension ControlID {
  /// An offset of the picture, in the camera's own unit.
  static let blackLevel = ControlID(rawValue: "BlackLevel")
  /// Indicates whether the camera applies its color matrix.
  static let colorTransformation = ControlID(rawValue: "ColorTransformationEnable")
}
#endif
