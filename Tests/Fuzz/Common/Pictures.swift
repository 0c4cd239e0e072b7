// Functions for the fuzzers of picture files.

import Foundation
import WbcalImageFiles
import WhiteBalance

/// Returns the pictures of the module's tests whose names have an ending.
func fixtures(endingIn ending: String) -> [[UInt8]] {
  let folder = URL(filePath: "Tests/WbcalImageFilesTests/Fixtures")
  let files = try! FileManager.default.contentsOfDirectory(
    at: folder, includingPropertiesForKeys: nil)
  return files.filter { $0.lastPathComponent.hasSuffix(ending) }
    .map { [UInt8](try! Data(contentsOf: $0)) }
}

/// Checks that a picture that can be read has all its pixels, and that a file that is written with
/// its metadata has none that are damaged.
func decode(_ bytes: [UInt8], as format: ImageFormat) {
  guard let picture = try? Picture(path: "", format: format, bytes: bytes) else { return }
  let frame = picture.frame
  guard frame.bytes.count == frame.layout.byteCount else {
    fatalError("a frame has not as many bytes as its layout says")
  }
  guard format != .raw, let file = try? picture.encoded() else { return }
  guard let copy = try? Picture(path: "", format: format, bytes: file) else {
    fatalError("a picture that was written cannot be read")
  }
  _ = try? copy.encoded { fatalError("metadata that were written are damaged: \($0)") }
}
