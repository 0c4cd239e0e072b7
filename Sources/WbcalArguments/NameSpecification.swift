/// The names of an option or flag.
package struct NameSpecification: Sendable {
  /// Returns the names for a property, the short one first.
  let names: @Sendable (_ property: String) -> [Name]

  /// The property's name in kebab case, after two dashes.
  package static let long = NameSpecification { [.long($0.kebabCased)] }

  /// The first character of the property's name, after one dash, and the long name.
  package static let shortAndLong = NameSpecification {
    $0.prefix(1).map(Name.short) + [.long($0.kebabCased)]
  }

  /// Returns a given name, after two dashes.
  package static func customLong(_ name: String) -> NameSpecification {
    NameSpecification { _ in [.long(name)] }
  }
}

/// A name as typed on the command line.
enum Name: Hashable {
  case long(String)
  case short(Character)

  var isShort: Bool { if case .short = self { true } else { false } }

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
  /// The text in kebab case: `maxCount` as `max-count`, `RawURLReader` as `raw-url-reader`.
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
