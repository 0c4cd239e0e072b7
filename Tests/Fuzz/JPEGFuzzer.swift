import WbcalImageFiles

let seeds = fixtures(endingIn: ".jpg")

func test(_ bytes: [UInt8]) { decode(bytes, as: .jpeg) }
