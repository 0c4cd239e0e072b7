extension FixedWidthInteger {
  /// The bits of a constant that C declares as signed.
  var bits: UInt32 { UInt32(truncatingIfNeeded: self) }
}

/// Returns the text in an array of C characters, up to its end or the first zero.
func text<Characters>(of characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) {
    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
}
