internal import ColorScience

/// Looks as the fit reads them: numbers in rows of three channels, or of a law each.
struct LookTable {
  /// A tenth of what rounding to whole codes is: how far codes are beside any model at the least.
  static let leastFloor = 0.02

  private(set) var count = 0
  private(set) var lamps: [Int] = []
  private(set) var logExposures: [Double] = []
  /// Of each look, which of `unknownExposures` it has; `nil` of those that are known.
  private(set) var exposureIndices: [Int?] = []
  /// Exposures whose light is not known, each under a lamp.
  private(set) var unknownExposures: [UnknownExposure] = []

  /// An exposure of which only the number is known.
  struct UnknownExposure: Hashable {
    var lamp: Int
    var logExposure: Double
    /// The look that alone has it; `nil` where all looks of that number have it.
    var look: Int?
  }
  /// `true` if each look but a lamp's first has an exposure of its own, chosen by the camera.
  var areExposuresChosen = false
  /// Of each law, where the control was.
  private(set) var places: [Double] = []
  /// Of each law, which of its values, in the order in which they were first looked at.
  private(set) var valueIndices: [Int] = []
  /// Of each law its values.
  private(set) var values: [[Double]]
  private(set) var codes: [Double] = []
  private(set) var variances: [Double] = []
  /// Of single pixels, before red, green and blue of two of them were averaged.
  private(set) var deviations: [Double] = []
  private(set) var isUsed: [Bool] = []
  /// How far codes may be beside any model, whatever the noise.
  var floor = LookTable.leastFloor

  let laws: Int
  private let controls: BalanceControls

  init(_ controls: BalanceControls) {
    self.controls = controls
    laws = controls.laws.count
    values = [[Double]](repeating: [], count: laws)
  }

  /// How much more a pixel's channels deviate before two share their chroma, as in 4:2:2.
  private static let beforeChromaIsShared = [0.299, 0.587, 0.114].map {
    1 / (($0 * $0 + 1) / 2).squareRoot()
  }

  /// By a tone curve like sRGB's the mean of noisy codes is 0.6 of their variance beside the code
  /// below the code of the mean; of this the model knows all but 6 %.
  private static let noiseUncertainty = 0.6 * 0.06

  mutating func append(_ look: Observation) {
    append(
      lamp: look.lamp, places: controls.places(of: look.settings), exposure: look.exposure)
    for channel in 0..<3 {
      codes.append(look.codes[channel])
      let deviation = look.deviations[channel] * Self.beforeChromaIsShared[channel]
      let bend = Self.noiseUncertainty * deviation * deviation / max(look.codes[channel], 16)
      variances.append(look.variance[channel] + bend * bend)
      deviations.append(deviation)
      isUsed.append(look.usable[channel])
    }
  }

  /// A look that has not been taken, at which pixels would deviate as others do.
  mutating func append(
    candidateUnder lamp: Int, places: [Double], exposure: Double, deviations: [Double]
  ) {
    append(lamp: lamp, places: places, exposure: exposure)
    self.deviations += deviations
  }

  private mutating func append(lamp: Int, places: [Double], exposure: Double) {
    count += 1
    lamps.append(lamp)
    logExposures.append(logarithm(exposure))
    if areExposuresChosen, lamps.dropLast().contains(lamp) {
      unknownExposures.append(
        UnknownExposure(lamp: lamp, logExposure: logarithm(exposure), look: count - 1))
      exposureIndices.append(unknownExposures.count - 1)
    } else {
      exposureIndices.append(
        unknownExposures.firstIndex(
          of: UnknownExposure(lamp: lamp, logExposure: logarithm(exposure))))
    }
    self.places += places
    for (law, place) in places.enumerated() {
      let known = values[law].firstIndex { abs($0 - place) < 1e-6 }
      if known == nil { values[law].append(place) }
      valueIndices.append(known ?? values[law].count - 1)
    }
  }

  /// Counts values and exposures as another table does.
  mutating func adoptValues(of other: LookTable) {
    (values, unknownExposures) = (other.values, other.unknownExposures)
  }

  /// Knows as much of exposures as another table, of the same looks.
  mutating func adoptExposures(of other: LookTable) {
    areExposuresChosen = other.areExposuresChosen
    unknownExposures = other.unknownExposures.filter { $0.look == nil }
  }

  /// Takes exposures of looks under a lamp for numbers whose light is not known.
  mutating func addUnknownExposures(_ exposures: [Double], under lamp: Int) {
    for exposure in exposures where exposure != 1 {
      let unknown = UnknownExposure(lamp: lamp, logExposure: logarithm(exposure))
      if !unknownExposures.contains(unknown) { unknownExposures.append(unknown) }
    }
  }

  /// The mean deviation of pixels, of each channel.
  var meanDeviations: [Double] {
    (0..<3).map { channel in
      stride(from: channel, to: deviations.count, by: 3).reduce(0.0) { $0 + deviations[$1] }
        / Double(max(count, 1))
    }
  }

  /// The first look under a lamp.
  func firstLook(under lamp: Int) -> Int? { lamps.firstIndex(of: lamp) }

  /// Whether all channels of a look tell something.
  func isWhole(_ look: Int) -> Bool {
    isUsed[3 * look] && isUsed[3 * look + 1] && isUsed[3 * look + 2]
  }
}
