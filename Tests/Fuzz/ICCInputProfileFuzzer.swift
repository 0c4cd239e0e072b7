import ICCProfiles

/// A profile that can be read has finite numbers, and can be written or says why not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzICCInputProfile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let profile = try? ICCInputProfile(reading: input) else { return 0 }
  precondition(profile.light.isFinite)
  if let written = try? profile.bytes() { precondition(!written.isEmpty) }
  return 0
}
