/// The names an option or flag goes by.
public struct NameSpecification: Sendable, ExpressibleByArrayLiteral {
  /// One way to name an option or flag.
  public struct Element: Sendable, Hashable {
    enum Base: Hashable {
      case long, short
      case customLong(String)
      case customShort(Character)
    }

    let base: Base

    /// The property's name in kebab case, after two dashes.
    public static var long: Element { Element(base: .long) }

    /// The first character of the property's name, after one dash.
    public static var short: Element { Element(base: .short) }

    /// The given name, after two dashes.
    public static func customLong(_ name: String) -> Element {
      Element(base: .customLong(name))
    }

    /// The given character, after one dash.
    public static func customShort(_ character: Character) -> Element {
      Element(base: .customShort(character))
    }
  }

  let elements: [Element]

  /// Creates a specification from several names.
  public init(arrayLiteral elements: Element...) {
    self.elements = elements
  }

  /// The property's name in kebab case, after two dashes.
  public static var long: NameSpecification { [.long] }

  /// The first character of the property's name, after one dash.
  public static var short: NameSpecification { [.short] }

  /// Both the long and the short name.
  public static var shortAndLong: NameSpecification { [.long, .short] }

  /// The given name, after two dashes.
  public static func customLong(_ name: String) -> NameSpecification { [.customLong(name)] }

  /// The given character, after one dash.
  public static func customShort(_ character: Character) -> NameSpecification {
    [.customShort(character)]
  }

  func names(forProperty property: String) -> [Name] {
    elements.flatMap { element -> [Name] in
      switch element.base {
      case .long: [.long(property.kebabCased)]
      case .short: property.first.map { [.short($0)] } ?? []
      case .customLong(let name): [.long(name)]
      case .customShort(let character): [.short(character)]
      }
    }
  }
}

/// A name as it is typed.
enum Name: Hashable {
  case long(String)
  case short(Character)

  var isShort: Bool {
    if case .short = self { true } else { false }
  }

  var withoutDashes: String {
    switch self {
    case .long(let name): name
    case .short(let character): String(character)
    }
  }

  /// The name with its dashes.
  var spelling: String { (isShort ? "-" : "--") + withoutDashes }
}

extension String {
  /// `maxCount` as `max-count`, `RawURLReader` as `raw-url-reader`.
  var kebabCased: String {
    let characters = Array(self)
    var result = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let afterLowercase = !characters[index - 1].isUppercase
        let beforeLowercase = index + 1 < characters.count && characters[index + 1].isLowercase
        if result.last != "-", afterLowercase || beforeLowercase { result += "-" }
      }
      result += character == "_" ? "-" : character.lowercased()
    }
    return result
  }
}
