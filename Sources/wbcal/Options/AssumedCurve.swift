import ColorScience
import WbcalImageFiles
import WhiteBalance

/// That nothing says how a picture's numbers are coded, so that they are taken for those of sRGB,
/// and whether they look like it.
struct AssumedCurve: Sendable {
  /// Whether most of the picture is so dark that it may well be linear.
  let isDoubtful: Bool
  /// Whether its samples have more than 8 bits, as linear ones have.
  let isDeep: Bool

  /// `nil` where the file, or whoever runs the command, says it.
  init?(
    of colors: ColorStatement, named: TransferFunction?, _ layout: FrameLayout,
    _ pixels: Span<UInt8>
  ) {
    guard named == nil, colors.isCurveAssumed else { return nil }
    self.init(of: colors, named: named, layout, isDoubtful: layout.looksLinear(pixels))
  }

  /// The same of a picture that is not looked at.
  init?(
    of colors: ColorStatement, named: TransferFunction?, _ layout: FrameLayout,
    isDoubtful: @autoclosure () -> Bool = false
  ) {
    guard named == nil, colors.isCurveAssumed else { return nil }
    self.isDoubtful = isDoubtful()
    isDeep = layout.format.bytesPerSample > 1
  }

  /// Whether numbers may as well be linear: developed pictures are rarely as deep or as dark.
  var mayBeLinear: Bool { isDoubtful || isDeep }

  /// The doubt in a sentence; `nil` without one.
  var doubt: String? {
    isDoubtful ? "most of it is so dark that its numbers may well be linear" : nil
  }

  /// That the curve is assumed, in a sentence; `nil` where it hardly is another.
  var sentence: String? {
    guard mayBeLinear else { return nil }
    return "nothing says how its numbers are coded, and it is read as sRGB"
      + (doubt.map { ", though \($0)" } ?? "") + "; --transfer linear reads it as linear"
  }

  /// Says that the curve is assumed, where it may be another.
  func say(about path: String) {
    if let sentence { remark("\(shown(path)): \(sentence).") }
  }
}

extension FrameLayout {
  /// Whether the typical brightest channel of a picture is below an eighth of the range, though it
  /// has highlights: as of linear light, of which 18 % is medium gray, and not of sRGB, which
  /// stores that as 46 %.
  func looksLinear(_ bytes: Span<UInt8>) -> Bool {
    let size = format.bytesPerSample
    let count = format.samplesPerPixel
    guard count >= 3, size <= 2, bytes.count >= byteCount else { return false }
    var codes: [Int] = []
    // Some 10 000 pixels tell.
    let step = max(1, Int((Double(width * height) / 10_000).squareRoot()))
    for row in stride(from: 0, to: height, by: step) {
      for column in stride(from: 0, to: width, by: step) {
        let place = row * bytesPerRow + column * count * size
        let samples = (0..<3).map { channel in
          let start = place + channel * size
          return size == 2 ? Int(bytes[start]) | Int(bytes[start + 1]) << 8 : Int(bytes[start])
        }
        codes.append(samples.max()!)
      }
    }
    guard codes.count >= 100 else { return false }
    codes.sort()
    let (low, high) = (codes[codes.count / 2], codes[codes.count * 99 / 100])
    return Double(low) < whiteLevel / 8 && Double(high) > whiteLevel / 3
  }
}
