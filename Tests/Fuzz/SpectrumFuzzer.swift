import ColorScience

@testable import wbcal

let seeds: [[UInt8]] = [
  Array("nm,power\n380,1\n580,2\n780,1\n".utf8), Array("400,0.5\n550,1e-3\n700,1\n".utf8),
]

/// Checks that a spectrum that can be read covers the visible range, and has a chromaticity unless
/// it is dark.
func test(_ bytes: [UInt8]) {
  guard let spectrum = try? SpectrumFile(bytes, path: "spectrum.csv").spectrum else { return }
  let noise = 0.001 * (spectrum.values.max() ?? 0)
  guard spectrum.firstWavelength <= 400, spectrum.values.allSatisfy({ $0 >= -noise }) else {
    fatalError("a spectrum is not what it should be")
  }
  _ = spectrum.xyz
}
