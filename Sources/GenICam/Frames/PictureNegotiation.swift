#if GenICam
import CWbcalAravis
import CameraControl
import WhiteBalance

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
    try verify(request, chosen)
    return chosen
  }

  /// Throws if the camera has another size or rate than one that is required.
  private func verify(
    _ request: PictureRequest, _ format: NamedPixelFormat
  ) throws(CameraError) {
    if request.required.contains(.size) {
      let (width, height) = (try side("Width"), try side("Height"))
      if request.width ?? width != width || request.height ?? height != height {
        throw .noFormat(
          camera: device.name,
          asked: "\(request.width ?? width)x\(request.height ?? height) as \(format.name)",
          offered: [try sizes().description])
      }
    }
    guard request.required.contains(.rate), let wanted = request.framesPerSecond else { return }
    let camera = unsafe device.camera
    let reached = try unsafe device.perform("reading the frame rate") {
      unsafe arv_camera_get_frame_rate(camera, $0)
    }
    if abs(reached - wanted) > 0.01 * wanted {
      let listed = rates.description
      throw .noFormat(
        camera: device.name, asked: "\(OfferedFormat.Rates.text(wanted)) fps",
        offered: [listed.isEmpty ? "\(OfferedFormat.Rates.text(reached)) fps" : listed])
    }
  }

  /// Returns the formats that the camera offers. Sizes and rates are the same for all: GenICam's
  /// bounds hold for the present settings.
  func offeredFormats() throws(CameraError) -> [OfferedFormat] {
    let sizes = [try sizes()]
    return try device.required { () throws(AravisError) in
      try device.choices(of: "PixelFormat").map { name in
        OfferedFormat(
          name: name, isReadable: NamedPixelFormat(named: name) != nil, sizes: sizes)
      }
    }
  }

  private func sizes() throws(CameraError) -> OfferedFormat.Sizes {
    func sides(_ node: String) throws(CameraError) -> OfferedFormat.Side {
      try device.required { () throws(AravisError) in
        let (low, high) = try device.bounds(of: node, .integer)
        let step = max(device.increment(of: node, .integer) ?? 1, 1)
        func pixels(_ number: Double) -> Int { Int(min(max(number, 0), 1e6)) }
        return .init(pixels(low), through: pixels(high), by: pixels(step))
      }
    }
    return .init(width: try sides("Width"), height: try sides("Height"), rates: rates)
  }

  private func side(_ node: String) throws(CameraError) -> Int {
    try device.required { () throws(AravisError) in Int(try device.number(of: node, .integer)) }
  }

  /// The rates within the camera's present bounds, if it states them.
  private var rates: OfferedFormat.Rates {
    var (slow, fast) = (0.0, 0.0)
    let camera = unsafe device.camera
    let isKnown =
      (try? unsafe AravisError.check {
        unsafe arv_camera_get_frame_rate_bounds(camera, &slow, &fast, $0)
      }) != nil
    func rate(_ number: Double) -> FrameRate {
      FrameRate(frames: max(Int((1000 * number).rounded()), 1), seconds: 1000)
    }
    guard isKnown, slow >= 0, slow <= fast, fast > 0, fast < 1e6 else { return .list([]) }
    return .range(rate(slow), through: rate(fast))
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
