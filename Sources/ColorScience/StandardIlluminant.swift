/// A CIE illuminant or standard illuminant, with its published chromaticities and spectrum.
///
/// Source: CIE 15:2004, tables T.3, T.8 and T.9, and for LEDs CIE 015:2018; D60, ID50 and ID65,
/// which have more digits, as colour-science 0.4.7 gives them. `StandardIlluminantTests` compares
/// every figure with a reference table, and `IlluminantSpectrumTests` with sums over the spectra.
public struct StandardIlluminant: Hashable, Sendable, CustomStringConvertible {
  /// The name as CIE prints it, such as `D65`, `FL11`, `LED-B3`.
  public let name: String
  /// The published CIE 1931 2° chromaticity. RGB spaces round D50 and D65 to (0.3457, 0.3585) and
  /// (0.3127, 0.3290), and (0.34567, 0.35850) is also in use.
  public let chromaticity: Chromaticity
  private let chromaticity1964: Chromaticity?

  /// The published chromaticity for an observer; `nil` if none is published for it.
  ///
  /// Chromaticities for 10° are published for A to E except D60, and for FL1 to FL12; for the
  /// others, sum `spectrum`. Sources: CIE 15:2004, table T.3; E by definition; B, D65 and FL1 to
  /// FL12 as colour-science 0.4.7 gives them. For D65 CIE prints (0.31381, 0.33098), the sum at 5
  /// nm instead of 1 nm, and for B and FL1 to FL12 it prints nothing. In all publications the x of
  /// FL10 is 2.8e-4 above that of its spectrum.
  public func chromaticity(observer: StandardObserver) -> Chromaticity? {
    switch observer {
    case .cie1931: chromaticity
    case .cie1964: chromaticity1964
    }
  }

  /// The published relative spectral power, at 5 nm.
  ///
  /// It begins at 380 nm, or at 320 nm (B), 360 nm (E) or 300 nm (A, C, D50 to D75, ID50, ID65),
  /// and ends at 780 nm, or at 830 nm (D60, E). For daylight at other wavelengths use
  /// `SpectralDistribution.daylight(kelvin:)`. Source: colour-science 0.4.7. Error: none; every
  /// figure is that of the source (`IlluminantSpectrumTests`).
  public var spectrum: SpectralDistribution {
    let (first, scale, figures) = StandardIlluminantSpectra.table(name)
    return SpectralDistribution(
      first: Double(first), step: 5, values: figures.map { Double($0) / Double(scale) })
  }

  /// The illuminant with the given name, regardless of case; `F1`…`F12` are read as `FL1`…`FL12`.
  public init?(named name: String) {
    let wanted = name.uppercased()
    let alias =
      wanted.hasPrefix("F") && !wanted.hasPrefix("FL") ? "FL" + wanted.dropFirst() : wanted
    guard let found = Self.all.first(where: { $0.name == alias }) else { return nil }
    self = found
  }

  /// Every illuminant, in CIE's order.
  public static let all: [StandardIlluminant] = [
    .a, .init("B", 0.34842, 0.35161, (0.3498, 0.3527)),
    .init("C", 0.31006, 0.31616, (0.31039, 0.31905)),
    .d50, .d55, .init("D60", 0.32161671, 0.33761992),
    .d65, .d75,
    .e,
    .init("FL1", 0.3131, 0.3371, (0.31811, 0.33559)),
    .fl2,
    .init("FL3", 0.4091, 0.3941, (0.41761, 0.38324)),
    .init("FL4", 0.4402, 0.4031, (0.44920, 0.39074)),
    .init("FL5", 0.3138, 0.3452, (0.31975, 0.34246)),
    .init("FL6", 0.3779, 0.3882, (0.38660, 0.37847)), .fl7,
    .init("FL8", 0.3458, 0.3586, (0.34902, 0.35939)),
    .init("FL9", 0.3741, 0.3727, (0.37829, 0.37045)),
    .init("FL10", 0.3458, 0.3588, (0.35090, 0.35444)),
    .fl11,
    .init("FL12", 0.4370, 0.4042, (0.44256, 0.39717)),
    .init("FL3.1", 0.4407, 0.4033), .init("FL3.2", 0.3808, 0.3734), .init("FL3.3", 0.3153, 0.3439),
    .init("FL3.4", 0.4429, 0.4043), .init("FL3.5", 0.3749, 0.3672), .init("FL3.6", 0.3488, 0.3600),
    .init("FL3.7", 0.4384, 0.4045), .init("FL3.8", 0.3820, 0.3832), .init("FL3.9", 0.3499, 0.3591),
    .init("FL3.10", 0.3455, 0.3560), .init("FL3.11", 0.3245, 0.3434),
    .init("FL3.12", 0.4377, 0.4037), .init("FL3.13", 0.3830, 0.3724),
    .init("FL3.14", 0.3447, 0.3609), .init("FL3.15", 0.3127, 0.3288),
    .init("HP1", 0.5330, 0.4150), .init("HP2", 0.4778, 0.4158), .init("HP3", 0.4302, 0.4075),
    .init("HP4", 0.3812, 0.3797), .init("HP5", 0.3776, 0.3713),
    .init("LED-B1", 0.4560, 0.4078), .init("LED-B2", 0.4357, 0.4012),
    .ledB3, .init("LED-B4", 0.3422, 0.3502),
    .init("LED-B5", 0.3118, 0.3236), .init("LED-BH1", 0.4474, 0.4066),
    .init("LED-RGB1", 0.4557, 0.4211), .init("LED-V1", 0.4548, 0.4044),
    .init("LED-V2", 0.3781, 0.3775),
    .init("ID50", 0.34321137, 0.36020754), .init("ID65", 0.31065663, 0.33066309),
  ]

  /// Incandescent light, 2856 K.
  public static let a = StandardIlluminant("A", 0.44758, 0.40745, (0.45117, 0.40594))
  /// Daylight of 5003 K, the white of print and of ICC's connection space.
  public static let d50 = StandardIlluminant("D50", 0.34567, 0.35851, (0.34773, 0.35952))
  /// Daylight of 5503 K, as in photography.
  public static let d55 = StandardIlluminant("D55", 0.33243, 0.34744, (0.33412, 0.34877))
  /// Daylight of 6504 K, the white of most displays.
  public static let d65 = StandardIlluminant("D65", 0.31272, 0.32903, (0.31382, 0.33100))
  /// Daylight of 7504 K, as from a northern sky.
  public static let d75 = StandardIlluminant("D75", 0.29903, 0.31488, (0.29968, 0.31740))
  /// Equal power at every wavelength.
  public static let e = StandardIlluminant("E", 1.0 / 3, 1.0 / 3, (1.0 / 3, 1.0 / 3))
  /// A cool white fluorescent tube, 4230 K; CIE prefers FL2, FL7 and FL11 to the other tubes.
  public static let fl2 = StandardIlluminant("FL2", 0.3721, 0.3751, (0.37925, 0.36733))
  /// A fluorescent tube of broad bands that imitates daylight, 6500 K.
  public static let fl7 = StandardIlluminant("FL7", 0.3129, 0.3292, (0.31569, 0.32960))
  /// A fluorescent tube of three narrow bands, 4000 K.
  public static let fl11 = StandardIlluminant("FL11", 0.3805, 0.3769, (0.38541, 0.37123))
  /// A blue LED with a yellow phosphor, 4103 K.
  public static let ledB3 = StandardIlluminant("LED-B3", 0.3756, 0.3723)

  private init(_ name: String, _ x: Double, _ y: Double, _ wide: (x: Double, y: Double)? = nil) {
    self.name = name
    chromaticity = Chromaticity(x: x, y: y)
    chromaticity1964 = wide.map { Chromaticity(x: $0.x, y: $0.y) }
  }

  /// The illuminant's name.
  public var description: String { name }
}

#if !hasFeature(Embedded)
extension StandardIlluminant: Codable {
  /// Decodes a name.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value("standard illuminant", named: Self.init(named:))
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
#endif
