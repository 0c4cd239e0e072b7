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

/// Checks that a picture that can be read has all its pixels.
func decode(_ bytes: [UInt8], as format: ImageFormat) {
  guard let frame = try? Picture(path: "", format: format, bytes: bytes).frame else { return }
  guard frame.bytes.count == frame.layout.byteCount else {
    fatalError("a frame has not as many bytes as its layout says")
  }
}
