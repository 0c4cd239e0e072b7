#if GenICam
import CWbcalAravis
import CameraControl

/// Sets the pictures of a camera.
struct PictureNegotiation {
  let device: AravisDevice

  /// Sets what a request names, and returns the pixel format.
  func format(for request: PictureRequest) throws(CameraError) -> NamedPixelFormat {
    let present = try device.required { () throws(AravisError) in
      try device.text(of: "PixelFormat")
    }
    let chosen = try choice(request.pixelFormat, present: present)
    let camera = unsafe device.camera
    if chosen.name != present {
      try unsafe device.perform("setting PixelFormat") {
        unsafe arv_camera_set_pixel_format_from_string(camera, chosen.name, $0)
      }
    }
    if let width = request.width { try setSide("Width", width) }
    if let height = request.height { try setSide("Height", height) }
    if let rate = request.framesPerSecond {
      try unsafe device.perform("setting the frame rate") {
        unsafe arv_camera_set_frame_rate(camera, rate, $0)
      }
    }
    return chosen
  }

  private func choice(
    _ wanted: String?, present: String
  ) throws(CameraError) -> NamedPixelFormat {
    let offered = try device.required { () throws(AravisError) in
      try device.choices(of: "PixelFormat")
    }
    if let wanted {
      if offered.contains(wanted), let format = NamedPixelFormat(named: wanted) { return format }
    } else {
      if let format = NamedPixelFormat(named: present), format.hasColor { return format }
      if let best = NamedPixelFormat.all.first(where: { offered.contains($0.name) }) {
        return best
      }
    }
    throw .noFormat(camera: device.name, asked: wanted, offered: offered)
  }

  /// Sets a side of the picture to the nearest number that the camera has.
  private func setSide(_ node: String, _ pixels: Int) throws(CameraError) {
    try device.required { () throws(AravisError) in
      let (low, high) = try device.bounds(of: node, .integer)
      let step = max(device.increment(of: node, .integer) ?? 1, 1)
      let steps = ((Double(pixels) - low) / step).rounded()
      let last = ((high - low) / step).rounded(.down)
      try device.set(low + step * min(max(steps, 0), last), of: node, .integer)
    }
  }
}
#endif
