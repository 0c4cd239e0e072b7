package import ColorScience

/// What LibRaw knows of a camera's colors.
package struct CameraColors: Sendable {
  /// The sensor's response, its black level subtracted, to linear sRGB; `nil` for a camera without
  /// a color matrix.
  ///
  /// The matrix is the file's own in a DNG file, else LibRaw's for the camera.
  package var responseToSRGB: Matrix3x3?
}
