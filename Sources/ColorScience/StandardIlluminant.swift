/// A CIE standard illuminant or illuminant, with its published CIE 1931 chromaticity.
///
/// Source: CIE 015:2018; D60, ID50 and ID65, which have more digits, as colour-science 0.4.7 gives
/// them. `StandardIlluminantTests` compares half of the figures digit by digit with a reference table,
/// and all with sums over the illuminants' spectra, which tell them to 4e-4.
public struct StandardIlluminant: Hashable, Sendable {
  /// The name that CIE prints, such as `D65`, `FL11`, `LED-B3`.
  public let name: String
  /// The published chromaticity.
  public let chromaticity: Chromaticity

  /// The illuminant with a name, whatever its case; `F1`…`F12` are read as `FL1`…`FL12`.
  public init?(named name: String) {
    let wanted = name.uppercased()
    let alias =
      wanted.hasPrefix("F") && !wanted.hasPrefix("FL") ? "FL" + wanted.dropFirst() : wanted
    guard let found = Self.all.first(where: { $0.name == alias }) else { return nil }
    self = found
  }

  /// Every illuminant, in CIE's order.
  public static let all: [StandardIlluminant] = [
    .a, .init("B", 0.34842, 0.35161), .init("C", 0.31006, 0.31616),
    .d50, .init("D55", 0.33243, 0.34744), .init("D60", 0.32161671, 0.33761992),
    .d65, .init("D75", 0.29903, 0.31488), .init("E", 1.0 / 3, 1.0 / 3),
    .init("FL1", 0.3131, 0.3371), .init("FL2", 0.3721, 0.3751), .init("FL3", 0.4091, 0.3941),
    .init("FL4", 0.4402, 0.4031), .init("FL5", 0.3138, 0.3452), .init("FL6", 0.3779, 0.3882),
    .init("FL7", 0.3129, 0.3292), .init("FL8", 0.3458, 0.3586), .init("FL9", 0.3741, 0.3727),
    .init("FL10", 0.3458, 0.3588), .init("FL11", 0.3805, 0.3769), .init("FL12", 0.4370, 0.4042),
    .init("FL3.1", 0.4407, 0.4033), .init("FL3.2", 0.3808, 0.3734), .init("FL3.3", 0.3153, 0.3439),
    .init("FL3.4", 0.4429, 0.4043), .init("FL3.5", 0.3749, 0.3672), .init("FL3.6", 0.3488, 0.3600),
    .init("FL3.7", 0.4384, 0.4045), .init("FL3.8", 0.3820, 0.3832), .init("FL3.9", 0.3499, 0.3591),
    .init("FL3.10", 0.3455, 0.3560), .init("FL3.11", 0.3245, 0.3434),
    .init("FL3.12", 0.4377, 0.4037), .init("FL3.13", 0.3830, 0.3724),
    .init("FL3.14", 0.3447, 0.3609), .init("FL3.15", 0.3127, 0.3288),
    .init("HP1", 0.5330, 0.4150), .init("HP2", 0.4778, 0.4158), .init("HP3", 0.4302, 0.4075),
    .init("HP4", 0.3812, 0.3797), .init("HP5", 0.3776, 0.3713),
    .init("LED-B1", 0.4560, 0.4078), .init("LED-B2", 0.4357, 0.4012),
    .init("LED-B3", 0.3756, 0.3723), .init("LED-B4", 0.3422, 0.3502),
    .init("LED-B5", 0.3118, 0.3236), .init("LED-BH1", 0.4474, 0.4066),
    .init("LED-RGB1", 0.4557, 0.4211), .init("LED-V1", 0.4548, 0.4044),
    .init("LED-V2", 0.3781, 0.3775),
    .init("ID50", 0.34321137, 0.36020754), .init("ID65", 0.31065663, 0.33066309),
  ]

  /// Incandescent light, 2856 K.
  public static let a = StandardIlluminant("A", 0.44758, 0.40745)
  /// Daylight of 5003 K, the white of print and of ICC's connection space.
  public static let d50 = StandardIlluminant("D50", 0.34567, 0.35851)
  /// Daylight of 6504 K.
  public static let d65 = StandardIlluminant("D65", 0.31272, 0.32903)

  private init(_ name: String, _ x: Double, _ y: Double) {
    self.name = name
    self.chromaticity = Chromaticity(x: x, y: y)
  }
}
