extension Array {
  /// One point for each value, by rising value; `mean` is that of a property over its points.
  package func averaged(
    by value: (Element) -> Int, _ point: (Int, _ mean: ((Element) -> Double) -> Double) -> Element
  ) -> [Element] {
    Dictionary(grouping: self, by: value).sorted { $0.key < $1.key }.map { value, points in
      point(value) { property in points.reduce(0) { $0 + property($1) } / Double(points.count) }
    }
  }

  /// The errors of each point but the first and the last, from what the others say of it.
  func leaveOneOut(_ errors: (Element, _ others: [Element]) -> [Double]) -> [Double] {
    indices.dropFirst().dropLast().flatMap { index in
      var others = self
      let point = others.remove(at: index)
      return errors(point, others)
    }
  }
}

/// The root of the mean of the squares; 0 of no numbers.
func rootMeanSquare(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
}
