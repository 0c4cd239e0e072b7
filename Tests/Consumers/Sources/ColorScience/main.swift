import ColorScience

guard let light = TemperatureAndTint(Chromaticity(x: 0.3127, y: 0.3290)) else {
  fatalError("D65 has a temperature")
}
precondition(abs(light.temperature - 6504.345) < 1e-3)
