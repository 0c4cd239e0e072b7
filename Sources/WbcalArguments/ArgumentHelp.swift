/// The help text of an argument.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  let abstract: String
  let valueName: String?

  /// Creates help text.
  ///
  /// - Parameters:
  ///   - abstract: the description, shown beside the argument's label.
  ///   - valueName: the name of the argument's value, or `nil` to derive it from the argument's
  ///     own name.
  package init(_ abstract: String = "", valueName: String? = nil) {
    self.abstract = abstract
    self.valueName = valueName
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }
}
