import ColorScience
import ICCProfiles

let profile = try ICCInputProfile(
  name: "desk", matrix: RGBColorSpace.sRGB.fromXYZ, light: StandardIlluminant.d65.chromaticity)
let bytes = try profile.encoded()
precondition(!bytes.isEmpty)
