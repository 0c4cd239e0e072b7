import CalibrationTargets
import WhiteBalance

// A gray card of 60×40 pixels in the middle of a green background.
let layout = try FrameLayout(width: 120, height: 80, format: .rgb8)
var pixels: [UInt8] = []
for y in 0..<layout.height {
  for x in 0..<layout.width {
    let isCard = 30..<90 ~= x && 20..<60 ~= y
    pixels += isCard ? [100, 100, 100] : (x / 4 + y / 4) % 2 == 0 ? [25, 75, 25] : [10, 30, 10]
  }
}
let card = try CardFinder().card(in: Frame(layout: layout, bytes: pixels))
precondition(card.region.x >= 30 && card.region.width > 50)
