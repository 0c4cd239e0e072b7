import CameraTestSupport
import WhiteBalanceTestSupport

let laws = Law<CameraEstimation>.all
precondition(laws.allSatisfy { $0.violation(by: .sensitivities, Trials(count: 1)) == nil })
