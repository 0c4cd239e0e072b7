import Testing
import WhiteBalance

@testable import CameraProfiles

/// The model, tested on cameras of the lab, which another program simulates.
struct LabCameraTests {
  static let temperatures = ["00", "12", "16", "17", "19", "23", "26", "27", "39"]
  static let balances = ["01", "03", "05", "06", "08", "21", "24", "31", "33", "34"]

  /// Cameras whose effective values differ from the settings.
  static let faulty = ["02", "04", "10", "11", "32", "09", "28", "22", "37", "38"]

  /// The gains that the tests consider true are those that the lab recorded with the observations.
  @Test func truthIsTheLabs() {
    #expect(LabCamera.all.count == 32)
    for camera in LabCamera.all where !Self.faulty.contains(camera.name) {
      for (look, recorded) in zip(camera.looks, camera.recordedGains) {
        let gains = camera.gains(camera.values(look.settings))
        for (gain, other) in zip(gains, recorded) {
          #expect(abs(gain / other - 1) < 2e-3, "\(camera.name) \(look.settings)")
        }
      }
    }
  }

  static func camera(_ name: String) throws -> LabCamera {
    try #require(LabCamera.all.first { $0.name == name })
  }

  @Test(arguments: balances) func findsBalancesFromTwentyLooks(name: String) throws {
    let judged = JudgedCamera.of(try Self.camera(name))
    #expect(judged.rms <= 0.004, "\(judged.row)")
    #expect(judged.fit.floor <= 0.3)
    #expect(judged.fit.doubts == [])
  }

  /// At least 95 % of all gains of sound cameras are within the stated 95 % interval.
  @Test func statedIntervalsHold() throws {
    let judged = try (Self.balances + Self.temperatures).map {
      JudgedCamera.of(try Self.camera($0))
    }
    let coverage = judged.reduce(0.0) { $0 + $1.coverage } / Double(judged.count)
    #expect(coverage >= 0.95, "\(coverage)")
  }

  /// The settings are the best step, or within 0.15 CIEDE2000 of it.
  @Test(arguments: temperatures) func findsTemperaturesFromTwentyLooks(name: String) throws {
    let judged = JudgedCamera.of(try Self.camera(name))
    #expect(try #require(judged.excess["A"]) <= 0.15, "\(judged.row)")
    #expect(try #require(judged.excess["D65"]) <= 0.15, "\(judged.row)")
    #expect(judged.fit.floor <= 0.3)
    #expect(judged.fit.doubts == [])
  }

  /// If the lamps are known, the usual difference of cards under them makes the gains of a single
  /// control, whose size little else shows, more certain.
  @Test func knownLampsMakeTemperaturesMoreCertain() throws {
    let lamps = try LabCamera.lamps.map { try Light(named: $0) }
    var (known, unknown): ([JudgedCamera], [JudgedCamera]) = ([], [])
    for name in Self.temperatures {
      let camera = try Self.camera(name)
      unknown.append(JudgedCamera.of(camera))
      known.append(JudgedCamera.of(camera, lamps: lamps))
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    #expect(mean(known.map(\.rms)) <= 0.65 * mean(unknown.map(\.rms)))
    #expect(mean(known.map(\.statedRMS)) <= 0.65 * mean(unknown.map(\.statedRMS)))
    #expect(mean(known.map(\.coverage)) >= 0.95)
  }

  @Test(arguments: ["07", "36"]) func findsCrosstalk(name: String) throws {
    let judged = JudgedCamera.of(try Self.camera(name))
    #expect(judged.fit.traits == [.crosstalk])
    #expect(judged.rms <= 0.004, "\(judged.row)")
    #expect(judged.fit.floor <= 0.3)
  }

  /// If a camera removes small chroma, which no family describes, the gains are within the stated
  /// 95 % interval all the same, after any number of looks.
  @Test(arguments: [18, 20, 22, 24, 28]) func saysHowFarCutChromaIsKnown(looks: Int) throws {
    let judged = JudgedCamera.of(try Self.camera("18"), looks: looks)
    #expect(judged.coverage >= 0.95, "\(judged.row)")
    #expect(judged.rms <= 1.5 * judged.statedRMS, "\(judged.row)")
    #expect(judged.fit.floor <= 0.3)
  }

  @Test(arguments: faulty.filter { $0 != "37" }) func floorTellsFaults(name: String) throws {
    let judged = JudgedCamera.of(try Self.camera(name))
    #expect(judged.fit.floor >= 0.4, "\(judged.row)")
    #expect(judged.fit.doubts == [.misfit(judged.fit.floor)])
  }

  /// A model without effect fits a control that never acts perfectly.
  @Test(arguments: [12, 20, 30]) func tellsAControlThatDoesNothing(looks: Int) throws {
    let judged = JudgedCamera.of(try Self.camera("37"), looks: looks)
    #expect(judged.fit.doubts.contains(.noEffect(.redBalance)))
    #expect(!judged.fit.doubts.contains(.noEffect(.blueBalance)))
  }

  /// No camera, sound or not, has an error above three times the stated one unless there is a
  /// doubt.
  @Test(arguments: [10, 14, 16, 20, 30]) func isNeverWrongAndSure(looks: Int) throws {
    var trusted = 0
    for camera in LabCamera.all {
      let judged = JudgedCamera.of(camera, looks: looks)
      guard judged.fit.doubts.isEmpty else { continue }
      trusted += 1
      #expect(judged.rms <= 3 * judged.statedRMS, "\(judged.row)")
    }
    #expect(trusted >= (looks < 14 ? 0 : looks < 16 ? 4 : looks < 20 ? 9 : 20))
  }
}
