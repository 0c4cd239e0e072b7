import ColorScience
import Foundation

/// A measured spectrum: rows of wavelength in nanometers and relative power.
enum SpectrumFile {
  /// The chromaticity of the spectrum in a file, linear between its samples.
  static func read(_ path: String) throws -> Chromaticity {
    func bad(_ message: String) -> Failure {
      Failure(message: "\(path): \(message)", code: .badData)
    }
    var samples: [(wavelength: Double, power: Double)] = []
    let rows = CommaSeparatedText.rows(String(decoding: try readFile(path), as: UTF8.self))
    for (index, row) in rows.enumerated() {
      let numbers = row.cells.map { number($0) }
      if index == 0, numbers.allSatisfy({ $0 == nil }) { continue }
      guard numbers.count >= 2, let wavelength = numbers[0], let power = numbers[1],
        wavelength.isFinite
      else { throw bad("line \(row.line) is not a wavelength and a power") }
      guard power.isFinite, power >= 0 else {
        throw bad("the power at \(wavelength) nm, \(power), is not a positive number or zero")
      }
      if let last = samples.last, last.wavelength >= wavelength {
        throw bad("\(wavelength) nm comes after \(last.wavelength) nm; wavelengths must rise")
      }
      samples.append((wavelength, power))
    }
    guard let first = samples.first, let last = samples.last, first.wavelength <= 400,
      last.wavelength >= 700
    else { throw bad("the spectrum must reach from 400 nm or below to 700 nm or above") }
    var next = 0
    let values = (360...830).map { nanometers -> Double in
      let wavelength = Double(nanometers)
      guard wavelength >= first.wavelength, wavelength <= last.wavelength else { return 0 }
      while samples[next].wavelength < wavelength { next += 1 }
      let above = samples[next]
      if above.wavelength == wavelength { return above.power }
      let below = samples[next - 1]
      let share = (wavelength - below.wavelength) / (above.wavelength - below.wavelength)
      return below.power + share * (above.power - below.power)
    }
    return Chromaticity(SpectralDistribution(first: 360, step: 1, values: values).xyz)
  }
}
