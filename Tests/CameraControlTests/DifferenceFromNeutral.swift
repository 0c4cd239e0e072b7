import ColorScience

extension LinearRGB {
  /// The CIEDE2000 difference between a gray card of this color and a neutral one of the same
  /// lightness.
  var differenceFromNeutral: Double {
    let lab = LabColor(LinearRGB(vector / green * 0.18), in: .sRGB)
    return lab.ciede2000(to: lab.neutral)
  }
}
