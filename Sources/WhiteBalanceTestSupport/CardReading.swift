public import ColorScience
public import WhiteBalance

/// A function that tells what a camera's channels make of the surface that a frame shows.
public struct CardReading: Sendable {
  /// The function, with a frame that shows one surface; `nil` where the frame does not tell,
  /// because it is clipped say. Only ratios count.
  public var response: @Sendable (Frame) -> LinearRGB?
  /// The formats that it claims to read.
  public var formats: [PixelFormat]

  /// A function of our types.
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

  /// Black and white levels, curves, orders of channels, gaps between rows are heeded.
  public static let cardsAreRead = Law(
    "cards are read", "red/green and blue/green of an even surface are those that it has",
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
      : "red, green, blue are read as \(found.red), \(found.green), \(found.blue): \(largest) off, "
        + "relatively, of at most \(card.ratioTolerance)"
  }

  /// A channel that is cut off tells no ratio.
  public static let clippedCardsAreRefused = Law(
    "clipped cards are refused", "a surface of which a channel is clipped gets no answer",
    for: { subject in
      let formats = subject.formats.filter {
        // What luma and chroma make of one clipped channel cannot be told from an unclipped one.
        if case .subsampled = $0.arrangement { false } else { true }
      }
      return zip(cards(of: formats), .element(of: ColorChannel.allCases)).map { card, channel in
        guard let card else { return nil }
        var light = card.response
        switch channel {
        case .red: light.red = 1.5
        case .green: light.green = 1.5
        case .blue: light.blue = 1.5
        }
        return CardFrame(layout: card.layout, response: light, noise: card.noise)
      }
    }
  ) { (subject: CardReading, card: CardFrame?) in
    guard let card, let found = subject.response(card.frame) else { return nil }
    return "red, green, blue are read as \(found.red), \(found.green), \(found.blue)"
  }

  /// None where there is no format in which a card has a color.
  private static func cards(of formats: [PixelFormat]) -> Generator<CardFrame?> {
    let colored = formats.filter { $0.arrangement != .gray }
    return colored.isEmpty
      ? .just(nil) : Generator<CardFrame>.cards(of: colored).map { Optional($0) }
  }
}
