package import CameraControl
package import ColorScience
import WbcalArguments
package import WhiteBalance

// The raw values are the words on the command line.
extension LightClass: ExpressibleByArgument {}
extension LightingPreset: ExpressibleByArgument {}
extension WhiteBalanceMode: ExpressibleByArgument {}

extension CompletionKind { static var json: CompletionKind { .file(extensions: ["json"]) } }

extension GrayCardEstimator.Region {
  init(argument: String) throws {
    if argument.hasPrefix("center:") {
      guard let share = number(argument.dropFirst(7)), share > 0, share <= 1 else {
        throw ValidationError(
          "the share of the center must be above 0 and at most 1, such as center:0.5.")
      }
      self = .center(share)
      return
    }
    let fields = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard fields.count == 4, let x = fields[0], let y = fields[1], let width = fields[2],
      let height = fields[3], width > 0, height > 0
    else { throw ValidationError("write a region as X,Y,W,H in pixels or center:F.") }
    self = .rectangle(PixelRectangle(x: x, y: y, width: width, height: height))
  }
}

extension LumaChromaEncoding {
  init(argument: String) throws {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let matrix = Matrix(rawValue: parts[0]),
      let range = CodeRange(rawValue: parts[1])
    else { throw ValidationError("write an encoding as MATRIX:RANGE, such as bt709:full.") }
    self.init(matrix: matrix, range: range)
  }
}

extension TransferFunction {
  init(argument: String) throws {
    guard let function = TransferFunction(named: argument) else {
      throw ValidationError(
        "the transfer function must be linear, srgb, bt709 or gamma:G with G above 0.")
    }
    self = function
  }
}

/// Parses three positive numbers for red, green and blue.
func parseGains(_ argument: String) throws -> Gains {
  let gains = numbers(argument, count: 3).map { Gains(red: $0[0], green: $0[1], blue: $0[2]) }
  guard let gains, gains.normalized(to: .smallest).arePositiveAndFinite,
    gains.normalized(to: .largest).arePositiveAndFinite
  else { throw ValidationError("write gains as R,G,B, three positive numbers, such as 1.4,1,1.9.") }
  return gains
}

func parseChromaticity(_ argument: String) throws -> Chromaticity {
  // `0,3127` has a comma in place of the decimal point.
  guard let xy = numbers(argument, count: 2), xy.allSatisfy(\.isFinite),
    xy.allSatisfy({ $0 <= 1 }) || argument.contains(where: { !",0123456789".contains($0) })
  else {
    throw ValidationError("write a chromaticity as X,Y, such as 0.3127,0.3290.")
  }
  return Chromaticity(x: xy[0], y: xy[1])
}

func parseTemperature(_ argument: String) throws -> Double {
  guard let value = kelvin(argument) else {
    throw ValidationError("write a temperature in kelvin, such as 5600 or 5600K.")
  }
  return value
}

/// Returns a transform from an argument to a number; `form` describes the expected form in the
/// error message.
func asNumber(_ form: String) -> @Sendable (String) throws -> Double {
  { argument in
    guard let value = number(argument), !value.isNaN else {
      throw ValidationError("write \(form).")
    }
    return value
  }
}

/// Parses a time in seconds; a fraction such as 1/50 is a number too.
func parseSeconds(_ argument: String) throws -> Double {
  let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { number($0) }
  switch (parts.count, parts[0], parts.last ?? nil) {
  case (1, let seconds?, _): return seconds
  case (2, let above?, let below?): return above / below
  default: throw ValidationError("write seconds as a number, such as 10, 0.5 or 1/50.")
  }
}

func parseWholeSeconds(_ argument: String) throws -> Int {
  guard let seconds = number(argument).flatMap({ Int(exactly: $0) }) else {
    throw ValidationError("write whole seconds, such as 10.")
  }
  return seconds
}

/// Throws a mistake in the arguments if there is one.
@inline(never)
func forbid(_ mistake: Bool, _ message: String) throws {
  if mistake { throw ValidationError(message) }
}
