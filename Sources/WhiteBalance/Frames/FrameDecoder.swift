/// Decodes the pictures of a camera that compresses each of them by itself, as Motion JPEG does.
///
/// A port is given a decoder where it may meet such pictures, so that it needs no library of
/// pictures itself, and calls it only for frames that somebody looks at.
public protocol FrameDecoder: Sendable {
  /// The layout of the frame that a picture becomes, from the picture's header alone: it costs next
  /// to nothing beside decoding.
  func layout(of picture: Span<UInt8>) throws(FrameDecodingError) -> FrameLayout

  /// Decodes a picture into the bytes of a frame, as many as its layout needs, which `layout(of:)`
  /// told.
  ///
  /// - Throws: what is wrong; the frame's bytes mean nothing then.
  func decode(
    _ picture: Span<UInt8>, layout: FrameLayout, into frame: inout MutableSpan<UInt8>
  ) throws(FrameDecodingError)
}

/// Why a picture could not be decoded.
public enum FrameDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is cut off, or contradicts itself; the next one may be whole.
  case damaged(String)
  /// It is of a kind that is not decoded, as the others of its camera will be.
  case unsupported(String)

  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .damaged(let words), .unsupported(let words): words
    }
  }
}
