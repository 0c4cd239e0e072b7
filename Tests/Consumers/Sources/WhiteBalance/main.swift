import WhiteBalance

let gains = try Gains(red: 0.9, green: 0.6, blue: 1.2).normalized(to: .smallest).validated(
  in: 1...4)
precondition(gains == Gains(red: 1.5, green: 1, blue: 2))
do {
  _ = try gains.validated(in: 1...1.8)
  fatalError("blue is out of range")
} catch {
  print(error)
}
