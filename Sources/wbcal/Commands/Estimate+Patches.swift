import ColorScience
import WhiteBalance

extension PictureReading.SecondPatch {
  /// What the two patches show together, and whether they agree.
  var sentence: (text: String, isWell: Bool) {
    guard let check else {
      return (
        isLinear
          ? "the two patches cannot be compared"
          : "two patches tell of the black level only where the numbers are linear; name a raw "
            + "photograph, or --transfer linear", false
      )
    }
    func percent(_ spread: BlackLevelCheck.Spread) -> String {
      let (red, blue) = (spread.red * 100, spread.blue * 100)
      return "\(fixed(red, decimals: 1)) % red, \(fixed(blue, decimals: 1)) % blue"
    }
    let difference = percent(check.spread)
    switch check.verdict {
    case .agreement:
      // Patches of equal brightness do not determine the black level.
      let fit =
        check.standardError < 1000
        ? "; they put it at \(fixed(check.fittedLevel, decimals: 0)) ± "
          + "\(fixed(check.standardError, decimals: 0))" : ""
      return (
        "the patches agree (\(difference)) with the black level \(shortNumber(blackLevel))\(fit)",
        true
      )
    case .blackLevel(let level, let error):
      return (
        "the patches differ (\(difference)); a black level of \(fixed(level, decimals: 1)) ± "
          + "\(fixed(error, decimals: 1)) instead of \(shortNumber(blackLevel)) explains it and "
          + "leaves \(percent(check.remainingSpread)).\nRun the command again with --black "
          + fixed(level, decimals: 1), false
      )
    case .disagreement:
      return (
        "the patches differ (\(difference)), and no plausible black level clearly explains it: "
          + "another lamp lights one of them, or a patch is not neutral.\nKeep other lamps away, "
          + "and name gray patches that lie side by side", false
      )
    }
  }
}

struct PatchesRecord: Encodable {
  struct Ratios: Encodable { var red, blue: Double }

  var second: Gains?
  /// `agreement`, `black-level` or `disagreement`.
  var verdict: String?
  /// Differences between the patches in the logarithms of red/green and blue/green.
  var difference, remaining: Ratios?
  var fittedBlackLevel, blackLevelError: Double?

  init(_ patch: PictureReading.SecondPatch) {
    second = patch.estimate.gains
    guard let check = patch.check else { return }
    verdict =
      switch check.verdict {
      case .agreement: "agreement"
      case .blackLevel: "black-level"
      case .disagreement: "disagreement"
      }
    difference = Ratios(red: check.spread.red, blue: check.spread.blue)
    remaining = Ratios(red: check.remainingSpread.red, blue: check.remainingSpread.blue)
    fittedBlackLevel = check.fittedLevel
    blackLevelError = finite(check.standardError)
  }
}
