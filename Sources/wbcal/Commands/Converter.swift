import CameraControl
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

  /// Converts a row.
  ///
  /// - Returns: the numbers, and whether they are the only answer: below the evolute of the locus
  ///   there are two temperatures.
  func convert(
    _ fields: [Substring], withErrors: Bool
  ) throws(RowError) -> (row: [Double], isUnique: Bool) {
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
        description: "\(from.rawValue) takes \(count) number\(count == 1 ? "" : "s") "
          + "(\(from.columns.joined(separator: ", "))), not \(numbers.count)")
    }
    let light = try read(numbers)
    let temperature = to.isTemperature ? temperature(of: light) : nil
    let result = write(light, temperature)
    // An infinite temperature is an answer; NaN, or a chromaticity that is not finite, is none.
    guard var result, result.allSatisfy({ !$0.isNaN }),
      [.cct, .cctDuv, .temperatureTint].contains(to) || result.allSatisfy(\.isFinite)
    else {
      throw RowError(
        description: "\(from.rawValue) \(fields.joined(separator: ",")) has no \(to.rawValue)"
          + (method.domain.map { "; \(method.rawValue) holds for \($0)" } ?? ""))
    }
    if withErrors {
      guard let errors = standardErrors(light, numbers) else {
        throw RowError(
          description: "there is no standard error for \(fields.joined(separator: ","))")
      }
      result += errors
    }
    if method == .exact, case .chromaticity = light, let temperature {
      return (result, locus.isUnique(temperature))
    }
    return (result, true)
  }

  /// The number in a column; a temperature may have its unit.
  func number(_ field: Substring, _ column: Int) -> Double? {
    wbcal.number(field)
      ?? (column == 0 && from.quantities[0] == .kelvin ? wbcal.kelvin(field) : nil)
  }

  /// A light in the coordinates in which it was given: crossing the locus costs precision, and is
  /// put off until it is necessary.
  private enum GivenLight {
    case chromaticity(Chromaticity)
    case temperature(CorrelatedColorTemperature)
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
      let light: Chromaticity?
      do {
        light = try profile?.model.reading(of: gains, lightClass: lightClass)?.chromaticity
      } catch { throw RowError(description: error.description) }
      guard let light else {
        throw RowError(description: "no light needs the gains \(n[0]), \(n[1]), \(n[2])")
      }
      return .chromaticity(light)
    }
  }

  /// The standard errors of the columns, from those of the camera's gains.
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
          .map { moved($0).normalized() }.map { [$0.red, $0.green, $0.blue] }
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
    case .chromaticity(let value): value
    case .temperature(let value): method.chromaticity(of: value, on: locus)
    }
  }

  private func temperature(of light: GivenLight) -> CorrelatedColorTemperature? {
    switch light {
    case .chromaticity(let value): method.temperature(of: value, on: locus)
    case .temperature(let value): value
    }
  }

  /// The numbers for a light.
  ///
  /// - Parameter temperature: the light's, which is needed if a temperature is asked for.
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
