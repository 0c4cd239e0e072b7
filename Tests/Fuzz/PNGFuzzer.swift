import WbcalImageFiles

let seeds = fixtures(endingIn: ".png")

func test(_ bytes: [UInt8]) { decode(bytes, as: .png) }
