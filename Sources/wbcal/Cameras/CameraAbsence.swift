import CameraControl
import WbcalFoundation

/// The reason that no camera is listed.
struct CameraAbsence {
  /// The folder that holds `dev`; tests use another one.
  var root = ""

  /// Sentences that state the reasons and remedies.
  var sentence: String {
    #if GenICam
    kernelSentence + " No machine-vision camera answered at USB or in the network; one in another "
      + "subnet is opened as genicam:ADDRESS."
    #else
    kernelSentence
    #endif
  }

  private var kernelSentence: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/dev")) ?? []
    let nodes = names.filter { $0.hasPrefix("video") && $0.dropFirst(5).allSatisfy(\.isNumber) }
      .filter { $0 != "video" }.map { "/dev/" + $0 }.sorted()
    guard !nodes.isEmpty else {
      return "No camera was found, because there is no /dev/video*: plug one in, check that its "
        + "driver is loaded, and pass its devices to a container or virtual machine."
    }
    let shut = nodes.filter { unsafe access(root + $0, R_OK | W_OK) != 0 && errno == EACCES }
    if let first = shut.first {
      return "No camera was found: " + CameraError.notPermitted(first, group: nil).sentence + "."
    }
    return "No camera was found: no supported pictures come from \(nodes.joined(separator: ", ")); "
      + "a camera that another program uses would be reported as busy."
  }
}
