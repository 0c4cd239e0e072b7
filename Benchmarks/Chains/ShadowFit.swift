import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import WhiteBalance

/// What one model of a camera says after it was fitted to the looks that `calibrate` happened to
/// take. Nothing rests on it; it is judged as the calibration is.
struct ShadowFit {
  enum Verdict: String, CaseIterable {
    case right, doubtful, wrong
    case none = "no fit"
  }

  var verdict = Verdict.none
  /// CIEDE2000 from neutral under A, D65 and D50.
  var differences: [Double?] = [nil, nil, nil]
  /// Gains within 1.96 of their stated errors, all, and the largest error, relative.
  var inside = 0
  var stated = 0
  var worstGain = 0.0
  /// What no noise explains of a code.
  var floor = 0.0
  var family = ""

  static let header =
    "model,model A,model D65,model D50,model inside,model stated,model worst gain,floor,family"

  init() {}

  /// Fits a recording of a camera.
  init(
    _ recording: CameraRecording, of chain: RandomChain, best: [Double],
    at settings: [[ControlValue]]
  ) {
    guard let fit = recording.fittedModel(to: recording.looks()), let family = fit.family else {
      return
    }
    floor = fit.floor
    self.family =
      ([("\(family.law)"), "\(family.mixing)"] + family.traits.map { "\($0)" }.sorted())
      .joined(separator: " ")
    setNeutral(fit, chain)
    judgeErrors(fit, chain, settings)
    let isRight = zip(zip(differences, best), ChainRun.limits).allSatisfy { pair, limit in
      pair.0.map { $0 <= max(limit, pair.1 + ChainRun.margin) } ?? false
    }
    verdict = !fit.doubts.isEmpty ? .doubtful : isRight ? .right : .wrong
  }

  /// Sets what the model takes for neutral. How D50 differs from the lamps that were seen is the
  /// truth, since the model knows nothing of spectra.
  private mutating func setNeutral(_ fit: ModelFit, _ chain: RandomChain) {
    let neutral = ChainRun.lights.map { chain.neutralGains(under: lamp($0)) }
    let ratios = (0..<2).map { index in (index, neutral[index].vector / neutral[2].vector) }
    let settings =
      (0..<2).map { fit.neutralSettings(lamp: $0) }
      + [fit.neutralSettings(lightBesideLamps: Dictionary(uniqueKeysWithValues: ratios))]
    for (index, settings) in settings.enumerated() {
      differences[index] = settings.map { settings in
        let gains = chain.gains(at: settings.map { ControlValue($0.key, $0.value) })
        return chain.differenceFromNeutral(gains, under: lamp(ChainRun.lights[index]))
      }
    }
  }

  private mutating func judgeErrors(
    _ fit: ModelFit, _ chain: RandomChain, _ settings: [[ControlValue]]
  ) {
    let reference = fit.neutralSettings(lamp: 0) ?? fit.controls.reference
    func values(_ settings: [ControlID: Int]) -> [ControlValue] {
      settings.map { ControlValue($0.key, $0.value) }
    }
    let base = chain.gains(at: values(reference)).relativeToGreen
    for setting in settings {
      let wanted = Dictionary(
        setting.map { ($0.id, $0.value) }, uniquingKeysWith: { $1 })
      let said = fit.logGains(at: [wanted], relativeTo: reference)
      let truth = chain.gains(at: setting).relativeToGreen
      for (channel, ratio) in [(0, truth.red / base.red), (2, truth.blue / base.blue)] {
        let off = abs(said.values[channel] - said.values[1] - logarithm(ratio))
        let (a, b) = (channel, 1)
        let variance =
          said.covariance[a * 3 + a] + said.covariance[b * 3 + b] - 2 * said.covariance[a * 3 + b]
        stated += 1
        if off <= 1.96 * variance.squareRoot() + 1e-4 { inside += 1 }
        worstGain = max(worstGain, off)
      }
    }
  }

  /// The fields of its line.
  var fields: [String] {
    [verdict.rawValue] + differences.map { $0.map { fixed($0, 3) } ?? "" }
      + ["\(inside)", "\(stated)", fixed(worstGain, 4), fixed(floor, 3), family]
  }

  /// The fields that were written before; of other counts than 9 there are none.
  init(fields: ArraySlice<String>) {
    let fields = Array(fields)
    guard fields.count == 9 else { return }
    verdict = Verdict(rawValue: fields[0]) ?? .none
    differences = fields[1...3].map { Double($0) }
    (inside, stated) = (Int(fields[4]) ?? 0, Int(fields[5]) ?? 0)
    (worstGain, floor, family) = (Double(fields[6]) ?? 0, Double(fields[7]) ?? 0, fields[8])
  }
}

extension CameraRecording {
  /// The recording that a command has written.
  init(contentsOf file: URL) throws {
    let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
    let decoder = JSONDecoder()
    guard let first = lines.first else { throw CocoaError(.fileReadCorruptFile) }
    self.init(
      camera: try decoder.decode(Header.self, from: first),
      events: try lines.dropFirst().map { try decoder.decode(Event.self, from: $0) })
  }
}
