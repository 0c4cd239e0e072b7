public import ArgumentParser
public import WhiteBalance

extension LightClass: ExpressibleByArgument {}
