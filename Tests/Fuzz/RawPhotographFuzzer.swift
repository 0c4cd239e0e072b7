import WbcalImageFiles

let seeds = fixtures(endingIn: ".dng")

func test(_ bytes: [UInt8]) { decode(bytes, as: .raw) }
