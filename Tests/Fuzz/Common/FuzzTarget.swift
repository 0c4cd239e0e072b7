// The functions that libFuzzer calls. Every file next to this directory is a program with `seeds`
// and `test(_:)`.

import Foundation

/// Writes the seeds to the corpus, which is the last argument.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  let corpus = unsafe URL(filePath: String(cString: arguments.pointee[Int(count.pointee) - 1]))
  for (index, seed) in seeds.enumerated() {
    do { try Data(seed).write(to: corpus.appending(path: "seed-\(index)")) } catch {
      fatalError("the seeds could not be written: \(error)")
    }
  }
  return 0
}

/// Passes an input to the parser.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  test(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
