import ColorScience
import Testing

@testable import CameraProfiles

/// Fits to further kinds of controls, and their results besides gains. The camera has sRGB's curve
/// and a matrix.
struct ModelFitTests {
  private static let matrix = [1.4, -0.3, -0.1, -0.2, 1.4, -0.2, 0, -0.4, 1.4]
  private static let lamp = [0.16, 0.2, 0.13]

  /// An observation with gains of red, green and blue.
  private static func look(
    _ settings: [ControlID: Int], _ gains: [Double], exposure: Double
  ) -> Observation {
    let light = (0..<3).map { min(lamp[$0] * gains[$0] * exposure, 1) }
    let codes = (0..<3).map { row -> Double in
      let x = (0..<3).reduce(0.0) { $0 + matrix[3 * row + $1] * light[$1] }
      let y = min(max(x, 0), 1)
      return 255 * (y < 0.0031308 ? 12.92 * y : 1.055 * power(y, 1 / 2.4) - 0.055)
    }
    // The noise is too small to bend the mean by more than the error floor.
    return Observation(
      settings: settings, exposure: exposure, codes: SIMD3(codes[0], codes[1], codes[2]),
      errors: SIMD3(repeating: 0.01), deviations: SIMD3(repeating: 0.5))
  }

  private static func control(
    _ id: ControlID, _ kind: ControlKind = .integer, maximum: Int = 1023, default value: Int = 256
  ) -> ControlDescription {
    ControlDescription(id: id, minimum: 0, maximum: maximum, defaultValue: value, kind: kind)
  }

  private static func channels() -> ModelFit {
    let ids: [ControlID] = [.redBalance, .greenBalance, .blueBalance]
    var fit = ModelFit(
      .channels(red: control(ids[0]), green: control(ids[1]), blue: control(ids[2])))
    var values = [[256, 256, 256], [256, 256, 256]]
    for step in 0..<6 {
      values.append([200 + 60 * step, 256, 256])
      values.append([256, 220 + 30 * step, 300])
      values.append([300, 256, 180 + 80 * step])
    }
    fit.add(
      values.enumerated().map { index, values in
        look(
          Dictionary(zip(ids, values), uniquingKeysWith: { $1 }),
          values.map { Double($0) / 256 }, exposure: [1, 0.5, 0.8][index % 3])
      })
    return fit
  }

  @Test func findsThreeChannels() throws {
    let fit = Self.channels()
    #expect(fit.doubts == [])
    let asked: [[ControlID: Int]] = [
      [.redBalance: 400, .greenBalance: 300, .blueBalance: 500],
      [.redBalance: 220, .greenBalance: 230, .blueBalance: 200],
    ]
    let estimate = fit.logGains(at: asked)
    for (index, settings) in asked.enumerated() {
      for (channel, id) in [ControlID.redBalance, .greenBalance, .blueBalance].enumerated() {
        let truth = logarithm(Double(settings[id] ?? 0) / 256)
        let place = 3 * index + channel
        #expect(abs(estimate.values[place] - truth) < 0.004)
        #expect(abs(estimate.values[place] - truth) < 3 * estimate.errors[place] + 1e-4)
      }
    }
    let neutral = try #require(fit.neutralSettings(lamp: 0))
    #expect(neutral[.greenBalance] == 256)
    #expect(abs((neutral[.redBalance] ?? 0) - 320) <= 2)
    #expect(abs((neutral[.blueBalance] ?? 0) - 394) <= 2)
    let next = fit.nextLooks(lamp: 0, count: 2, exposures: [0.5, 1])
    #expect(next.looks.count == 2)
    #expect(Set(next.looks).count == 2)
  }

  /// The tone curve is within its band, the matrix within its errors, and no residual is large.
  @Test func tellsTheRestOfTheCamera() {
    let fit = Self.channels()
    let light = [0.05, 0.1, 0.2, 0.3]
    let tone = fit.toneCurve(at: light)
    for (index, x) in light.enumerated() {
      let truth = 255 * (1.055 * power(x, 1 / 2.4) - 0.055)
      #expect(abs(tone.values[index] - truth) < 3 * tone.errors[index] + 0.5)
      #expect(tone.errors[index] < 25)
    }
    let matrix = fit.matrix
    for place in 0..<9 {
      #expect(abs(matrix.values[place] - Self.matrix[place]) < 3 * matrix.errors[place] + 0.01)
      #expect(matrix.errors[place] < 0.3)
    }
    let rest = fit.saturationAndBlack
    #expect(abs(rest.values[0] - 1) < 3 * rest.errors[0] + 0.01)
    #expect(abs(rest.values[1]) < 3 * rest.errors[1] + 0.5)
    #expect(fit.residuals.count == fit.observations.count)
    for residual in fit.residuals {
      #expect(max(residual.max(), -residual.min()) < 0.2)
    }
  }

  /// Each choice of a menu has its own gains; the best one is the nearest to neutral.
  @Test func findsAMenu() throws {
    let items = (1...5).map { ControlKind.Item(value: 2 * $0, name: "\($0)") }
    let menu = ControlDescription(
      id: .whiteBalancePreset, minimum: 2, maximum: 10, step: 2, defaultValue: 4,
      kind: .menu(items))
    var fit = ModelFit(.menu(menu))
    let gains = [2: (0.8, 2.0), 4: (1, 1), 6: (1.25, 1.54), 8: (1.6, 0.8), 10: (2.0, 1.2)]
    for exposure in [1, 0.5, 0.75] {
      fit.add(
        gains.sorted { $0.key < $1.key }.map { value, gain in
          Self.look([menu.id: value], [gain.0, 1, gain.1], exposure: exposure)
        })
    }
    let estimate = fit.logGains(at: [[menu.id: 6], [menu.id: 10]])
    for (place, truth) in [(0, 1.25), (2, 1.54), (3, 2.0), (5, 1.2)] {
      let error = abs(estimate.values[place] - logarithm(truth))
      #expect(error < 3 * estimate.errors[place] + 1e-3)
      #expect(estimate.errors[place] < 0.2)
    }
    #expect(fit.neutralSettings(lamp: 0) == [menu.id: 6])
  }

  /// A control that was never moved is distinguished from one that has no effect.
  @Test func tellsWhatWasNotMoved() {
    var fit = ModelFit(
      .balances(red: Self.control(.redBalance), blue: Self.control(.blueBalance)))
    #expect(fit.doubts == [.fewLooks(atLeast: 6)])
    #expect(fit.statedError == .infinity)
    var looks: [Observation] = []
    for step in 0..<14 {
      let red = 200 + 20 * step
      let settings: [ControlID: Int] = [.redBalance: red, .blueBalance: 256]
      let exposure = step % 2 == 0 ? 1 : 0.5
      looks.append(Self.look(settings, [Double(red) / 256, 1, 1], exposure: exposure))
    }
    fit.add(looks)
    #expect(fit.doubts.contains(.notMoved(.blueBalance)))
    #expect(!fit.doubts.contains(.notMoved(.redBalance)))
  }
}
