import ColorScience

extension LinearRGB {
  /// CIEDE2000 of a gray card of this color from a neutral one as light as it.
  var differenceFromNeutral: Double {
    let lab = LabColor(LinearRGB(vector / green * 0.18), in: .sRGB)
    return lab.ciede2000(to: lab.neutral)
  }
}
