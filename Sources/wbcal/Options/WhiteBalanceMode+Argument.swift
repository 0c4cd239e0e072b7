public import WbcalArguments
public import CameraControl

// Its raw values are the words.
extension WhiteBalanceMode: ExpressibleByArgument {}
