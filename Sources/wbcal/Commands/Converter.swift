import CameraProfiles
import ColorScience
import WbcalFoundation
import WhiteBalance

/// Converts rows of numbers from one kind of coordinates to another.
struct Converter {
  var from, to: LightCoordinates
  var method: TemperatureMethod
  var locus: PlanckianLocus
  var profile: CameraProfile?
  var lightClass: LightClass?

  struct RowError: Error, CustomStringConvertible { var description: String }

  /// The result of a row.
  struct Row {
    /// `nil` for a number that is not known.
    var numbers: [Double?]
    /// `true` if the numbers are the only answer: below the evolute of the locus there are two
    /// temperatures.
    var isUnique = true
    /// Remarks that are shown only once for all rows.
    var remarks: [Remark] = []
  }

  /// A remark on a row that is not wrong.
  enum Remark: Hashable {
    case beyondSpectrum(Chromaticity)
    case tintUnknown
    case tintLeftOut(Double)

    /// The kind of a remark; only the first remark of each kind is shown.
    enum Kind { case beyondSpectrum, tintUnknown, tintLeftOut }

    var kind: Kind {
      switch self {
      case .beyondSpectrum: .beyondSpectrum
      case .tintUnknown: .tintUnknown
      case .tintLeftOut: .tintLeftOut
      }
    }

    /// Returns the text of the remark.
    ///
    /// - Parameter place: the line, which precedes the text.
    func text(_ place: String) -> String {
      switch self {
      case .beyondSpectrum(let color):
        "\(place)x \(shortNumber(color.x, digits: 3)), y \(shortNumber(color.y, digits: 3)) lies outside the spectral "
          + "locus: no light has this color; it is converted like all others"
      case .tintUnknown:
        "\(place)the profile is a curve of grays, which gives a temperature but no tint: "
          + "that column is empty"
      case .tintLeftOut(let tint):
        "\(place)the profile is a curve of grays, which has no tint: the light's tint, "
          + "\(fixed(tint, decimals: 1)), is ignored"
      }
    }
  }

  /// Converts a row.
  func convert(_ fields: [Substring], withErrors: Bool) throws(RowError) -> Row {
    var numbers: [Double] = []
    numbers.reserveCapacity(fields.count)
    for (column, field) in fields.enumerated() {
      guard let value = number(field, column) else {
        throw RowError(description: notANumber(field))
      }
      numbers.append(value)
    }
    let count = from.quantities.count
    guard numbers.count == count else {
      throw RowError(
        description: "\(from.rawValue) requires \(count) number\(count == 1 ? "" : "s") "
          + "(\(from.columns.joined(separator: ", "))), not \(numbers.count)")
    }
    let light = try read(numbers)
    try refuseOtherUnits(light, fields)
    let temperature = to.isTemperature ? temperature(of: light) : nil
    var row = Row(numbers: [], remarks: try remarks(on: light))
    let result = write(light, temperature)
    // An infinite temperature is an answer; NaN, or a chromaticity that is not finite, is not.
    guard var result, result.allSatisfy({ !$0.isNaN }),
      [.cct, .cctDuv, .temperatureTint].contains(to) || result.allSatisfy(\.isFinite)
    else {
      throw RowError(
        description: "\(from.rawValue) \(fields.joined(separator: ",")) has no \(to.rawValue)"
          + (method.domain.map { "; \(method.rawValue) is valid for \($0)" } ?? ""))
    }
    if withErrors {
      guard let errors = standardErrors(light, numbers) else {
        throw RowError(
          description: "there is no standard error for \(fields.joined(separator: ","))")
      }
      result += errors
    }
    row.numbers = result
    if case .gray = light, to.isTemperature, to != .cct { row.numbers[1] = nil }
    if method == .exact, case .chromaticity = light, let temperature {
      row.isUnique = locus.isUnique(temperature)
    }
    return row
  }

  /// Refuses numbers that are too large for the x and y, or u and v, of any color, real or
  /// imaginary. No primaries of an RGB space come near (the farthest, RED's green, has y = 1.49).
  /// Such numbers are in other units, such as the 1/65536 of Zigbee or percent.
  private func refuseOtherUnits(_ light: GivenLight, _ fields: [Substring]) throws(RowError) {
    let isColor: Bool
    switch light {
    case .chromaticity(let color) where from == .uv:
      let uv = UCS1960(color)
      isColor = !color.isFinite || abs(uv.u) <= 4 && abs(uv.v) <= 1
    case .chromaticity(let color):
      isColor = !color.isFinite || abs(color.x) <= 2 && abs(color.y) <= 2
    case .temperature(let value): isColor = !(abs(value.duv) > 1)
    case .gray: isColor = true
    }
    guard isColor else {
      throw RowError(
        description:
          "\(fields.joined(separator: ",")) is not the \(from.rawValue) of any color; the "
          + "numbers are in other units, such as percent or 65536ths")
    }
  }

  private func remarks(on light: GivenLight) throws(RowError) -> [Remark] {
    switch light {
    case .gray:
      switch to {
      case .xy, .uv:
        throw RowError(
          description:
            "the profile is a curve of grays, which gives a temperature but no tint, and "
            + "so no \(to.rawValue); --to cct gives the temperature")
      case .cct, .gains: return []
      case .cctDuv, .miredDuv, .temperatureTint: return [.tintUnknown]
      }
    case .chromaticity(let color):
      return try spectrumRemarks(color) + tintRemarks(color)
    case .temperature(let value):
      // A white light cannot be an imaginary color.
      let isWhite = abs(value.duv) <= 0.02 && value.kelvin >= 1000
      guard !isWhite || to == .gains && profile?.model.isCurve == true,
        let color = chromaticity(of: light)
      else { return [] }
      return try (isWhite ? [] : spectrumRemarks(color)) + tintRemarks(color)
    }
  }

  private func spectrumRemarks(_ color: Chromaticity) -> [Remark] {
    // Most colors lie well inside: in the triangle of sRGB's primaries.
    let (x, y) = (color.x, color.y)
    let isPlain =
      0.27 * (x - 0.15) + 0.49 * (0.06 - y) <= 0 && 0.27 * (x - 0.64) + 0.34 * (y - 0.33) <= 0
      && 0.54 * (0.15 - x) + 0.15 * (y - 0.06) <= 0
    // The locus is published with four digits: a color that lies outside only by their rounding
    // counts as on the locus.
    let inwards = Chromaticity(x: x + 0.002 * (1 / 3 - x), y: y + 0.002 * (1 / 3 - y))
    // Between the same coordinates, nothing is converted.
    return isPlain || !color.isFinite || from == to || SpectralLocus.contains(inwards)
      ? [] : [.beyondSpectrum(color)]
  }

  /// Remarks on the tint that a curve of grays ignores, and refuses lights that are not white.
  private func tintRemarks(_ color: Chromaticity) throws(RowError) -> [Remark] {
    guard to == .gains, let tint = profile?.model.tintLeftOut(of: color) else { return [] }
    switch tint {
    case .success(let tint): return [.tintLeftOut(tint)]
    case .failure(let objection): throw RowError(description: objection.description)
    }
  }

  /// Parses the number in a column; a temperature may have its unit.
  func number(_ field: Substring, _ column: Int) -> Double? {
    wbcal.number(field)
      ?? (column == 0 && from.quantities[0] == .kelvin ? wbcal.kelvin(field) : nil)
  }

  /// A light in the coordinates in which it was given. A conversion through the locus costs
  /// precision, and is made only if it is necessary.
  private enum GivenLight {
    case chromaticity(Chromaticity)
    case temperature(CorrelatedColorTemperature)
    /// A light of known temperature but unknown tint, as a chromaticity on the locus.
    case gray(Chromaticity)
  }

  private func read(_ n: [Double]) throws(RowError) -> GivenLight {
    switch from {
    case .xy: return .chromaticity(Chromaticity(x: n[0], y: n[1]))
    case .uv: return .chromaticity(Chromaticity(UCS1960(u: n[0], v: n[1])))
    case .cct: return .temperature(CorrelatedColorTemperature(kelvin: n[0], duv: 0))
    case .cctDuv: return .temperature(CorrelatedColorTemperature(kelvin: n[0], duv: n[1]))
    case .miredDuv: return .temperature(CorrelatedColorTemperature(mired: n[0], duv: n[1]))
    case .temperatureTint:
      return .temperature(
        CorrelatedColorTemperature(TemperatureAndTint(temperature: n[0], tint: n[1])))
    case .gains:
      let gains = Gains(red: n[0], green: n[1], blue: n[2])
      let reading: LightReading?
      do { reading = try profile?.model.reading(of: gains, lightClass: lightClass) } catch {
        throw RowError(description: error.description)
      }
      guard let reading else {
        let objection = profile?.model.objection(to: gains).map { ": \($0)" } ?? ""
        throw RowError(
          description: "no light needs the gains \(n[0]), \(n[1]), \(n[2])" + objection)
      }
      return reading.isTintKnown
        ? .chromaticity(reading.chromaticity) : .gray(reading.chromaticity)
    }
  }

  /// Returns the standard errors of the columns, from those of the camera's gains.
  private func standardErrors(_ light: GivenLight, _ numbers: [Double]) -> [Double]? {
    guard let xy = chromaticity(of: light),
      let covariance = profile?.covariance(at: xy, lightClass: lightClass)
    else { return nil }
    return covariance.standardErrors { off in
      func moved(_ gains: Gains) -> Gains {
        Gains(red: gains.red * exp(off.x), green: gains.green, blue: gains.blue * exp(off.y))
      }
      if to == .gains {
        return profile?.model.gains(for: xy, lightClass: lightClass)
          .map { moved($0).normalized(to: .smallest) }.map { [$0.red, $0.green, $0.blue] }
      }
      let gains = moved(Gains(red: numbers[0], green: numbers[1], blue: numbers[2]))
      guard let xy = profile?.calibration?.chromaticity(for: gains, lightClass: lightClass) else {
        return nil
      }
      let light = GivenLight.chromaticity(xy)
      return write(light, to.isTemperature ? temperature(of: light) : nil)
    }
  }

  private func chromaticity(of light: GivenLight) -> Chromaticity? {
    switch light {
    case .chromaticity(let value), .gray(let value): value
    case .temperature(let value): method.chromaticity(of: value, on: locus)
    }
  }

  private func temperature(of light: GivenLight) -> CorrelatedColorTemperature? {
    switch light {
    case .chromaticity(let value), .gray(let value): method.temperature(of: value, on: locus)
    case .temperature(let value): value
    }
  }

  /// Returns the numbers for a light.
  ///
  /// - Parameter temperature: the light's temperature, if the output needs it.
  private func write(_ light: GivenLight, _ temperature: CorrelatedColorTemperature?) -> [Double]? {
    var xy: Chromaticity? { chromaticity(of: light) }
    switch to {
    case .xy: return xy.map { [$0.x, $0.y] }
    case .uv: return xy.map { UCS1960($0) }.map { [$0.u, $0.v] }
    case .cct: return temperature.map { [$0.kelvin] }
    case .cctDuv: return temperature.map { [$0.kelvin, $0.duv] }
    case .miredDuv: return temperature.map { [$0.mired, $0.duv] }
    case .temperatureTint:
      return temperature.map(TemperatureAndTint.init).map { [$0.temperature, $0.tint] }
    case .gains:
      return xy.flatMap { profile?.model.gains(for: $0, lightClass: lightClass) }
        .map { [$0.red, $0.green, $0.blue] }
    }
  }
}
