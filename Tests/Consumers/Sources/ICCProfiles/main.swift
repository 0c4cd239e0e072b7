import ICCProfiles

let difference = NeutralDifference(linearSRGB: .init(red: 0.2, green: 0.2, blue: 0.2))
precondition(difference.ciede2000 < 1e-4)
