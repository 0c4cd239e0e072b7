public import WbcalArguments
public import ColorScience

// Its raw values are the words.
extension LightingPreset: ExpressibleByArgument {}
