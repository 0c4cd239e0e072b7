/// The columns of a table that `convert` reads, and those that it copies. It is a class because a
/// million rows refer to it.
final class RowColumns: Sendable {
  /// The columns of the numbers, in the order of the coordinates.
  let numbers: [Int]
  /// The columns that are copied, and their names.
  let others: [Int]
  let otherNames: [Substring]
  /// The number of columns.
  let count: Int
  /// `true` if a header named them.
  let areNamed: Bool

  /// Creates the columns of a table without a header.
  init(of kind: LightCoordinates, areNamed: Bool = false) {
    count = kind.columns.count
    numbers = Array(0..<count)
    others = []
    otherNames = []
    self.areNamed = areNamed
  }

  /// Indicates whether a row contains a known name. If it also contains a number, it is not a
  /// header.
  static func haveName(_ fields: [Substring]) -> Bool {
    fields.contains { LightQuantity.isColumnName($0) }
  }

  /// Finds the columns that a header names.
  ///
  /// - Throws: the reason that these are not, or may not be, the columns of the coordinates.
  init(header names: [Substring], of kind: LightCoordinates) throws(Converter.RowError) {
    let quantities = names.map { LightQuantity(columnName: $0) }
    if names.contains(where: { $0.utf8.contains(0) }) {
      throw Converter.RowError(description: "the header contains a NUL")
    }
    let shown = names.joined(separator: ",").prefix(200)
    func refusal(_ text: String) -> Converter.RowError {
      Converter.RowError(description: "the header is \(shown), and \(text)")
    }
    var found: [Int] = []
    for wanted in kind.quantities {
      var columns = names.indices.filter { quantities[$0] == wanted }
      // In addition to x and y, Y is the luminance.
      if columns.count > 1 { columns.removeAll { names[$0].contains(where: \.isUppercase) } }
      guard columns.count < 2 else { throw refusal("names \(wanted.rawValue) twice") }
      guard let column = columns.first else {
        if kind == .uv, quantities.contains(.uPrime) {
          throw refusal("u' and v' are those of CIE 1976: use u = u' and v = 2/3 v' of CIE 1960")
        }
        let fitting = LightCoordinates.allCases.filter { other in
          other != .cct && other.quantities.allSatisfy { quantities.contains($0) }
        }
        let isKelvin = quantities.contains(.kelvin) && fitting.isEmpty
        let other = (isKelvin ? [.cct] : fitting).map { "--from \($0.rawValue)" }
        throw refusal(
          "--from \(kind.rawValue) requires a column \(wanted.rawValue)"
            + (other.isEmpty ? "" : ": use " + other.joined(separator: " or ")))
      }
      found.append(column)
    }
    let named = found.map { names[$0] }
    func has(_ letters: String...) -> Bool { names.contains { letters.contains(String($0)) } }
    if kind == .xy, named == ["X", "Y"] ? has("Z") : named == ["x", "Y"] || named == ["X", "y"] {
      throw refusal("X, Y and Z are tristimulus values: use x = X / (X + Y + Z) and y likewise")
    }
    if kind == .uv, named == ["U", "V"] ? has("Y", "W", "L") : has("L", "L*", "l") {
      throw refusal("u and v with another coordinate may be those of another color space")
    }
    if kind == .cct,
      let off = ([.duv, .tint] as [LightQuantity]).first(where: { quantities.contains($0) })
    {
      let better: LightCoordinates = off == .duv ? .cctDuv : .temperatureTint
      throw refusal(
        "--from cct would ignore \(off.rawValue): use --from \(better.rawValue), or drop the "
          + "column")
    }
    numbers = found
    others = names.indices.filter { !found.contains($0) }
    otherNames = others.map { names[$0] }
    count = names.count
    areNamed = true
  }
}
