import CameraControl
import CameraTestSupport

let report = await CameraUnderTest { throw CameraError.notFound("none") }.report()
precondition(!report.isKept && report.entries.count == CameraLaw.all.count)
