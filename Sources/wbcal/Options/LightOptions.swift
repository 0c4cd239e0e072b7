import WbcalArguments
import WhiteBalance

/// The lights for which a command shows the gains of cameras.
struct LightOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A light to show gains for, such as D65, 2856K or xy:0.31,0.33; repeat it for more.",
      valueName: "light"))
  var light: [String] = []

  /// Returns the lights that were named, or else six from lamp light to shade.
  func lights() throws -> [Light] {
    try (light.isEmpty ? ["2500K", "A", "3500K", "D5000K", "D65", "D7500K"] : light).map {
      try Light(argument: $0, folder: nil)
    }
  }
}
