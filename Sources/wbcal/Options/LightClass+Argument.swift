public import WbcalArguments
public import WhiteBalance

extension LightClass: ExpressibleByArgument {}
