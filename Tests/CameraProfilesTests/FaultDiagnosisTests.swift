import Testing

@testable import CameraProfiles

/// The diagnosis of the lab cameras' faults from observations alone.
struct FaultDiagnosisTests {
  private func diagnosis(_ name: String) throws -> FaultDiagnosis {
    let camera = try LabCameraTests.camera(name)
    var fit = ModelFit(camera.controls)
    fit.add(camera.looks)
    let diagnosis = fit.diagnose()
    let total = diagnosis.probabilities.values.reduce(0, +)
    #expect(abs(total - 1) < 1e-9)
    return diagnosis
  }

  @Test(arguments: ["09", "28"]) func namesHysteresis(name: String) throws {
    #expect(try diagnosis(name).probabilities[.hysteresis] ?? 0 >= 0.95)
  }

  @Test(arguments: ["02", "04", "10", "11", "32"]) func namesTheAutomatic(name: String) throws {
    let (fault, probability) = try diagnosis(name).mostProbable
    guard case .returns = fault else {
      Issue.record("\(fault)")
      return
    }
    #expect(probability >= 0.95)
  }

  @Test(arguments: LabCameraTests.balances + LabCameraTests.temperatures + ["07", "18", "36"])
  func namesNothingWhereNothingIsWrong(name: String) throws {
    let found = try diagnosis(name)
    #expect(found.probabilities[.none] ?? 0 >= 0.95, "\(found.probabilities) \(found.floor)")
  }

  /// The driver writes rounded values, a fault that is not among those tested.
  @Test func saysThatItDoesNotKnow() throws {
    #expect(try diagnosis("22").probabilities[.unknown] ?? 0 >= 0.95)
  }
}
