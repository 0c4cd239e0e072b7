import WbcalFoundation
import WbcalSystem

extension Surroundings {
  /// The variables of the environment.
  var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(variables) { $1 }
  }
}
