import WbcalImageFiles

let seeds = fixtures(endingIn: ".tif")

func test(_ bytes: [UInt8]) { decode(bytes, as: .tiff) }
