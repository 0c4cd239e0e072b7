public import ColorScience
public import WhiteBalance

/// An error in a picture that is to be written as a DNG file.
public enum DNGPictureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The frame does not have the bytes of its size.
  case frame(FrameError)
  /// The frame does not have the codes of a sensor: it is gray, luma and chroma, or not integers.
  case format(PixelFormat)
  /// The codes are not proportional to light.
  case nonlinear(TransferFunction)
  /// Black is negative, white is not above it, or white is beyond the largest code of the file.
  case levels(black: Double, white: Double)
  /// A field of the camera cannot be written.
  case camera(DNGProfileError)
  /// The value of a field is not allowed; it is given as text.
  case value(field: String, String)
  /// The offsets of a DNG file, of 32 bits, do not reach the end of the file.
  case tooLarge(bytes: Int)

  /// A sentence that states the error.
  public var description: String {
    switch self {
    case .frame(let error): "\(error)"
    case .format(let format):
      "a DNG file has the linear codes of a sensor, and a frame of the format \(format) does not"
    case .nonlinear(let transfer):
      "a DNG file has codes proportional to light, and these have the transfer function "
        + "\(transfer)"
    case .levels(let black, let white):
      "a DNG file cannot state the black level \(black) and the white level \(white)"
    case .camera(let error): "\(error)"
    case .value(let field, let value): "\(field) cannot be \(value)"
    case .tooLarge(let bytes): "a DNG file ends at 4 GiB, and this one would have \(bytes) bytes"
    }
  }
}
