internal import ColorScience
internal import SimulatedScenes

/// The random choices of the picture's processing, its timing and the exposure.
extension RandomChain {
  static func pipeline(_ dice: inout Dice, name: String) -> SimulatedPipeline {
    var pipeline = SimulatedPipeline(name: name)
    let (kind, kelvin, elements) = dice.one(of: publishedMatrices)
    let strength = dice.number(0.2...1)
    pipeline.matrix = mixed(elements, strength: strength)
    dice.note("matrix \(rounded(strength)) of \(kind)@\(Int(kelvin))")
    // The sum of two random numbers is near the middle more often than near the ends.
    pipeline.saturation = 0.8 + dice.number(0...0.35) + dice.number(0...0.35)
    dice.note("saturation \(rounded(pipeline.saturation))")
    if dice.chance(0.2) {
      pipeline.hue = dice.number(-10...10)
      dice.note("hue \(rounded(pipeline.hue))°")
    }
    if dice.chance(0.7) {
      pipeline.contrast = dice.number(0...0.5)
      dice.note("S \(rounded(pipeline.contrast))")
    }
    if dice.chance(0.6) {
      pipeline.black = dice.number(-6...10)
      dice.note("black \(rounded(pipeline.black))")
    }
    pipeline.shading = dice.number(0...0.15)
    if dice.chance(0.4) {
      pipeline.roundsToLumaAndChroma = true
      dice.note("8-bit Y'CbCr")
    }
    return pipeline
  }

  /// Returns a mixture of a published matrix and the identity; rows add up to 1.
  private static func mixed(_ elements: [Double], strength: Double) -> Matrix3x3 {
    let rows = (0..<3).map { index -> SIMD3<Double> in
      let row = SIMD3(elements[3 * index], elements[3 * index + 1], elements[3 * index + 2])
      var unit = SIMD3<Double>.zero
      unit[index] = 1
      return unit + strength * (row / row.sum() - unit)
    }
    return Matrix3x3(rows[0], rows[1], rows[2])
  }

  static func transfer(_ dice: inout Dice) -> TransferFunction {
    let transfer = dice.weighted([
      (45, TransferFunction.sRGB), (15, .bt709), (40, .gamma(dice.number(1.8...2.6))),
    ])
    if case .gamma(let power) = transfer {
      dice.note("power \(rounded(power, digits: 3))")
    } else {
      dice.note(transfer.name)
    }
    return transfer
  }

  static func noise(_ dice: inout Dice, _ pipeline: inout SimulatedPipeline) -> Double {
    let iso = dice.scale(100...1600)
    pipeline.isDenoised = dice.chance(0.12)
    dice.note(pipeline.isDenoised ? "no noise" : "ISO \(Int(iso))")
    return iso
  }

  static func drawTiming(_ dice: inout Dice, _ configuration: inout SimulatedCamera.Configuration) {
    configuration.latency = dice.one(of: [0, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 15])
    dice.note("latency \(configuration.latency)")
    if dice.chance(0.25) {
      configuration.faults.latencyJitter = dice.whole(1...3)
      dice.note("± up to \(configuration.faults.latencyJitter)")
    }
    if dice.chance(0.25) {
      configuration.faults.settlingRate = dice.scale(0.1...0.9)
      dice.note("pace \(rounded(configuration.faults.settlingRate))")
    }
    if dice.chance(0.18) {
      let level = dice.scale(0.005...0.06)
      let color = dice.chance(0.3) ? 0 : dice.scale(0.0003...0.004)
      configuration.faults.flicker = (level, color)
      configuration.faults.flickerPeriod = dice.scale(2.1...20)
      dice.note(
        "flicker \(rounded(100 * level)) %, color \(rounded(100 * color)) %, period "
          + rounded(configuration.faults.flickerPeriod))
    }
  }

  static func exposure(_ dice: inout Dice) -> SimulatedExposure? {
    guard dice.chance(0.92) else {
      dice.note("no exposure")
      return nil
    }
    let time: SimulatedExposure.Time = dice.weighted([
      (70, .absolute), (18, .lines(dice.number(20e-6...35e-6), less: dice.whole(0...12))),
      (12, .logarithmic(stepsPerStop: dice.whole(20...32))),
    ])
    let amplification: SimulatedExposure.Amplification = dice.weighted([
      (40, .none), (20, .proportional), (15, .additive), (15, .decibels), (10, .doublings),
    ])
    var exposure = SimulatedExposure(time, amplification)
    exposure.automaticPace = dice.chance(0.5) ? 1 : dice.scale(0.15...0.8)
    exposure.hasBias = dice.chance(0.3)
    if case .lines = time { exposure.isMislabeled = dice.chance(0.3) }
    if dice.chance(0.1) { exposure.exponent = dice.number(0.9...1.1) }
    dice.note("exposure \(time)" + (amplification == .none ? "" : ", gain \(amplification)"))
    if exposure.exponent != 1 { dice.note("light ∝ time^\(rounded(exposure.exponent, digits: 3))") }
    return exposure
  }
}
