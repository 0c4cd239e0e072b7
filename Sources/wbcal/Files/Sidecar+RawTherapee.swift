import ColorScience

extension Sidecar {
  /// Returns the white balance for RawTherapee 5.9 and later; everything else is RawTherapee's
  /// neutral profile.
  static func rawTherapee(_ balance: RawTherapeeBalance) -> Sidecar {
    let green = fixed(balance.green, decimals: 6)
    return Sidecar(
      reader: "RawTherapee", ending: ".pp3",
      head: """
        [Version]
        Version=349

        [White Balance]
        Enabled=true
        Setting=Custom

        """,
      tail: """

        Equal=1
        TemperatureBias=0
        StandardObserver=TEN_DEGREES

        """,
      figures: "Temperature=\(balance.kelvin)\nGreen=\(green)")
  }
}
