/// How an option finds its value.
public struct SingleValueParsingStrategy: Sendable, Hashable {
  let words: ValueWords

  /// Takes the next word, unless it starts with a dash.
  public static var next: SingleValueParsingStrategy {
    SingleValueParsingStrategy(words: .next)
  }

  /// Takes the next word, whatever it is.
  public static var unconditional: SingleValueParsingStrategy {
    SingleValueParsingStrategy(words: .unconditional)
  }
}

/// How a repeatable option finds its values.
public struct ArrayParsingStrategy: Sendable, Hashable {
  let words: ValueWords

  /// Takes one word each time the option is given, unless it starts with a dash.
  public static var singleValue: ArrayParsingStrategy {
    ArrayParsingStrategy(words: .next)
  }

  /// Takes one word each time the option is given, whatever it is.
  public static var unconditionalSingleValue: ArrayParsingStrategy {
    ArrayParsingStrategy(words: .unconditional)
  }

  /// Takes all words up to the next one that starts with a dash.
  public static var upToNextOption: ArrayParsingStrategy {
    ArrayParsingStrategy(words: .upToNextOption)
  }
}

/// The words after an option's name that are its values.
enum ValueWords {
  case next, unconditional, upToNextOption
}
