import Testing

@testable import CameraProfiles

/// The model against cameras of the lab, which another program simulates.
struct LabCameraTests {
  static let balances = ["01", "03", "05", "06", "08", "21", "24", "31", "33", "34"]

  /// Those at which what acts is not what was set.
  static let faulty = ["02", "04", "10", "11", "32", "09", "28", "22", "37", "38"]

  /// What the tests take for the truth is what the lab recorded beside the looks.
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

  @Test(arguments: balances) func findsBalancesFromTwentyLooks(name: String) throws {
    let camera = try #require(LabCamera.all.first { $0.name == name })
    let judged = JudgedCamera(camera, looks: 20)
    print(judged.row)
    #expect(judged.rms <= 0.004)
    #expect(judged.fit.floor <= 0.3)
  }

  static let temperatures = ["00", "12", "16", "17", "19", "23", "26", "27", "39"]

  @Test(arguments: temperatures) func findsTemperaturesFromTwentyLooks(name: String) throws {
    let camera = try #require(LabCamera.all.first { $0.name == name })
    let judged = JudgedCamera(camera, looks: 20)
    print(judged.row)
    #expect(judged.fit.floor <= 0.3)
    #expect(try #require(judged.excess["A"]) <= 0.15)
    #expect(try #require(judged.excess["D65"]) <= 0.15)
  }

  /// What crosstalk and cut-off chroma cost.
  @Test(arguments: ["07", "18", "36"]) func saysHowFarOddCamerasAreKnown(name: String) throws {
    let camera = try #require(LabCamera.all.first { $0.name == name })
    let judged = JudgedCamera(camera, looks: 20)
    print(judged.row)
    #expect(judged.fit.floor <= 0.3)
    #expect(judged.rms <= 3 * judged.statedRMS)
  }

  @Test(arguments: faulty.filter { $0 != "37" }) func floorTellsFaults(name: String) throws {
    let camera = try #require(LabCamera.all.first { $0.name == name })
    let judged = JudgedCamera(camera, looks: 20)
    print(judged.row)
    #expect(judged.fit.floor >= 0.4)
  }
}
