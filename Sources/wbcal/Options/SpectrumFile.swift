import ColorScience
import WbcalFoundation
import WbcalSystem
import WhiteBalance

/// A measured spectrum: rows of wavelength in nanometers and relative power, and optionally a row
/// with the light's class, such as `class,led`; or a spectrum in any file that `SpectralTable`
/// reads.
struct SpectrumFile {
  var spectrum: SpectralDistribution
  var lightClass: LightClass?
  /// The usual distance between wavelengths in the file, in nanometers.
  private let typicalStep: Double

  init(_ reference: SpectrumReference) throws {
    try self.init(
      [UInt8](readFile(reference.path)), path: reference.path, choice: reference.choice)
  }

  private typealias Sample = SpectralTable.Sample

  init(_ bytes: [UInt8], path: String, choice: String? = nil) throws {
    func bad(_ reason: String) -> Failure { Failure.badData("\(path): \(reason)") }
    let samples: [Sample]
    if SpectralTable.isMarked(bytes) || choice != nil {
      let table = try SpectralTable(bytes, bad)
      samples = try Self.chosen(
        of: table, choice, or: table.spectra.count == 1 ? table.spectra[0] : nil, path: path
      ).samples
    } else {
      do { (samples, lightClass) = try Self.samples(ofRows: bytes, path: path) } catch {
        // A file with other lines may contain a table; a short table cannot be distinguished from
        // other lines.
        guard let table = try Self.table(in: bytes, bad) else { throw error }
        samples = try Self.chosen(
          of: table, nil, or: Self.same(table.spectra), path: path
        ).samples
      }
    }
    (spectrum, typicalStep) = try Self.spectrum(
      of: samples, isUnevenMeant: SpectralTable.isXML(bytes), bad)
    guard samples[0].wavelength <= 400, samples[samples.count - 1].wavelength >= 700 else {
      throw Failure.badData(
        "\(path): the spectrum must extend from 400 nm or below to 700 nm or above")
    }
  }

  /// Returns the table among other lines of a text; `nil` if there is none.
  private static func table(
    in bytes: [UInt8], _ bad: (String) -> Failure
  ) throws -> SpectralTable? {
    try SpectralTable.hasRows(bytes) ? SpectralTable(bytes, bad) : nil
  }

  /// The largest share of the peak by which noise may make a value negative.
  private static let noise = 0.001

  /// Returns samples as a spectrum, and their usual step.
  ///
  /// - Parameter isUnevenMeant: `true` if the wavelengths are those at which the spectrum bends, so
  ///   that any steps are valid.
  private static func spectrum(
    of samples: [Sample], isUnevenMeant: Bool, _ bad: (String) -> Failure
  ) throws -> (SpectralDistribution, typicalStep: Double) {
    do {
      let spectrum = try SpectralDistribution(samples: samples, noise: noise)
      return (spectrum, spectrum.step)
    } catch {
      guard case .unequalStep(_, _, let typical) = error else { throw bad(error.description) }
      guard isUnevenMeant || largestStep(of: samples) <= 1.75 * typical else {
        throw bad("\(error); resample it to equal steps, such as 1 nm")
      }
      do {
        return (
          try SpectralDistribution(unequalSamples: samples, noise: noise),
          isUnevenMeant ? min(typical, 5) : typical
        )
      } catch { throw bad(error.description) }
    }
  }

  private static func largestStep(of samples: [Sample]) -> Double {
    zip(samples, samples.dropFirst()).map { $1.wavelength - $0.wavelength }.max() ?? 0
  }

  /// Returns the named spectrum of a table, or its only one.
  private static func chosen(
    of table: SpectralTable, _ choice: String?, or only: SpectralTable.Spectrum?, path: String
  ) throws -> SpectralTable.Spectrum {
    let spectra = table.spectra
    guard let choice else {
      if let only { return only }
      let names = spectra.prefix(6).compactMap(\.name).map { "'\($0)'" }.joined(separator: ", ")
      throw Failure.badData(
        "\(path): it has \(spectra.count) spectra; keep one, or select one: spd:\(path)#1"
          + (names.isEmpty ? "" : ", or by its name (\(names))"))
    }
    let named = spectra.filter { $0.name?.lowercased() == choice.lowercased() }
    if named.count == 1 { return named[0] }
    guard named.isEmpty, let place = Int(choice), spectra.indices.contains(place - 1) else {
      throw Failure.badData(
        named.isEmpty
          ? "\(path): there is no spectrum '\(choice)' among its \(spectra.count)"
          : "\(path): \(named.count) of its spectra are called '\(choice)'; select one by number")
    }
    return spectra[place - 1]
  }

  /// Returns the finest of several spectra that are the same one in other units or with other
  /// steps; `nil` if they differ by more than 0.5 % of the largest value.
  private static func same(_ spectra: [SpectralTable.Spectrum]) -> SpectralTable.Spectrum? {
    // Constant numbers do not belong to a light if another column varies.
    let lights = spectra.filter { Set($0.samples.map(\.value)).count > 1 }
    guard
      let finest = (lights.isEmpty ? spectra : lights)
        .max(by: { $0.samples.count < $1.samples.count })
    else { return nil }
    let power = Dictionary(finest.samples.map { ($0.wavelength, $0.value) }) { first, _ in first }
    for spectrum in lights {
      let pairs = spectrum.samples.compactMap { sample in
        power[sample.wavelength].map { ($0, sample.value) }
      }
      guard let largest = pairs.max(by: { $0.0 < $1.0 }), largest.0 > 0, largest.1 > 0,
        pairs.count == spectrum.samples.count,
        pairs.allSatisfy({ abs($0.0 / largest.0 - $0.1 / largest.1) < 0.005 })
      else { return nil }
    }
    return finest
  }

  private static func samples(
    ofRows bytes: [UInt8], path: String
  ) throws -> ([Sample], LightClass?) {
    func isHeader(_ fields: [some StringProtocol]) -> Bool {
      let name = fields[0].lowercased()
      return ["nm", "wave", "lambda", "λ"].contains { name.contains($0) }
    }
    func isClass(_ fields: [some StringProtocol]) -> Bool { fields[0].lowercased() == "class" }
    let rows = try TableRows.read(bytes, path: path) { fields in
      fields.count > 1
        && (isHeader(fields) || isClass(fields) || fields.allSatisfy { number($0) != nil })
    }
    var samples: [Sample] = []
    var lightClass: LightClass?
    var hasHeader = false
    for (line, fields) in rows {
      func bad(_ reason: String) -> Failure {
        Failure.badData("\(path), line \(line): \(reason)")
      }
      guard fields.count > 1, fields.dropFirst(2).allSatisfy(\.isEmpty) else {
        throw bad(
          "a row must be a wavelength and a power, but this one has \(fields.count) "
            + "field\(fields.count == 1 ? "" : "s")")
      }
      if isClass(fields) {
        let given = try LightClass(tableField: fields[1], bad)
        guard lightClass == nil || lightClass == given else { throw bad("two classes are given") }
        lightClass = given
      } else if samples.isEmpty, !hasHeader, isHeader(fields) {
        hasHeader = true
      } else {
        let wrong = fields.first { number($0) == nil && !$0.isEmpty } ?? ""
        guard let wavelength = number(fields[0]), let power = number(fields[1]) else {
          throw bad("the row is not a wavelength and a power: \(notANumber(wrong))")
        }
        samples.append((wavelength, power))
      }
    }
    // Some instruments begin with the longest wavelength.
    let isFalling = zip(samples, samples.dropFirst()).allSatisfy { $0.wavelength > $1.wavelength }
    return (isFalling ? samples.reversed() : samples, lightClass)
  }

  /// Returns the doubts about the spectrum, each as a clause: wide steps, between which narrow
  /// lines are lost; noise below zero; an end within the visible range.
  func doubts(of lightClass: LightClass?) -> [String] {
    var doubts: [String] = []
    let isSmooth = [.thermal, .daylight, .led].contains(self.lightClass ?? lightClass)
    if !isSmooth, typicalStep >= 5.5 {
      doubts.append(
        "steps of \(fixed(typicalStep, decimals: 0)) nm miss the narrow lines of a lamp, and x and "
          + "y may be wrong by up to 0.06; measure a lamp with lines in steps of 5 nm or less, or "
          + "name its class")
    }
    let negativeShare = -(spectrum.values.min() ?? 0) / (spectrum.values.max() ?? 1)
    if negativeShare > 0 {
      doubts.append(
        "some values are below zero, by at most \(shortNumber(100 * negativeShare)) % of the "
          + "largest; they are treated as noise and not changed")
    }
    if let end = endDoubt { doubts.append(end) }
    return doubts
  }

  /// A clause about the effect on x and y of a spectrum that ends within the visible range, if the
  /// effect exceeds 1e-4. It compares no light beyond the end with as much light as at the end.
  private var endDoubt: String? {
    let last = spectrum.firstWavelength + spectrum.step * Double(spectrum.values.count - 1)
    let continued = SpectralDistribution(
      first: 360, step: 1,
      values: (360...830).map { spectrum[min(max(Double($0), spectrum.firstWavelength), last)] })
    let (cut, whole) = (Chromaticity(spectrum.xyz), Chromaticity(continued.xyz))
    let difference = max(abs(cut.x - whole.x), abs(cut.y - whole.y))
    guard difference > 1e-4 else { return nil }
    return
      "the spectrum goes from \(fixed(spectrum.firstWavelength, decimals: 0)) to "
      + "\(fixed(last, decimals: 0)) nm, and is assumed to be zero beyond; if it continues at the "
      + "level of its ends, x and y are off by \(fixed(difference, decimals: 4))"
  }
}

/// A spectrum's file and, if it holds several, the choice among them: `FILE`, `FILE#3` or
/// `FILE#name`.
struct SpectrumReference {
  var path: String
  var choice: String?

  /// - Parameter text: the reference; a file whose own name has a `#` takes precedence over another
  ///   meaning.
  init(_ text: String) {
    path = text
    guard let mark = text.lastIndex(of: "#"), unsafe access(text.systemName, F_OK) != 0 else {
      return
    }
    path = String(text[..<mark])
    choice = String(text[text.index(after: mark)...])
  }
}

extension LightClass {
  /// Returns the class that a table's field names.
  init(tableField word: String, _ bad: (String) -> Failure) throws {
    guard let known = LightClass(rawValue: word.lowercased()) else {
      throw bad(
        "'\(word)' is not a class of light; the classes are "
          + LightClass.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = known
  }
}
