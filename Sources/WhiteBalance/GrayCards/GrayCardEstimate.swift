public import ColorScience

/// The gains from a gray card, their uncertainty, and the reasons not to trust them.
///
/// ```swift
/// func report(_ estimate: GrayCardEstimate) {
///   do {
///     let card = try estimate.accepted()
///     print("\(card.gains), give or take \(100 * card.standardError.larger) %")
///   } catch {
///     print(error)  // the card is clipped: 38 % of its green pixels are at the white level
///   }
/// }
/// ```
public struct GrayCardEstimate: Hashable, Sendable, Codable {
  /// The relative standard errors of gains, with green 1.
  public struct StandardError: Hashable, Sendable, Codable {
    /// The relative standard error of the red gain.
    public var red: Double
    /// The relative standard error of the blue gain.
    public var blue: Double

    /// The larger of the two.
    public var larger: Double { max(red, blue) }
  }

  /// The results of an estimate that can be trusted.
  public struct Accepted: Hashable, Sendable {
    /// The gains that make the card neutral, the smallest 1.
    public let gains: Gains
    /// The standard error of the gains.
    public let standardError: StandardError
    /// The mean linear response (red, green, blue), black 0 and white 1.
    public let response: LinearRGB
  }

  /// The mean linear response (red, green, blue), black 0 and white 1; zero if no pixel was usable.
  public let response: LinearRGB
  /// The gains that make the card neutral, the smallest 1; `nil` if no pixel was usable.
  public let gains: Gains?
  /// The counts of pixels.
  public let pixels: PixelCounts
  /// The variation of the brightness over the region: the range of the tiles' mean green between
  /// the 5th and 95th percentiles, relative to their mean.
  public let nonuniformity: Double
  /// The variation of the color over the region: the larger of the ranges of the tiles'
  /// ln(red/green) and ln(blue/green) between the 5th and 95th percentiles.
  public let colorVariation: Double
  /// The standard error of the gains.
  public let standardError: StandardError
  /// The reasons why the estimate cannot be trusted; empty if it can.
  public let refusals: [Refusal]
  /// The relative standard error of each channel that follows from the pixels' noise.
  package internal(set) var channelErrors = LinearRGB(.zero)

  /// `true` if the estimate can be trusted.
  public var isAccepted: Bool { refusals.isEmpty }

  /// `true` if the response is a fair mean of the region, whether or not it shows a card.
  public var isUsableAsMean: Bool {
    gains != nil
      && !refusals.contains {
        switch $0 {
        case .clipped, .saturated, .dark, .tooFewPixels: true
        case .uneven, .mixedColors, .coarse: false
        }
      }
  }

  /// Returns the gains and their error.
  ///
  /// - Throws: `GrayCardError` if the estimate cannot be trusted.
  public func accepted() throws(GrayCardError) -> Accepted {
    guard isAccepted else { throw GrayCardError(refusals: refusals) }
    guard let gains else {
      // The mean of a channel is not above black, although enough of its pixels are.
      let share = Double(pixels.dark) / Double(max(1, pixels.total))
      throw GrayCardError(refusals: [.dark(share: share)])
    }
    return Accepted(gains: gains, standardError: standardError, response: response)
  }

  /// A reason not to trust an estimate.
  public enum Refusal: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Too many pixels of the card are clipped; the share is that of the channel's pixels.
    case clipped(ColorChannel, share: Double)
    /// Too many pixels of a channel pile up at a code below the white level.
    case saturated(ColorChannel, code: Double, share: Double)
    /// Too many pixels are dark.
    case dark(share: Double)
    /// Too few pixels are usable.
    case tooFewPixels(used: Int, needed: Int)
    /// The brightness varies strongly and the color varies with it, as it does not on one surface.
    case uneven(nonuniformity: Double)
    /// The color varies too much to be one neutral surface under one light.
    case mixedColors(variation: Double)
    /// Compression limits the accuracy of a ratio of channels to this relative error.
    case coarse(error: Double)

    /// One sentence that states the reason.
    public var description: String { sentence(about: "the card") }

    /// Returns the sentence about an object other than a card.
    package func sentence(about name: String) -> String {
      switch self {
      case .clipped(let channel, let share):
        "\(name) is clipped: \(percent(share)) of its \(channel.rawValue) pixels are at the white level"
      case .saturated(let channel, let code, let share):
        "\(name) is saturated: \(percent(share)) of its \(channel.rawValue) pixels pile up at "
          + "\(fixed(code, decimals: 0)), below the white level"
      case .dark(let share):
        "\(name) is too dark: \(percent(share)) of its pixels are at the black level"
      case .tooFewPixels(let used, let needed):
        "only \(used) pixels of the region are usable; \(needed) are needed"
      case .uneven(let nonuniformity):
        "the brightness varies by \(percent(nonuniformity)) over the region, and the color with "
          + "it; the region must show one evenly lit card"
      case .mixedColors(let variation):
        "the color varies by \(percent(variation)) over the region; the region must show one "
          + "neutral card under one light"
      case .coarse(let error):
        "the picture is compressed so strongly that the color of \(name) is known only to "
          + "\(percent(error))"
      }
    }

    private func percent(_ share: Double) -> String {
      let value = share * 100
      return (value >= 99.5 || value < 10 ? shortNumber(value) : fixed(value, decimals: 0)) + " %"
    }
  }

  /// ln(red/green) and ln(blue/green) of the response; not finite if no pixel was usable.
  public var logRatios: SIMD2<Double> { response.logRatios }
}

extension GrayCardEstimate {
  /// Creates the mean of the estimates of several frames of one scene; if one is refused, so is the
  /// mean.
  ///
  /// The standard error is the mean of theirs: an error that the frames share, such as color that
  /// varies over the card, does not average out.
  ///
  /// - Precondition: there is at least one estimate.
  public init(averaging estimates: [GrayCardEstimate]) {
    precondition(!estimates.isEmpty, "`estimates` must not be empty")
    let count = Double(estimates.count)
    func mean(_ value: (GrayCardEstimate) -> Double) -> Double {
      estimates.reduce(0) { $0 + value($1) } / count
    }
    let response = LinearRGB(estimates.reduce(.zero) { $0 + $1.response.vector } / count)
    self.init(
      response: response,
      gains: estimates.allSatisfy { $0.gains != nil } ? Gains(neutralizing: response) : nil,
      pixels: estimates.reduce(into: PixelCounts.none) { $0 += $1.pixels },
      nonuniformity: mean(\.nonuniformity), colorVariation: mean(\.colorVariation),
      standardError: StandardError(
        red: mean(\.standardError.red), blue: mean(\.standardError.blue)),
      refusals: estimates.first { !$0.isAccepted }?.refusals ?? [])
  }
}

extension [GrayCardEstimate.Refusal] {
  /// All reasons as one text.
  public var sentence: String { map(\.description).joined(separator: "; ") }
}
