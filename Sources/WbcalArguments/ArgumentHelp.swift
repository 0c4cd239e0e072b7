/// The help text of an argument.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  let abstract: String
  /// The name of the value; `nil` to derive it from the argument's own name.
  let valueName: String?

  package init(_ abstract: String = "", valueName: String? = nil) {
    self.abstract = abstract
    self.valueName = valueName
  }

  package init(stringLiteral value: String) { self.init(value) }
}
