import Foundation
import ProfileFiles

/// A tuning that can be read is written so that it reads back the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLibcameraTuning(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let data = unsafe Data(UnsafeBufferPointer(start: bytes, count: count))
  guard let tuning = try? LibcameraTuning(reading: data) else { return 0 }
  precondition(try! LibcameraTuning(reading: tuning.json()) == tuning)
  return 0
}
