package import CameraProfiles
internal import ColorScience
package import SimulatedScenes
package import WhiteBalance

/// A random camera with properties of known cameras, and the truth about it.
///
/// Common webcams are drawn most often. Half of the cameras have one fault. In about one of ten a
/// control cannot make the card neutral under A or D65, which `description` states.
package struct RandomChain: Sendable, CustomStringConvertible {
  /// The seed from which the camera was drawn.
  package let seed: UInt64
  /// The configuration of the camera, under D65, with 80×60 pixels.
  package let configuration: SimulatedCamera.Configuration
  /// The random choices, in words.
  package private(set) var description = ""
  /// The camera's fault.
  package let fault: RandomFault
  /// The kind of the camera's white-balance controls.
  package let controls: String
  /// `true` if the flicker is so strong that a report of it is acceptable instead of a measurement.
  package let flickersVisibly: Bool

  /// Draws the camera of a seed.
  package init(seed: UInt64) {
    var dice = Dice(seed: seed)
    let sensor = dice.one(of: MeasuredSensor.all)
    dice.note(sensor.name)
    var configuration = SimulatedCamera.Configuration(
      sensor: sensor, lamp: Self.lamp("D65"), seed: seed, size: (80, 60))
    configuration.pipeline = Self.pipeline(&dice, name: "chain\(seed)")
    configuration.transfer = Self.transfer(&dice)
    configuration.iso = Self.noise(&dice, &configuration.pipeline)
    Self.drawTiming(&dice, &configuration)
    configuration.exposure = Self.exposure(&dice)
    let (balance, kind) = RandomBalance(
      neutral: (
        Self.neutral(configuration, "A"), Self.neutral(configuration, "D50"),
        Self.neutral(configuration, "D65")
      ), seed: seed
    ).drawn(with: &dice)
    configuration.balance = balance
    let isFaulty = dice.chance(0.5)
    var fault = RandomFault.none
    while isFaulty, fault == .none || !fault.applies(to: configuration) {
      fault = dice.weighted(RandomFault.weights)
    }
    fault.befall(&configuration, &dice)
    let flicker = configuration.faults.flicker
    (self.seed, self.configuration, self.fault) = (seed, configuration, fault)
    controls = kind.rawValue
    flickersVisibly = flicker.level >= 0.03 || flicker.color >= 0.002
    let missed = ["A", "D65"].filter { !reachesNeutral(under: Self.lamp($0)) }
    if !missed.isEmpty {
      dice.note("does not reach neutral under \(missed.joined(separator: ", "))")
    }
    description = "chain \(seed): " + dice.words.joined(separator: ", ")
  }

  /// Returns a standard illuminant.
  private static func lamp(_ name: String) -> MeasuredLamp {
    guard let lamp = MeasuredLamp(named: name) else {
      preconditionFailure("there is no lamp \(name)")
    }
    return lamp
  }
}

// MARK: The truth

extension RandomChain {
  /// Returns the gains that make the card neutral under a lamp.
  package func neutralGains(under lamp: MeasuredLamp) -> Gains {
    Self.neutral(configuration, lamp)
  }

  fileprivate static func neutral(
    _ configuration: SimulatedCamera.Configuration, _ name: String
  ) -> Gains { neutral(configuration, lamp(name)) }

  private static func neutral(
    _ configuration: SimulatedCamera.Configuration, _ lamp: MeasuredLamp
  ) -> Gains {
    var setup = configuration.scene
    setup.lamp = lamp
    let card = SimulatedScene(setup).card
    return Gains(red: card.green / card.red, blue: card.green / card.blue)
  }

  /// Returns the gains of settings; all other controls are at their defaults.
  package func gains(at settings: [ControlValue]) -> Gains {
    var values = Dictionary(
      uniqueKeysWithValues: configuration.balance.controls.map { ($0.id, $0.defaultValue) })
    let step = configuration.faults.roundsTo
    for setting in settings {
      let isRounded = SimulatedBalance.governed.contains(setting.id)
      values[setting.id] = isRounded ? setting.value / step * step : setting.value
    }
    return configuration.balance.gains(values)
  }

  /// Returns the CIEDE2000 difference of the card from neutral under a lamp, in linear light after
  /// the color matrix, interpreted as linear sRGB at the lightness of 18 %.
  package func differenceFromNeutral(_ gains: Gains, under lamp: MeasuredLamp) -> Double {
    difference(gains, neutral: neutralGains(under: lamp))
  }

  private func difference(_ gains: Gains, neutral: Gains) -> Double {
    let light = configuration.pipeline.matrix * (gains.vector / neutral.vector)
    let luma = (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
    let lab = LabColor(LinearRGB(0.18 / luma * light), in: .sRGB)
    return lab.ciede2000(to: lab.neutral)
  }

  /// Returns the settings with which the card is nearest to neutral, and the remaining difference.
  package func best(under lamp: MeasuredLamp) -> (settings: [ControlValue], difference: Double) {
    let neutral = neutralGains(under: lamp)
    var best: (settings: [ControlValue], difference: Double) = ([], .infinity)
    for settings in candidates(for: neutral) {
      let difference = difference(gains(at: settings), neutral: neutral)
      if difference < best.difference { best = (settings, difference) }
    }
    return best
  }

  /// Returns `true` if neutral lies within the range of the controls.
  package func reachesNeutral(under lamp: MeasuredLamp) -> Bool {
    let wanted = neutralGains(under: lamp)
    guard let path = pathControl else {
      return [ControlID.redBalance, .blueBalance].allSatisfy { id in
        guard let control = control(id) else { return false }
        let channel: KeyPath<Gains, Double> = id == .redBalance ? \.red : \.blue
        let ends = [control.minimum, control.largest].map {
          gains(at: [ControlValue(id, $0)] + centered(except: id, for: wanted))[keyPath: channel]
        }.sorted()
        // If green has a control too, a common factor gives all other gains.
        return ends[0] <= wanted[keyPath: channel] && wanted[keyPath: channel] <= ends[1]
      }
    }
    let ratios = values(of: path).map { (value: Int) -> Double in
      let gains = gains(at: [ControlValue(path.id, value)])
      return gains.red / gains.blue
    }
    let ratio = wanted.red / wanted.blue
    return (ratios.min() ?? 0) <= ratio && ratio <= (ratios.max() ?? 0)
  }

  /// The control that moves both red and blue, if there is one.
  package var pathControl: ControlDescription? {
    control(.whiteBalanceTemperature) ?? control(.whiteBalancePreset)
  }

  /// Returns the valid values of a control, without those that turn its automatic on.
  package func values(of control: ControlDescription) -> [Int] {
    stride(from: control.minimum, through: control.largest, by: control.step).filter {
      control.isValid($0) && control.automatic?.on != $0
    }
  }

  /// Returns the setting of each balance whose gain is nearest to a wanted one; for a control that
  /// changes both, the setting whose ratio of red to blue is nearest.
  package func settings(for wanted: Gains) -> [ControlValue] {
    if let path = pathControl {
      let ratio = wanted.red / wanted.blue
      return nearest(path, count: 1) { value in
        let gains = gains(at: [value])
        return logarithm(gains.red / gains.blue / ratio)
      }
    }
    return candidates(for: wanted).first ?? []
  }

  private func control(_ id: ControlID) -> ControlDescription? {
    configuration.balance.controls.first { $0.id == id }
  }

  /// Returns settings of the other channels: red at the wanted gain, because blue may depend on it,
  /// and green, if it has a control, at a gain of 1.
  private func centered(except id: ControlID, for wanted: Gains) -> [ControlValue] {
    var settings: [ControlValue] = []
    if let green = control(.greenBalance) {
      settings = nearest(green, count: 1) { gains(at: [$0]).green - 1 }
    }
    if id != .redBalance, let red = control(.redBalance) {
      settings += nearest(red, count: 1) { gains(at: [$0]).red - wanted.red }
    }
    return settings
  }

  /// Returns settings that include the nearest to wanted gains; the first is the nearest in each
  /// channel.
  private func candidates(for wanted: Gains) -> [[ControlValue]] {
    if let path = pathControl { return values(of: path).map { [ControlValue(path.id, $0)] } }
    guard let red = control(.redBalance), let blue = control(.blueBalance) else { return [] }
    let green = centered(except: .redBalance, for: wanted)
    return nearest(red, count: 3) { gains(at: [$0]).red - wanted.red }.flatMap { red in
      nearest(blue, count: 3) { gains(at: [red, $0]).blue - wanted.blue }.map {
        green + [red, $0]
      }
    }
  }

  /// Returns the settings of a control that are nearest to a zero of a function.
  private func nearest(
    _ control: ControlDescription, count: Int, _ distance: (ControlValue) -> Double
  ) -> [ControlValue] {
    let all = values(of: control).map { value in
      (
        setting: ControlValue(control.id, value),
        distance(ControlValue(control.id, value)).magnitude
      )
    }
    // Settings on both sides of the zero are included, and each gain once.
    var found: [(setting: ControlValue, Double)] = []
    for candidate in all.sorted(by: { $0.1 < $1.1 }) {
      if let last = found.last, last.1 == candidate.1 { continue }
      found.append(candidate)
      if found.count == count { break }
    }
    return found.map(\.setting)
  }
}
