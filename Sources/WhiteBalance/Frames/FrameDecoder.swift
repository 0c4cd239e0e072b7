/// A decoder for a camera that compresses each picture by itself, as in Motion JPEG.
///
/// A port receives a decoder if it may meet such pictures, so that it needs no image library of its
/// own. It calls the decoder only for frames that are used.
public protocol FrameDecoder: Sendable {
  /// Returns the layout of the decoded frame from the picture's header alone, at almost no cost
  /// compared with decoding.
  func layout(of picture: Span<UInt8>) throws(FrameDecodingError) -> FrameLayout

  /// Decodes a picture into the bytes of a frame, as many as its layout needs.
  ///
  /// - Parameters:
  ///   - picture: the compressed picture.
  ///   - layout: the layout that `layout(of:)` returned.
  ///   - frame: the bytes of the frame; their values are undefined after an error.
  /// - Throws: The reason why the picture cannot be decoded.
  func decode(
    _ picture: Span<UInt8>, layout: FrameLayout, into frame: inout MutableSpan<UInt8>
  ) throws(FrameDecodingError)
}

/// The reason why a picture could not be decoded.
public enum FrameDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The picture is cut off or contradicts itself; the next one may be whole.
  case damaged(String)
  /// The picture is of a kind that is not supported, and so are the others of its camera.
  case unsupported(String)

  /// The reason in a few words.
  public var description: String {
    switch self {
    case .damaged(let words), .unsupported(let words): words
    }
  }
}
