internal import CWbcalMeasuredSpectra
internal import ColorScience
internal import WbcalFoundation

/// The grid of an embedded spectrum, in nanometers.
struct Wavelengths: Decodable {
  var first, step: Double

  func spectrum(_ values: [Double]) -> SpectralDistribution {
    SpectralDistribution(first: first, step: step, values: values)
  }
}

/// Decodes the JSON that is embedded in the program.
func decode<T: Decodable>(_ spectra: measured_spectra, _ type: T.Type) -> T {
  let bytes = unsafe UnsafeBufferPointer(start: spectra.bytes, count: spectra.count)
  do { return try JSONDecoder().decode(type, from: unsafe Data(buffer: bytes)) } catch {
    // The bytes are part of the program, and a test decodes all of them.
    preconditionFailure("the embedded spectra are damaged: \(error)")
  }
}
