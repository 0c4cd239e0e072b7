import CameraControl
import CameraProfiles
import ColorScience
import Glibc
import SimulatedCamera
import SimulatedScenes
import WhiteBalance

/// The processor time that the model of a camera takes, on sound cameras that are drawn at random:
/// a fit of one family, a round (all families are fitted to new observations and the next are
/// chosen), and the comparison of causes at the end.
struct FitTimes {
  private var fits: [Double] = []
  private var rounds: [Double] = []
  private var causes: [Double] = []

  /// Learns the cameras of some seeds under A and D65.
  static func measured(of seeds: Range<Int>) async throws -> FitTimes {
    var times = FitTimes()
    for seed in seeds {
      let chain = RandomChain(seed: UInt64(seed))
      guard chain.fault == .none, let controls = chain.balanceControls else { continue }
      try await times.learn(chain, controls)
    }
    return times
  }

  private mutating func learn(_ chain: RandomChain, _ controls: BalanceControls) async throws {
    let port = try SimulatedCamera(chain.configuration)
    let exposure = await port.description(of: .exposureTime)
    for mode in port.controls {
      if let off = mode.automatic?.off { try? await port.set([ControlValue(mode.id, off)]) }
    }
    var plan = LearnCamera(controls)
    for (index, name) in ["A", "D65"].enumerated() {
      let light = lamp(name)
      await port.setLamp(light)
      let start = chain.settings(for: chain.neutralGains(under: light)).byControl
      let full = exposure.map { Double($0.defaultValue) }
      plan.begin(
        lamp: index, at: start, endingAt: start,
        exposures: full == nil ? [1] : [1, 0.5, 0.25], isLast: index == 1)
      var round = 0.0
      while let looks = Self.time(&round, { plan.next() }) {
        var seen: [Observation] = []
        for look in looks {
          var values = look.settings.map { ControlValue($0.key, $0.value) }
          if let exposure, let full {
            let time = exposure.nearestValue(to: full * look.exposure)
            values.append(ControlValue(exposure.id, time))
          }
          seen.append(try await Self.observation(port, values, look, lamp: index))
        }
        Self.time(&round) { plan.add(seen) }
        rounds.append(round)
        round = 0
        if let family = plan.fit.family {
          var fit = 0.0
          _ = Self.time(&fit) { plan.fit.evidence(of: family) }
          fits.append(fit)
        }
      }
    }
    let fit = plan.fit
    var cause = 0.0
    _ = Self.time(&cause) { fit.diagnose() }
    causes.append(cause)
  }

  /// Returns the card's mean codes, once the slowest camera shows the settings.
  private static func observation(
    _ port: SimulatedCamera, _ values: [ControlValue], _ look: LookDesign.Look, lamp: Int
  ) async throws -> Observation {
    for value in values { try await port.set([value]) }
    var frames: [CodeMean] = []
    for frame in 0..<70 {
      let mean = try await port.withNextFrame { info, bytes in
        Result {
          try CodeMean(
            bytes, layout: info.layout,
            region: PixelRectangle(
              x: 0, y: 0, width: info.layout.width, height: info.layout.height))
        }
      }
      if frame >= 66 { frames.append(try mean.get()) }
    }
    guard
      let one = Observation(
        frames, lamp: lamp, settings: look.settings, exposure: look.exposure)
    else { preconditionFailure("there are frames") }
    return one
  }

  /// Adds the processor time of a computation in milliseconds.
  private static func time<Result>(_ sum: inout Double, _ body: () -> Result) -> Result {
    let start = processorTime()
    let result = body()
    sum += processorTime() - start
    return result
  }

  /// The processor time of this thread, in milliseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  func printTable() {
    print("| step | number | median, ms | 95 %, ms | longest, ms |\n|---|---|---|---|---|")
    for (name, times) in [
      ("fit of one family", fits), ("round of all families, and choice", rounds),
      ("comparison of causes", causes),
    ] {
      let sorted = times.sorted()
      guard let last = sorted.last else { continue }
      func at(_ share: Double) -> String {
        fixed(sorted[Int(share * Double(sorted.count - 1))], 1)
      }
      print("| \(name) | \(sorted.count) | \(at(0.5)) | \(at(0.95)) | \(fixed(last, 1)) |")
    }
  }
}

extension RandomChain {
  /// The white-balance controls as a model takes them.
  fileprivate var balanceControls: BalanceControls? {
    func control(_ id: ControlID) -> ControlDescription? {
      configuration.balance.controls.first { $0.id == id }
    }
    if let red = control(.redBalance), let blue = control(.blueBalance) {
      return control(.greenBalance).map { .channels(red: red, green: $0, blue: blue) }
        ?? .balances(red: red, blue: blue)
    }
    return control(.whiteBalanceTemperature).map { .temperature($0) }
      ?? control(.whiteBalancePreset).map { .menu($0) }
  }
}
