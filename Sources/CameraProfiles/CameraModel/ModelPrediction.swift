internal import ColorScience

/// The codes that a model predicts for observations, and their derivatives. Its buffers are reused
/// for each set of parameters.
///
/// Derivatives are chained from those of each step. Those by the shape of the tone curve's base, by
/// dead ends and by hysteresis are differences of 1e-5 (`ModelPredictionTests`).
struct ModelPrediction {
  let model: ForwardModel
  let looks: LookTable
  /// The fraction of the pixels' noise that the model includes: 0 at a far start, else 1.
  var noiseShare = 1.0 { didSet { predicted = [] } }
  /// The codes: red, green and blue of each observation.
  private(set) var codes: [Double]
  /// The derivatives by each free parameter, row by row.
  private(set) var jacobian: [Double] = []

  /// The parameters of the codes; empty if what the codes were computed from has changed since.
  private var predicted: [Double] = []
  private let rows: Int
  private let channels: [Int]
  private let stairCounts: [Int]
  private var law: GainLaw
  private var tone = ToneShape()
  private var places: [Double]
  private var noise = 0.0
  private var gains: [Double]
  private var changedGains: [Double]
  private var light: [Double]
  private var changedLight: [Double]
  private var clippedLight: [Double]
  /// The linear value of each row after the matrix, and its code before saturation.
  private var mixed: [Double]
  private var toned: [Double]
  /// The points of the tone curve that each row's mean code averages, and the derivative of that
  /// code by the logarithm of noise.
  private var points: [ToneShape.Points]
  private var noiseSlopes: [Double]
  /// The derivative of each row's code before saturation by light, and the derivatives of each
  /// row's code by the observation's three codes before saturation.
  private var toneSlopes: [Double]
  private var chroma: [Double]
  private static let step = 1e-5

  init(_ model: ForwardModel, _ looks: LookTable) {
    self.model = model
    self.looks = looks
    rows = 3 * looks.count
    channels = model.controls.laws.map(\.channel)
    stairCounts = model.stairValues.map(\.count)
    law = GainLaw(model)
    let zeros = [Double](repeating: 0, count: rows)
    codes = zeros
    places = looks.places
    gains = [Double](repeating: 0, count: looks.count * looks.laws)
    changedGains = gains
    (light, changedLight, clippedLight, mixed) = (zeros, zeros, zeros, zeros)
    (toned, toneSlopes, noiseSlopes) = (zeros, zeros, zeros)
    points = zeros.map { _ in ToneShape.Points(middle: 0, more: 0, less: 0, width: 0, rise: 0) }
    chroma = [Double](repeating: 0, count: 3 * rows)
  }

  /// Computes the codes.
  mutating func predict(_ parameters: [Double]) {
    setPlaces(parameters)
    for index in 0..<looks.laws {
      law.fill(&gains, law: index, parameters, places: places, step: looks.laws)
    }
    combine(parameters, gains, into: &light)
    tone.setBase(parameters)
    tone.setWarp(parameters)
    mix(parameters)
    saturate(parameters)
    predicted = parameters
  }

  /// Sets the effective positions of the controls: with hysteresis they lag behind the settings.
  private mutating func setPlaces(_ parameters: [Double]) {
    guard model.cause == .hysteresis else { return }
    let play = abs(parameters[model.layout.cause])
    for index in looks.laws..<places.count {
      let set = looks.places[index]
      places[index] = min(max(places[index - looks.laws], set - play), set + play)
    }
  }

  /// Computes the logarithm of light after the gains.
  private func combine(_ parameters: [Double], _ gains: [Double], into light: inout [Double]) {
    let layout = model.layout
    let power = 1 + parameters[ParameterLayout.exposurePower]
    let crosstalk = parameters[ParameterLayout.crosstalk]
    for look in 0..<looks.count {
      var exposure = power * looks.logExposures[look]
      if let index = looks.exposureIndices[look] {
        exposure += parameters[layout.exposures + index]
      }
      for channel in 0..<3 {
        light[3 * look + channel] = parameters[layout.light(looks.lamps[look], channel)] + exposure
      }
      for (index, channel) in channels.enumerated() {
        let place = look * looks.laws + index
        let gain = gains[place] + (stair(place, law: index).map { parameters[$0] } ?? 0)
        light[3 * look + channel] += gain
        if channel == 0 { light[3 * look + 2] += crosstalk * gain }
      }
    }
    guard let cause = model.cause, cause != .hysteresis else { return }
    applyCause(parameters[layout.cause], parameters[layout.cause + 1], to: &light)
  }

  /// The parameter that holds the offset of one observation's value of a law.
  @inline(__always) private func stair(_ place: Int, law index: Int) -> Int? {
    if stairCounts.isEmpty || looks.valueIndices[place] >= stairCounts[index] { return nil }
    return model.layout.stairsOfLaws[index] + looks.valueIndices[place]
  }

  /// Applies the fault's effect on the logarithm of light. The effect is linear in light and in red
  /// and blue, so that derivatives of light are carried by it, too.
  ///
  /// - Parameters:
  ///   - red: the value of the fault's first parameter, or its derivative.
  ///   - blue: those of its second parameter.
  private func applyCause(_ red: Double, _ blue: Double, to light: inout [Double]) {
    switch model.cause {
    case nil, .hysteresis: return
    case .drift:
      for look in 0..<looks.count {
        light[3 * look] += Double(look) * red
        light[3 * look + 2] += Double(look) * blue
      }
    case .change(let first):
      for look in first..<looks.count {
        light[3 * look] += red
        light[3 * look + 2] += blue
      }
    case .returned(let first):
      for look in first..<looks.count {
        light[3 * look] = light[3 * look + 1] + red
        light[3 * look + 2] = light[3 * look + 1] + blue
      }
    }
  }

  /// Applies the matrix and the tone curve. Three points of a normal distribution represent the
  /// noisy pixels whose codes are averaged.
  private mutating func mix(_ parameters: [Double]) {
    for row in 0..<rows {
      clippedLight[row] = min(exponential(min(max(light[row], -20), 5)), 1)
    }
    setNoise(parameters)
    // Local copies: otherwise each call would retain and release all that this value holds.
    let (tone, noise, deviations) = (tone, noise, looks.deviations)
    for row in 0..<rows {
      let (look, channel) = (row / 3, row % 3)
      let (first, second) = ((channel == 0 ? 1 : 0), (channel == 2 ? 1 : 2))
      let own = clippedLight[row]
      let (a, b) = (clippedLight[3 * look + first], clippedLight[3 * look + second])
      mixed[row] =
        own + parameters[2 * channel] * (a - own) + parameters[2 * channel + 1] * (b - own)
      points[row] = tone.points(mixed[row], deviation: noise * deviations[row])
      toned[row] = tone.meanCode(points[row])
    }
  }

  private mutating func setNoise(_ parameters: [Double]) {
    noise = noiseShare * 3.0.squareRoot() * exponential(parameters[ParameterLayout.noise])
  }

  private mutating func saturate(_ parameters: [Double]) {
    let saturation = parameters[ParameterLayout.saturation]
    let dependence = parameters[ParameterLayout.lumaSaturation]
    let turn = HueTurn(parameters[ParameterLayout.hue])
    for look in 0..<looks.count {
      let (r, g, b) = (toned[3 * look], toned[3 * look + 1], toned[3 * look + 2])
      let luma = Self.luma(r, g, b)
      let distance = luma / 128 - 1
      let factor = exponential(saturation - dependence * distance * distance)
      for channel in 0..<3 {
        let chroma = turn.turned(r - luma, b - luma, channel: channel)
        codes[3 * look + channel] = min(max(luma + factor * chroma, 0), 255)
      }
    }
  }

  @inline(__always) private static func luma(_ r: Double, _ g: Double, _ b: Double) -> Double {
    0.299 * r + 0.587 * g + 0.114 * b
  }
}

extension ModelPrediction {
  /// Computes the codes and their derivatives.
  mutating func differentiate(_ parameters: [Double]) {
    // The cost of the same parameters was usually computed just before.
    if predicted != parameters { predict(parameters) }
    predicted = []
    setSlopes(parameters)
    if jacobian.count != model.free.count * rows {
      jacobian = [Double](repeating: 0, count: model.free.count * rows)
    }
    let hysteresis = model.cause == .hysteresis ? model.layout.cause : nil
    var changed = parameters
    for (index, place) in model.free.enumerated() {
      let output = index * rows
      switch place {
      case 0..<6: addMatrix(place, output)
      case ParameterLayout.saturation: addSaturation(output)
      case ParameterLayout.lumaSaturation: addLumaSaturation(output)
      case ParameterLayout.hue: addHue(parameters, output)
      case ParameterLayout.gamma, ParameterLayout.toe:
        changed[place] += Self.step
        addToneBase(changed, output)
        changed[place] = parameters[place]
      case ParameterLayout.tone...ParameterLayout.noise: addTone(place, output)
      case _ where place == hysteresis,
        ParameterLayout.lowerEnd, ParameterLayout.upperEnd:
        changed[place] += Self.step
        addLightChange(changed, output)
        changed[place] = parameters[place]
      default:
        setLightSlopes(parameters, by: place)
        addLogLight(parameters, output)
      }
    }
  }

  /// Computes the slopes of the tone curve with noise, and of saturation and hue.
  private mutating func setSlopes(_ parameters: [Double]) {
    tone.setDerivatives()
    for index in 0..<looks.laws { law.setDerivatives(law: index) }
    let (tone, noise, deviations) = (tone, noise, looks.deviations)
    for row in 0..<rows {
      let more = tone.meanCode(mixed[row] + Self.step, deviation: noise * deviations[row])
      toneSlopes[row] = (more - toned[row]) / Self.step
      noiseSlopes[row] = tone.slopeByNoise(points[row], mixed[row])
    }
    let shares = (0.299, 0.587, 0.114)
    let dependence = parameters[ParameterLayout.lumaSaturation]
    let turn = HueTurn(parameters[ParameterLayout.hue])
    for look in 0..<looks.count {
      let luma = Self.luma(toned[3 * look], toned[3 * look + 1], toned[3 * look + 2])
      let distance = luma / 128 - 1
      let factor = exponential(
        parameters[ParameterLayout.saturation] - dependence * distance * distance)
      let bend = -dependence * 2 * distance / 128 * factor
      for channel in 0..<3 {
        let row = 3 * look + channel
        let isClipped = codes[row] <= 0 || codes[row] >= 255
        let share = turn.row(channel)
        let chroma = turn.turned(
          toned[3 * look] - luma, toned[3 * look + 2] - luma, channel: channel)
        let common = isClipped ? 0 : 1 - factor * (share.0 + share.1) + bend * chroma
        self.chroma[3 * row] = common * shares.0 + (isClipped ? 0 : factor * share.0)
        self.chroma[3 * row + 1] = common * shares.1
        self.chroma[3 * row + 2] = common * shares.2 + (isClipped ? 0 : factor * share.1)
      }
    }
  }

  /// Carries changes of the codes before saturation, held in `changedLight`, through saturation.
  private mutating func addToned(_ output: Int) {
    for look in 0..<looks.count {
      let first = 3 * look
      let (r, g, b) = (changedLight[first], changedLight[first + 1], changedLight[first + 2])
      for row in first..<first + 3 {
        jacobian[output + row] =
          chroma[3 * row] * r + chroma[3 * row + 1] * g + chroma[3 * row + 2] * b
      }
    }
  }

  /// Carries changes of the logarithm of light through matrix, tone curve and saturation.
  private mutating func addLogLight(_ parameters: [Double], _ output: Int) {
    for look in 0..<looks.count {
      var change = (0.0, 0.0, 0.0)
      let row = 3 * look
      if clippedLight[row] < 1 { change.0 = changedLight[row] * clippedLight[row] }
      if clippedLight[row + 1] < 1 { change.1 = changedLight[row + 1] * clippedLight[row + 1] }
      if clippedLight[row + 2] < 1 { change.2 = changedLight[row + 2] * clippedLight[row + 2] }
      let (r, g, b) = change
      let red = r + parameters[0] * (g - r) + parameters[1] * (b - r)
      let green = g + parameters[2] * (r - g) + parameters[3] * (b - g)
      let blue = b + parameters[4] * (r - b) + parameters[5] * (g - b)
      changedLight[row] = toneSlopes[row] * red
      changedLight[row + 1] = toneSlopes[row + 1] * green
      changedLight[row + 2] = toneSlopes[row + 2] * blue
    }
    addToned(output)
  }

  /// Adds the difference of light between parameters of which one is changed by a step and those
  /// that were predicted last.
  private mutating func addLightChange(_ changed: [Double], _ output: Int) {
    setPlaces(changed)
    for index in 0..<looks.laws {
      law.fill(&changedGains, law: index, changed, places: places, step: looks.laws)
    }
    combine(changed, changedGains, into: &changedLight)
    for row in 0..<rows { changedLight[row] = (changedLight[row] - light[row]) / Self.step }
    addLogLight(changed, output)
  }

  /// Sets the derivatives of the logarithm of light by a parameter.
  private mutating func setLightSlopes(_ parameters: [Double], by place: Int) {
    for row in 0..<rows { changedLight[row] = 0 }
    let layout = model.layout
    if place == ParameterLayout.exposurePower {
      for row in 0..<rows { changedLight[row] = looks.logExposures[row / 3] }
    } else if place == ParameterLayout.crosstalk {
      setCrosstalkSlopes(parameters)
    } else if let index = layout.law(of: place) {
      law.fillDerivatives(
        &changedGains, law: index, by: place - layout.laws[index], parameters, places: places,
        step: looks.laws)
      addGainSlopes(parameters, law: index)
    } else if layout.stairsRange.contains(place) {
      let index = layout.stairsOfLaws.lastIndex { $0 <= place } ?? 0
      for value in stride(from: index, to: gains.count, by: looks.laws) {
        changedGains[value] = stair(value, law: index) == place ? 1 : 0
      }
      addGainSlopes(parameters, law: index)
    } else if place < layout.stairs {
      let (lamp, channel) = ((place - layout.lights) / 3, (place - layout.lights) % 3)
      for look in 0..<looks.count where looks.lamps[look] == lamp {
        changedLight[3 * look + channel] = 1
      }
    } else if place >= layout.exposures {
      for row in 0..<rows where looks.exposureIndices[row / 3] == place - layout.exposures {
        changedLight[row] = 1
      }
    }
    applyCause(place == layout.cause ? 1 : 0, place == layout.cause + 1 ? 1 : 0, to: &changedLight)
  }

  /// Adds the derivatives of one law's gains, held in `changedGains`, to those of light.
  private mutating func addGainSlopes(_ parameters: [Double], law index: Int) {
    let (channel, crosstalk) = (channels[index], parameters[ParameterLayout.crosstalk])
    for look in 0..<looks.count {
      let change = changedGains[look * looks.laws + index]
      changedLight[3 * look + channel] += change
      if channel == 0 { changedLight[3 * look + 2] += crosstalk * change }
    }
  }

  private mutating func setCrosstalkSlopes(_ parameters: [Double]) {
    for (index, channel) in channels.enumerated() where channel == 0 {
      for look in 0..<looks.count {
        let place = look * looks.laws + index
        changedLight[3 * look + 2] +=
          gains[place] + (stair(place, law: index).map { parameters[$0] } ?? 0)
      }
    }
  }

  private mutating func addMatrix(_ place: Int, _ output: Int) {
    let (channel, other) = MixingPrior.places[place]
    for row in 0..<rows {
      changedLight[row] =
        row % 3 == channel
        ? toneSlopes[row] * (clippedLight[row / 3 * 3 + other] - clippedLight[row]) : 0
    }
    addToned(output)
  }

  private mutating func addSaturation(_ output: Int) {
    for row in 0..<rows { jacobian[output + row] = chromaOfCodes(row) }
  }

  private mutating func addLumaSaturation(_ output: Int) {
    for row in 0..<rows {
      let first = row / 3 * 3
      let distance = Self.luma(toned[first], toned[first + 1], toned[first + 2]) / 128 - 1
      jacobian[output + row] = -distance * distance * chromaOfCodes(row)
    }
  }

  private mutating func addHue(_ parameters: [Double], _ output: Int) {
    let slope = HueTurn(slopeAt: parameters[ParameterLayout.hue])
    let dependence = parameters[ParameterLayout.lumaSaturation]
    for look in 0..<looks.count {
      let (r, b) = (toned[3 * look], toned[3 * look + 2])
      let luma = Self.luma(r, toned[3 * look + 1], b)
      let distance = luma / 128 - 1
      let factor = exponential(
        parameters[ParameterLayout.saturation] - dependence * distance * distance)
      for channel in 0..<3 {
        let row = 3 * look + channel
        let isClipped = codes[row] <= 0 || codes[row] >= 255
        jacobian[output + row] =
          isClipped ? 0 : factor * slope.turned(r - luma, b - luma, channel: channel)
      }
    }
  }

  private func chromaOfCodes(_ row: Int) -> Double {
    if codes[row] <= 0 || codes[row] >= 255 { return 0 }
    let first = row / 3 * 3
    return codes[row] - Self.luma(toned[first], toned[first + 1], toned[first + 2])
  }

  /// Adds the derivatives by a parameter of the tone curve's warp, by black, or by noise.
  private mutating func addTone(_ place: Int, _ output: Int) {
    let tone = tone
    for row in 0..<rows {
      changedLight[row] =
        switch place {
        case ParameterLayout.noise: noiseSlopes[row]
        case ParameterLayout.black: tone.slopeByBlack(points[row], byNoise: noiseSlopes[row])
        default:
          tone.slopeByWarp(place - ParameterLayout.tone, points[row], byNoise: noiseSlopes[row])
        }
    }
    addToned(output)
  }

  /// Adds the difference between the codes of a changed base of the tone curve and those that were
  /// predicted last.
  private mutating func addToneBase(_ changed: [Double], _ output: Int) {
    var tone = tone
    tone.setBase(changed)
    for row in 0..<rows {
      let code = tone.meanCode(mixed[row], deviation: noise * looks.deviations[row])
      changedLight[row] = (code - toned[row]) / Self.step
    }
    addToned(output)
  }
}
