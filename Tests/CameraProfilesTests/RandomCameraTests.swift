import ColorScience
import Testing
import WhiteBalance

@testable import CameraProfiles

/// The model, tested on random cameras. Each observation is chosen by what the earlier ones leave
/// uncertain.
struct RandomCameraTests {
  /// The color matrices of sensors that the prior does not include.
  static let matrices: [[Double]] = {
    guard let all = try? MixingPriorTests.published() else { return [] }
    return all.keys.sorted().enumerated().filter { $0.offset % 2 == 1 }
      .flatMap { all[$0.element] ?? [] }
  }()

  private func run(_ seed: UInt64, _ oddity: RandomCamera.Oddity = .none) -> CalibrationRun {
    CalibrationRun(RandomCamera(seed: seed, matrices: Self.matrices, oddity: oddity))
  }

  /// The gains of half of 30 cameras are known to 0.2 %, those of all to 1 %, and the stated errors
  /// hold.
  @Test func findsThirtyCameras() throws {
    #expect(Self.matrices.count > 50)
    var (errors, counts): ([Double], [Int]) = ([], [])
    var coverage = 0.0
    for seed in 1000..<1030 as Range<UInt64> {
      let run = run(seed)
      let (rms, stated, inside) = run.judged()
      #expect(run.fit.doubts == [], "seed \(seed)")
      #expect(rms <= 3 * stated, "seed \(seed): \(rms), stated \(stated)")
      errors.append(rms)
      counts.append(run.fit.observations.count)
      coverage += inside / 30
    }
    errors.sort()
    counts.sort()
    #expect(errors[15] <= 0.002)
    #expect(errors[29] <= 0.01)
    #expect(coverage >= 0.95)
    #expect(counts[15] <= 14)
  }

  /// Each trait is found, or the stated error covers its effect.
  @Test(arguments: [
    RandomCamera.Oddity.crosstalk, .deadEnds, .exposurePower, .lumaSaturation,
  ])
  func findsTraits(oddity: RandomCamera.Oddity) throws {
    let trait: ModelFamily.Trait =
      switch oddity {
      case .crosstalk: .crosstalk
      case .deadEnds: .deadEnds
      case .exposurePower: .exposurePower
      default: .lumaSaturation
      }
    var found = 0
    for seed in 2000..<2010 as Range<UInt64> {
      let run = run(seed, oddity)
      let (rms, stated, _) = run.judged()
      #expect(rms <= 3 * stated, "seed \(seed): \(rms), stated \(stated)")
      if run.fit.traits.contains(trait) { found += 1 }
    }
    #expect(found >= 8)
  }

  /// Exposures that are stated in seconds, but are in another unit, are noticed, and the light of
  /// each is learned. A strong S-curve may explain the same observations.
  @Test func exposuresOfAnotherUnitAreNotBelieved() {
    var noticed = 0
    for seed in 2000..<2010 as Range<UInt64> {
      let run = run(seed, .exposureOfAnotherUnit)
      if run.fit.trustsExposures { continue }
      noticed += 1
      let (rms, stated, _) = run.judged()
      #expect(rms <= 3 * stated, "seed \(seed): \(rms), stated \(stated)")
      #expect(rms <= 0.01, "seed \(seed)")
      #expect(run.fit.doubts == [], "seed \(seed)")
    }
    #expect(noticed >= 9)
  }

  /// Stairs of 7 % are traced: between the lamps' neutral settings, gains are known to 1 % at 24 of
  /// 25 values or more; at 9 of 10 if the first lamp could have been the last, and was traced.
  @Test(arguments: zip([[false, true], [true, true]], [0.96, 0.9]))
  func tracesStairs(lasts: [Bool], share: Double) throws {
    var (right, all) = (0, 0)
    for seed in 3000..<3006 as Range<UInt64> {
      let run = CalibrationRun(
        RandomCamera(seed: seed, matrices: Self.matrices, oddity: .stairs), lasts: lasts)
      #expect(run.fit.traits.contains(.stairs), "seed \(seed)")
      let laws = try #require(run.plan.laws(behind: .sRGB))
      let origin = run.camera.logGains(laws.reference.byControl)
      let (first, last) = try (
        #require(run.fit.neutralSettings(lamp: 0)), #require(run.fit.neutralSettings(lamp: 1))
      )
      for control in run.camera.controls.descriptions {
        let ends = [first[control.id] ?? 0, last[control.id] ?? 0].sorted()
        for value in ends[0]...ends[1] {
          let settings = laws.reference.byControl.merging([control.id: value]) { $1 }
          let said = laws.gains(at: settings.map { ControlValue($0.key, $0.value) })
          let truth = run.camera.logGains(settings)
          all += 1
          let errors = [
            logarithm(said.red) - truth.red + origin.red,
            logarithm(said.blue) - truth.blue + origin.blue,
          ]
          if errors.allSatisfy({ abs($0) < 0.01 }) { right += 1 }
        }
      }
    }
    #expect(Double(right) >= share * Double(all), "\(right) of \(all)")
  }

  /// On stairs of 2.5 %, each about 120 values wide, the chosen values are as good as the best to
  /// within 0.5 % in 95 of 100 cases, although the edges of many stairs are not known.
  @Test func choosesTheBestOfStairs() throws {
    var (good, all) = (0, 0)
    for seed in 3100..<3106 as Range<UInt64> {
      let run = CalibrationRun(
        RandomCamera(seed: seed, matrices: Self.matrices, oddity: .wideStairs))
      let laws = try #require(run.plan.laws(behind: .sRGB))
      let origin = run.camera.logGains(laws.reference.byControl)
      let lamps = (0..<2).map { run.camera.neutral($0) }
      let stairs = stride(from: 0, to: 8000, by: 20).map { logarithm(run.camera.gain($0)) }
      for share in stride(from: 0.05, to: 1, by: 0.1) {
        let wanted = (
          red: lamps[0].red + share * (lamps[1].red - lamps[0].red),
          blue: lamps[0].blue + share * (lamps[1].blue - lamps[0].blue)
        )
        let gains = Gains(
          red: exponential(wanted.red - origin.red), blue: exponential(wanted.blue - origin.blue))
        guard let setting = try? laws.setting(for: gains) else {
          Issue.record("seed \(seed): no setting for \(gains)")
          continue
        }
        let found = run.camera.logGains(setting.values.byControl)
        for (found, wanted) in [(found.red, wanted.red), (found.blue, wanted.blue)] {
          let best = stairs.map { abs($0 - wanted) }.min() ?? 0
          all += 1
          if abs(found - wanted) < best + 0.005 { good += 1 }
        }
      }
    }
    #expect(Double(good) >= 0.95 * Double(all), "\(good) of \(all)")
  }

  @Test func tellsAControlThatDoesNothing() throws {
    for seed in 4000..<4006 as Range<UInt64> {
      #expect(run(seed, .deadControl).fit.doubts == [.noEffect(.redBalance)], "seed \(seed)")
    }
  }
}
