extension Array {
  /// Returns one point for each value, in rising order; `mean` averages a property over the points
  /// of that value.
  package func averaged(
    by value: (Element) -> Int, _ point: (Int, _ mean: ((Element) -> Double) -> Double) -> Element
  ) -> [Element] {
    let groups = Dictionary(grouping: self, by: value).sorted { $0.key < $1.key }
    return groups.map { value, points -> Element in
      point(value) { property in points.reduce(0.0) { $0 + property($1) } / Double(points.count) }
    }
  }

  /// The errors of each point except the first and the last, relative to a prediction from the
  /// others.
  func leaveOneOut(_ errors: (Element, _ others: [Element]) -> [Double]) -> [Double] {
    indices.dropFirst().dropLast().flatMap { index in
      var others = self
      let point = others.remove(at: index)
      return errors(point, others)
    }
  }
}

/// The root mean square; 0 if there are no numbers.
func rootMeanSquare(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
}
