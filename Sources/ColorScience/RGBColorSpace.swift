/// A linear RGB space, derived from its primaries and white.
///
/// ```swift
/// let xyz = RGBColorSpace.sRGB.toXYZ * SIMD3(1, 0, 0)
/// let red = LinearRGB(RGBColorSpace.displayP3.fromXYZ * xyz)
/// print(red)  // red 0.8225, green 0.03319, blue 0.01708
/// ```
///
/// The matrices have the full precision of `Double`, whereas standards print a few decimals. The
/// encoding is separate: the comment of each space names its `TransferFunction`.
public struct RGBColorSpace: Hashable, Sendable {
  /// The red primary.
  public let red: Chromaticity
  /// The green primary.
  public let green: Chromaticity
  /// The blue primary.
  public let blue: Chromaticity
  /// The white, the color of red = green = blue.
  public let white: Chromaticity
  /// The matrix from linear red, green, blue to XYZ, with Y = 1 for the white.
  public let toXYZ: Matrix3x3
  /// The matrix from XYZ to linear red, green, blue.
  public let fromXYZ: Matrix3x3

  /// Creates the space of three primaries and a white; `nil` if three of the four points lie on one
  /// line, or so nearly on one that rounding would determine the matrices.
  public init?(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    func column(_ c: Chromaticity) -> SIMD3<Double> { SIMD3(c.x, c.y, 1 - c.x - c.y) }
    let (r, g, b) = (column(red), column(green), column(blue))
    let primaries = Matrix3x3(columns: r, g, b)
    guard let inverse = primaries.inverse else { return nil }
    let shares = inverse * XYZ(white).vector
    // For points on a line the determinant, or a primary's share of the white, is rounding error.
    let scale = [r, g, b].map { ($0 * $0).sum().squareRoot() }.reduce(1, *)
    guard abs(primaries.determinant) > Self.least * scale,
      [shares.x, shares.y, shares.z].allSatisfy({ abs($0) > Self.least })
    else { return nil }
    let toXYZ = primaries * Matrix3x3(diagonal: shares)
    guard let fromXYZ = toXYZ.inverse else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    self.toXYZ = toXYZ
    self.fromXYZ = fromXYZ
  }

  private init(_ red: XY, _ green: XY, _ blue: XY, white: XY = (0.3127, 0.3290)) {
    func point(_ xy: XY) -> Chromaticity { Chromaticity(x: xy.x, y: xy.y) }
    self.init(red: point(red), green: point(green), blue: point(blue), white: point(white))!
  }

  /// The limit below which a value that is 0 for points on a line counts as 0.
  private static let least = 1e-12

  private typealias XY = (x: Double, y: Double)
}

extension RGBColorSpace {
  /// The primaries and white of sRGB and Rec. ITU-R BT.709; `white` is (0.3127, 0.3290).
  /// Source: IEC 61966-2-1:1999, table 1. Transfer function: `TransferFunction.sRGB` or `.bt709`.
  public static let sRGB = RGBColorSpace((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))

  /// Apple's Display P3: the primaries of `dciP3` with the white of sRGB. Source: SMPTE EG
  /// 432-1:2010, P3 with D65; W3C CSS Color 4 §10. Transfer function: `TransferFunction.sRGB`.
  public static let displayP3 = RGBColorSpace((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))

  /// Adobe RGB (1998). Source: Adobe RGB (1998) Color Image Encoding, 2005-05, §4.2; IEC 61966-2-5.
  /// Transfer function: `TransferFunction.gamma(563.0 / 256)`.
  public static let adobeRGB1998 = RGBColorSpace((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))

  /// ROMM RGB, known as ProPhoto RGB, with a white of (0.3457, 0.3585): D50.
  /// Source: ISO 22028-2:2013, table 1. Its transfer function, a power of 1.8 with a straight toe,
  /// is not among those of `TransferFunction`.
  public static let proPhoto = RGBColorSpace(
    (0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), white: (0.3457, 0.3585))

  /// Rec. ITU-R BT.2020 and BT.2100.
  /// Source: BT.2020-2 (2015), table 3. Transfer function of BT.2020: `TransferFunction.bt709`.
  public static let bt2020 = RGBColorSpace((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))

  /// The 525-line system of Rec. ITU-R BT.601: the primaries of SMPTE C. Source: BT.601-7 (2011),
  /// table 1; SMPTE ST 170:2004. Transfer function: `TransferFunction.bt709`.
  public static let bt601Lines525 = RGBColorSpace((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))

  /// The 625-line system of Rec. ITU-R BT.601: the primaries of EBU Tech. 3213.
  /// Source: BT.601-7 (2011), table 1. Transfer function: `TransferFunction.bt709`.
  public static let bt601Lines625 = RGBColorSpace((0.640, 0.330), (0.290, 0.600), (0.150, 0.060))

  /// Digital cinema's P3, with its greenish white of (0.314, 0.351). Source: SMPTE RP 431-2:2011.
  /// Transfer function: `TransferFunction.gamma(2.6)`.
  public static let dciP3 = RGBColorSpace(
    (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))

  /// ACES2065-1, with the primaries AP0, which enclose the spectral locus; linear. Source: SMPTE ST
  /// 2065-1:2021.
  public static let aces2065 = RGBColorSpace(
    (0.7347, 0.2653), (0, 1), (0.0001, -0.0770), white: (0.32168, 0.33767))

  /// ACEScg, with the primaries AP1; linear. Source: Academy S-2014-004.
  public static let acescg = RGBColorSpace(
    (0.713, 0.293), (0.165, 0.830), (0.128, 0.044), white: (0.32168, 0.33767))
}
