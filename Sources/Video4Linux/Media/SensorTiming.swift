import CWbcalVideo4Linux
import WhiteBalance

/// The times of a sensor's lines and frames.
///
/// A line takes the pixels of a row and the horizontal blanking, divided by the pixel rate; a frame
/// takes the rows and the vertical blanking in lines (the kernel's documentation of camera
/// sensors).
struct SensorTiming: Hashable {
  /// The size of the pictures that leave the sensor, in pixels.
  var width: Int
  var height: Int
  /// The blanking of a line in pixels, and of a frame in lines.
  var horizontalBlanking: Int
  var verticalBlanking: Int
  /// The pixels that the sensor reads in a second.
  var pixelRate: Int64

  /// The duration of a line in seconds.
  var lineTime: Double { Double(width + horizontalBlanking) / Double(pixelRate) }

  /// The rate of the sensor's frames.
  var frameRate: FrameRate {
    FrameRate(
      frames: Int(pixelRate),
      seconds: max((width + horizontalBlanking) * (height + verticalBlanking), 1))
  }

  /// Indicates whether the values of an exposure control can be lines: an exposure ends with its
  /// frame, so larger values than a frame's lines are in another unit.
  func countsLines(to maximum: Int) -> Bool { maximum <= height + verticalBlanking }

  /// Reads the timing of a sub-device from its controls and the format at a pad
  /// (VIDIOC_G_EXT_CTRLS, VIDIOC_SUBDEV_G_FMT); `nil` if one of them is not known.
  init?(_ handle: any DeviceHandle, pad: UInt32) {
    var format = v4l2_subdev_format()
    format.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
    format.pad = pad
    guard handle.perform(CV4L_SUBDEV_G_FMT, on: &format) >= 0,
      let horizontal = Self.value(of: V4L2_CID_HBLANK, handle),
      let vertical = Self.value(of: V4L2_CID_VBLANK, handle),
      let rate = Self.value(of: V4L2_CID_PIXEL_RATE, handle), rate > 0, format.format.width > 0
    else { return nil }
    (width, height) = (Int(format.format.width), Int(format.format.height))
    (horizontalBlanking, verticalBlanking) = (Int(horizontal), Int(vertical))
    pixelRate = rate
  }

  init(
    width: Int, height: Int, horizontalBlanking: Int, verticalBlanking: Int, pixelRate: Int64
  ) {
    self.width = width
    self.height = height
    self.horizontalBlanking = horizontalBlanking
    self.verticalBlanking = verticalBlanking
    self.pixelRate = pixelRate
  }

  /// Returns the value of a control, which may have 64 bits.
  private static func value(of number: Int32, _ handle: any DeviceHandle) -> Int64? {
    var query = v4l2_query_ext_ctrl()
    query.id = number.bits
    guard handle.perform(CV4L_QUERY_EXT_CTRL, on: &query) >= 0 else { return nil }
    var control = unsafe v4l2_ext_control()
    unsafe control.id = number.bits
    let result = unsafe withUnsafeMutablePointer(to: &control) { pointer in
      var argument = unsafe v4l2_ext_controls()
      unsafe argument.count = 1
      unsafe argument.controls = pointer
      return unsafe handle.perform(CV4L_G_EXT_CTRLS, on: &argument)
    }
    guard result >= 0 else { return nil }
    return query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
      ? unsafe control.value64 : Int64(unsafe control.value)
  }
}
