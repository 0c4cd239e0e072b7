public import ColorScience
public import WhiteBalance

/// A function under test that reads a camera's response to the surface that a frame shows.
public struct CardReading: Sendable {
  /// The response in a frame that shows one surface; `nil` if the frame does not determine it, for
  /// example because it is clipped. Only ratios matter.
  public var response: @Sendable (Frame) -> LinearRGB?
  /// The formats that the function claims to read.
  public var formats: [PixelFormat]

  /// Creates a subject from a function and the formats that it claims to read.
  public init(
    formats: [PixelFormat] = RenderedFrame.formats,
    response: @escaping @Sendable (Frame) -> LinearRGB?
  ) {
    self.response = response
    self.formats = formats
  }
}

extension Law<CardReading> {
  /// All laws of such functions.
  public static let all = [cardsAreRead, clippedCardsAreRefused]

  /// Black and white levels, transfer functions, orders of channels and gaps between rows are
  /// respected.
  public static let cardsAreRead = Law(
    "cards are read", "red/green and blue/green of a uniform surface are read correctly",
    for: { cards(of: $0.formats) }
  ) { subject, card in
    guard let card else { return nil }
    guard let found = subject.response(card.frame) else { return "no answer" }
    let error =
      (found.vector / found.green) / (card.response.vector / card.response.green)
      - SIMD3(repeating: 1)
    let largest = max(abs(error.x), abs(error.z))
    return largest <= card.ratioTolerance && error.x.isFinite && error.z.isFinite
      ? nil
      : "red, green, blue are read as \(found.red), \(found.green), \(found.blue): their ratios "
        + "have a relative error of \(largest); at most \(card.ratioTolerance) is allowed"
  }

  /// A clipped channel determines no ratio.
  public static let clippedCardsAreRefused = Law(
    "clipped cards are refused", "a surface with a clipped channel has no answer",
    for: { subject in
      let formats = subject.formats.filter {
        // In luma and chroma, one clipped channel looks like an unclipped one.
        if case .subsampled = $0.arrangement { false } else { true }
      }
      return zip(cards(of: formats), .element(of: ColorChannel.allCases)).map { card, channel in
        guard let card else { return nil }
        var response = card.response
        switch channel {
        case .red: response.red = 1.5
        case .green: response.green = 1.5
        case .blue: response.blue = 1.5
        }
        return CardFrame(layout: card.layout, response: response, noise: card.noise)
      }
    }
  ) { (subject: CardReading, card: CardFrame?) in
    guard let card, let found = subject.response(card.frame) else { return nil }
    return "red, green, blue are read as \(found.red), \(found.green), \(found.blue)"
  }

  /// Returns cards in the formats that have colors; none if no format has.
  private static func cards(of formats: [PixelFormat]) -> Generator<CardFrame?> {
    let colored = formats.filter { $0.arrangement != .gray }
    return colored.isEmpty
      ? .just(nil) : Generator<CardFrame>.cards(of: colored).map { Optional($0) }
  }
}
