import WbcalArguments

/// A picture for `calibrate --flat`.
struct RequestedFlat: Sendable {
  var path: String
  /// The quarter turns of the surface and its light since another picture; `nil` if not stated.
  var quarterTurns: Int?

  static let help = ArgumentHelp(
    "A picture of a plain, neutral surface that fills it, out of focus; repeat it for more, with "
      + "the angle by which the surface and its light were turned: 0, 90, 180 or 270.",
    valueName: "PICTURE[@DEGREES]")

  /// Reads `PICTURE` or `PICTURE@DEGREES`.
  init(argument: String) throws {
    guard let at = argument.lastIndex(of: "@"),
      let degrees = Int(argument[argument.index(after: at)...])
    else {
      path = argument
      return
    }
    guard [0, 90, 180, 270].contains(degrees) else {
      throw ValidationError("the turn \(degrees) in '\(argument)' is not 0, 90, 180 or 270.")
    }
    path = String(argument[..<at])
    quarterTurns = degrees / 90
  }
}
