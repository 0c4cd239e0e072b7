import ColorScience
import WbcalImageFiles
import WhiteBalance

/// The assumption that a picture's codes are those of sRGB, made because nothing states how they
/// are coded, and how likely it is.
struct AssumedCurve: Sendable {
  /// `true` if most of the picture is so dark that it may be linear.
  let isDoubtful: Bool
  /// `true` if the samples have more than 8 bits, as linear ones have.
  let isDeep: Bool

  /// Returns `nil` if the file or the user states the curve.
  init?(
    of colors: ColorStatement, named: TransferFunction?, _ layout: FrameLayout,
    _ pixels: Span<UInt8>
  ) {
    guard named == nil, colors.isCurveAssumed else { return nil }
    self.init(of: colors, named: named, layout, isDoubtful: layout.looksLinear(pixels))
  }

  /// Creates the assumption without reading the picture's pixels.
  init?(
    of colors: ColorStatement, named: TransferFunction?, _ layout: FrameLayout,
    isDoubtful: @autoclosure () -> Bool = false
  ) {
    guard named == nil, colors.isCurveAssumed else { return nil }
    self.isDoubtful = isDoubtful()
    isDeep = layout.format.bytesPerSample > 1
  }

  /// `true` if the codes may be linear: developed pictures are rarely as deep or as dark.
  var mayBeLinear: Bool { isDoubtful || isDeep }

  /// The doubt as a clause; `nil` without a doubt.
  var doubt: String? {
    isDoubtful ? "most of it is so dark that its values may well be linear" : nil
  }

  /// A clause that states that the curve is assumed; `nil` if another curve is unlikely.
  var sentence: String? {
    guard mayBeLinear else { return nil }
    return "it states no transfer function and is read as sRGB"
      + (doubt.map { ", though \($0)" } ?? "") + "; --transfer linear reads it as linear"
  }

  /// Remarks that the curve is assumed, if it may be another.
  func say(about path: String) {
    if let sentence { remark("\(shown(path)): \(sentence).") }
  }
}

extension FrameLayout {
  /// Indicates whether the median of the brightest channel is below an eighth of the range although
  /// the picture has highlights. This is typical of linear values, where medium gray is 18 %, but
  /// not of sRGB, which stores medium gray as 46 %.
  func looksLinear(_ bytes: Span<UInt8>) -> Bool {
    let size = format.bytesPerSample
    let count = format.samplesPerPixel
    guard count >= 3, size <= 2, bytes.count >= byteCount else { return false }
    var codes: [Int] = []
    // Some 10 000 pixels are enough.
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
