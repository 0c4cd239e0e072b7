import ColorScience
import Foundation

/// A measured spectrum: rows of wavelength in nanometers and relative power, at equal steps.
enum SpectrumFile {
  static func read(_ path: String) throws -> SpectralDistribution {
    try spectrum(String(decoding: try readFile(path), as: UTF8.self), path: path)
  }

  static func spectrum(_ text: String, path: String) throws -> SpectralDistribution {
    func bad(_ message: String) -> Failure { Failure.badData("\(path): \(message)") }
    var samples: [(wavelength: Double, value: Double)] = []
    let rows = CommaSeparatedText.rows(text)
    for (index, row) in rows.enumerated() {
      let numbers = row.cells.map { number($0) }
      if index == 0, numbers.allSatisfy({ $0 == nil }) { continue }
      guard numbers.count >= 2, let wavelength = numbers[0], let power = numbers[1] else {
        throw bad("line \(row.line) is not a wavelength and a power")
      }
      samples.append((wavelength, power))
    }
    let spectrum: SpectralDistribution
    do { spectrum = try SpectralDistribution(samples: samples) } catch {
      throw bad(error.description)
    }
    guard samples[0].wavelength <= 400, samples[samples.count - 1].wavelength >= 700 else {
      throw bad("the spectrum must reach from 400 nm or below to 700 nm or above")
    }
    return spectrum
  }
}
