internal import ColorScience

/// The observations in the form that the fit reads: arrays with three channels, or one entry per
/// law, for each observation.
struct LookTable {
  /// The smallest error floor of any model, in codes: a small fraction of the error of rounding to
  /// whole codes, 0.29.
  static let leastFloor = 0.02

  private(set) var count = 0
  private(set) var lamps: [Int] = []
  private(set) var logExposures: [Double] = []
  /// The index into `unknownExposures` of each observation; `nil` if its exposure is known.
  private(set) var exposureIndices: [Int?] = []
  /// The exposures whose light is unknown, each under one lamp.
  private(set) var unknownExposures: [UnknownExposure] = []

  /// An exposure of which only the control's number is known.
  struct UnknownExposure: Hashable {
    var lamp: Int
    var logExposure: Double
    /// The only observation with this exposure; `nil` if all observations with the same number
    /// share it.
    var look: Int?
  }
  /// `true` if each observation except a lamp's first has its own exposure, chosen by the camera.
  var areExposuresChosen = false
  /// The control's position for each law.
  private(set) var places: [Double] = []
  /// The index of each law's value, in the order of first observation.
  private(set) var valueIndices: [Int] = []
  /// The distinct values of each law.
  private(set) var values: [[Double]]
  private(set) var codes: [Double] = []
  private(set) var variances: [Double] = []
  /// The standard deviations of single pixels, before two of them share their chroma.
  private(set) var deviations: [Double] = []
  private(set) var isUsed: [Bool] = []
  /// The error of any model that noise does not account for, in codes.
  var floor = LookTable.leastFloor

  let laws: Int
  private let controls: BalanceControls

  init(_ controls: BalanceControls) {
    self.controls = controls
    laws = controls.laws.count
    values = [[Double]](repeating: [], count: laws)
  }

  /// The factor by which the channels of a pixel deviate more before two pixels share their chroma,
  /// as in 4:2:2.
  private static let beforeChromaIsShared = [0.299, 0.587, 0.114].map { (luma: Double) in
    (2 / (luma * luma + 1)).squareRoot()
  }

  /// With a tone curve like sRGB's, the mean of noisy codes is below the code of the mean by 0.6 of
  /// their variance divided by the code. The model predicts all but 6 % of this.
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

  /// Appends an observation that has not been made, with the pixel deviations expected of it.
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

  /// Numbers values and exposures in the same way as another table.
  mutating func adoptValues(of other: LookTable) {
    (values, unknownExposures) = (other.values, other.unknownExposures)
  }

  /// Adopts the knowledge of exposures of another table of the same observations.
  mutating func adoptExposures(of other: LookTable) {
    areExposuresChosen = other.areExposuresChosen
    unknownExposures = other.unknownExposures.filter { $0.look == nil }
  }

  /// Treats exposures of observations under a lamp as numbers whose light is unknown.
  mutating func addUnknownExposures(_ exposures: [Double], under lamp: Int) {
    for exposure in exposures where exposure != 1 {
      let unknown = UnknownExposure(lamp: lamp, logExposure: logarithm(exposure))
      if !unknownExposures.contains(unknown) { unknownExposures.append(unknown) }
    }
  }

  /// The mean deviation of pixels in each channel.
  var meanDeviations: [Double] {
    (0..<3).map { channel in
      stride(from: channel, to: deviations.count, by: 3).reduce(0.0) { $0 + deviations[$1] }
        / Double(max(count, 1))
    }
  }

  /// The first observation under a lamp.
  func firstLook(under lamp: Int) -> Int? { lamps.firstIndex(of: lamp) }

  /// An observation of the same settings under the same lamp at exposure 1.
  func fullExposure(of look: Int) -> Int? {
    (0..<count).first { other in
      lamps[other] == lamps[look] && logExposures[other] == 0 && isUsed[3 * other + 1]
        && places[other * laws..<(other + 1) * laws] == places[look * laws..<(look + 1) * laws]
    }
  }

  /// Indicates whether all channels of an observation can be used.
  func isWhole(_ look: Int) -> Bool {
    isUsed[3 * look] && isUsed[3 * look + 1] && isUsed[3 * look + 2]
  }
}
