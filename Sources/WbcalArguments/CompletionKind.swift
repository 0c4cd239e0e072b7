/// How a shell completes an argument's value.
public struct CompletionKind: Sendable {
  enum Base {
    case `default`, directory
    case list([String])
    case file(extensions: [String])
  }

  let base: Base

  /// The values the argument's type lists, or none.
  public static var `default`: CompletionKind { CompletionKind(base: .default) }

  /// One of the given words.
  public static func list(_ words: [String]) -> CompletionKind {
    CompletionKind(base: .list(words))
  }

  /// A file, of one of the given extensions if there are any.
  public static func file(extensions: [String] = []) -> CompletionKind {
    CompletionKind(base: .file(extensions: extensions))
  }

  /// A directory.
  public static var directory: CompletionKind { CompletionKind(base: .directory) }
}

/// A shell for which completion scripts can be written.
public struct CompletionShell: RawRepresentable, Sendable, Hashable, CaseIterable {
  /// The shell's name.
  public let rawValue: String

  /// Creates a shell from its name, or returns `nil` for an unsupported one.
  public init?(rawValue: String) {
    guard ["zsh", "bash", "fish"].contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ name: String) { rawValue = name }

  /// The Z shell.
  public static var zsh: CompletionShell { CompletionShell("zsh") }

  /// The Bourne-again shell.
  public static var bash: CompletionShell { CompletionShell("bash") }

  /// The friendly interactive shell.
  public static var fish: CompletionShell { CompletionShell("fish") }

  /// All supported shells.
  public static var allCases: [CompletionShell] { [.zsh, .bash, .fish] }
}
