import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct CameraEstimationTests {
  @Test func estimatesOfSensitivitiesKeepTheirLaws() {
    expect(.sensitivities, keeps: Law<CameraEstimation>.all, trials: Trials(count: 8))
  }

  /// An estimate that breaks a law is found by that law.
  @Test func brokenEstimates() {
    let exact = CameraEstimation.sensitivities.answer
    func broken(
      _ change: @escaping @Sendable (inout CameraEstimation.Answer, [CalibrationShot]) -> Void
    ) -> CameraEstimation {
      CameraEstimation { cards, charts, light in
        guard var answer = exact(cards, charts, light) else { return nil }
        change(&answer, cards)
        return answer
      }
    }
    let few = Trials(count: 2)
    let offWhite = broken { answer, _ in
      answer.matrix = Matrix3x3(diagonal: SIMD3(1, 1, 1.001)) * answer.matrix
    }
    #expect(Law<CameraEstimation>.rowsSumToTheWhite.violation(by: offWhite, few) != nil)
    let exposed = broken { answer, cards in answer.gains.red += 0.01 * cards[0].response.green }
    #expect(Law<CameraEstimation>.commonScalesCancel.violation(by: exposed, few) != nil)
    let forgetful = broken { answer, cards in answer.blueError *= Double(cards.count) }
    #expect(Law<CameraEstimation>.moreShotsNeverWiden.violation(by: forgetful, few) != nil)
    let credulous = broken { answer, cards in
      if cards[0].light.name == "measured" { answer.gains.red *= 1.001 }
    }
    #expect(Law<CameraEstimation>.aSpectrumAndItsNameAgree.violation(by: credulous, few) != nil)
  }
}
