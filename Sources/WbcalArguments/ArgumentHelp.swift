/// The help text of an argument.
public struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  /// The one-line description, shown beside the argument's label.
  public var abstract: String

  /// Further text, shown below the abstract.
  public var discussion: String

  /// The name of the argument's value, or `nil` to derive it from the argument's own name.
  public var valueName: String?

  /// Whether help screens and completion scripts list the argument.
  public var visibility: ArgumentVisibility

  /// Creates help text.
  public init(
    _ abstract: String = "",
    discussion: String = "",
    valueName: String? = nil,
    visibility: ArgumentVisibility = .default
  ) {
    self.abstract = abstract
    self.discussion = discussion
    self.valueName = valueName
    self.visibility = visibility
  }

  /// Creates help text from an abstract alone.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

/// Where an argument is listed.
public enum ArgumentVisibility: Sendable, Hashable {
  /// Listed wherever arguments are.
  case `default`
  /// Accepted, but not listed.
  case hidden
  /// Accepted, but never listed.
  case `private`
}
