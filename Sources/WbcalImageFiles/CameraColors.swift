package import ColorScience

/// The colors of a camera, as far as LibRaw knows them.
package struct CameraColors: Sendable {
  /// The matrix from the sensor's response, without its black level, to linear sRGB; `nil` for a
  /// camera without a color matrix.
  ///
  /// The matrix is the file's own in a DNG file, or else LibRaw's for the camera.
  package var responseToSRGB: Matrix3x3?
}
