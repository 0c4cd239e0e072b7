import WbcalFoundation
import WbcalSystem

extension Surroundings {
  /// The environment variables.
  var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(variables) { $1 }
  }
}
