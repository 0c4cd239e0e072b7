import WbcalImageFiles

let seeds = fixtures(endingIn: ".ppm")

func test(_ bytes: [UInt8]) { decode(bytes, as: .pnm) }
