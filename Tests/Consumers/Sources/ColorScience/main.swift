import ColorScience

let white = Chromaticity(x: 0.3127, y: 0.3290)
guard let light = TemperatureAndTint(white) else { fatalError("D65 has a temperature") }
precondition(abs(light.temperature - 6504.345) < 1e-3)
let back = Chromaticity(light)
precondition(abs(back.x - white.x) < 1e-14 && abs(back.y - white.y) < 1e-14)
