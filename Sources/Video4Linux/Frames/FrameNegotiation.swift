import CWbcalVideo4Linux
import CameraControl
import Glibc
import WhiteBalance

/// Selects a format in which a driver's pictures can be read.
struct FrameNegotiation {
  let handle: any DeviceHandle
  let camera: String
  /// V4L2's interface that the driver has: that of single planes or of several.
  let type: v4l2_buf_type
  /// The timing of the sensor, if it is a sub-device: drivers of such cameras report no rates.
  private let sensor: SensorTiming?

  init(
    handle: any DeviceHandle, camera: String, sensor: SensorTiming? = nil
  ) throws(CameraError) {
    self.handle = handle
    self.camera = camera
    self.sensor = sensor
    var capability = v4l2_capability()
    try CameraError.check(
      handle.perform(CV4L_QUERYCAP, on: &capability), "VIDIOC_QUERYCAP", camera)
    type = DeviceAbilities(capability).bufferType ?? V4L2_BUF_TYPE_VIDEO_CAPTURE
  }

  /// Sets the format nearest to a request (VIDIOC_S_FMT), and returns the one that the driver
  /// agreed to.
  func format(for request: FormatRequest, decodes: Bool) throws(CameraError) -> DriverFormat {
    let offered = try offeredFormats()
    guard let choice = request.choice(of: offered, decodes: decodes) else {
      throw .noFormat(camera: camera, asked: request.fourCC, offered: offered.map(\.fourCC))
    }
    var format = unsafe v4l2_format()
    unsafe format.type = type.rawValue
    let hasPlanes = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
    if hasPlanes {
      unsafe format.fmt.pix_mp.width = UInt32(choice.size.width)
      unsafe format.fmt.pix_mp.height = UInt32(choice.size.height)
      unsafe format.fmt.pix_mp.pixelformat = code(fourCC: choice.fourCC)
      unsafe format.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
    } else {
      unsafe format.fmt.pix.width = UInt32(choice.size.width)
      unsafe format.fmt.pix.height = UInt32(choice.size.height)
      unsafe format.fmt.pix.pixelformat = code(fourCC: choice.fourCC)
      unsafe format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
      // Without this the driver may not report the meaning of its colors.
      unsafe format.fmt.pix.priv = V4L2_PIX_FMT_PRIV_MAGIC
    }
    try CameraError.check(unsafe handle.perform(CV4L_S_FMT, on: &format), "VIDIOC_S_FMT", camera)
    if let rate = request.framesPerSecond { setRate(rate) }
    let agreed =
      unsafe hasPlanes
      ? DriverFormat(format.fmt.pix_mp) : DriverFormat(format.fmt.pix)
    try verify(agreed, request, offered)
    return agreed
  }

  /// Throws if the driver has agreed to another size or rate than one that is required.
  private func verify(
    _ agreed: DriverFormat, _ request: FormatRequest, _ offered: [DriverOffer]
  ) throws(CameraError) {
    let size = "\(agreed.width)x\(agreed.height) as \(agreed.fourCC)"
    let others = offered.filter { $0.fourCC == agreed.fourCC }.flatMap(sizes)
    if request.required.contains(.size),
      agreed.width != request.width || agreed.height != request.height
    {
      throw .noFormat(
        camera: camera, asked: "\(request.width)x\(request.height) as \(agreed.fourCC)",
        offered: others.isEmpty ? [size] : others.map(\.description))
    }
    guard request.required.contains(.rate), let wanted = request.framesPerSecond,
      let rate = rate()
    else { return }
    let reached = Double(rate.frames) / Double(rate.seconds)
    if abs(reached - wanted) > 0.01 * wanted {
      let listed = others.first { $0.includes(agreed) }?.rates.description ?? ""
      throw .noFormat(
        camera: camera, asked: "\(OfferedFormat.Rates.text(wanted)) fps at \(size)",
        offered: [listed.isEmpty ? "\(OfferedFormat.Rates.text(reached)) fps" : listed])
    }
  }

  /// Returns the reader of the frames of a format.
  func content(
    of format: DriverFormat, decoder: (any FrameDecoder)?
  ) throws(CameraError) -> any FrameContent {
    if let decoder, format.isMotionJPEG {
      return CompressedFrames(decoder: decoder, format: format, camera: camera)
    }
    let agreed: FrameLayout?
    do { agreed = try format.layout() } catch { throw .frame(error) }
    guard let agreed else {
      throw .noFormat(
        camera: camera, asked: nil,
        offered: ["\(format.fourCC) with an unknown tone curve or color encoding"])
    }
    return format.planes.count > 1
      ? PlanarFrames(layout: agreed) : RawFrames(layout: agreed, camera: camera)
  }

  /// Requests a rate (VIDIOC_S_PARM): the driver uses its nearest rate, or keeps its own.
  private func setRate(_ rate: Double) {
    guard rate.isFinite, rate > 0, rate < 1e6 else { return }
    var parameters = v4l2_streamparm()
    parameters.type = type.rawValue
    unsafe parameters.parm.capture.timeperframe = v4l2_fract(
      numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
    _ = handle.perform(CV4L_S_PARM, on: &parameters)
  }

  /// Returns the rate that the driver has agreed to (VIDIOC_G_PARM), or else that of the sensor;
  /// `nil` if neither is reported.
  func rate() -> FrameRate? { agreedRate() ?? sensor?.frameRate }

  private func agreedRate() -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = type.rawValue
    guard handle.perform(CV4L_G_PARM, on: &parameters) >= 0 else { return nil }
    let time = unsafe parameters.parm.capture.timeperframe
    guard time.numerator > 0, time.denominator > 0 else { return nil }
    return FrameRate(frames: Int(time.denominator), seconds: Int(time.numerator))
  }

  /// Returns the formats that the driver offers: VIDIOC_ENUM_FMT and VIDIOC_ENUM_FRAMESIZES.
  ///
  /// - Parameter sized: `true` to request their sizes too.
  func offeredFormats(sized: Bool = true) throws(CameraError) -> [DriverOffer] {
    var formats: [DriverOffer] = []
    while true {
      var entry = v4l2_fmtdesc()
      entry.index = UInt32(formats.count)
      entry.type = type.rawValue
      let result = handle.perform(CV4L_ENUM_FMT, on: &entry)
      if result == -EINVAL { return formats }
      try CameraError.check(result, "VIDIOC_ENUM_FMT", camera)
      formats.append(
        DriverOffer(
          fourCC: fourCC(entry.pixelformat),
          isCompressed: entry.flags & V4L2_FMT_FLAG_COMPRESSED.bits != 0,
          sizes: sized ? sizes(of: entry.pixelformat) : .any))
    }
  }

  /// Returns the formats with the rates of each size (VIDIOC_ENUM_FRAMEINTERVALS).
  func formatsWithRates(decodes: Bool) throws(CameraError) -> [OfferedFormat] {
    try offeredFormats().map { offer in
      OfferedFormat(
        name: offer.fourCC, isReadable: offer.isReadable(decodes: decodes), sizes: sizes(offer))
    }
  }

  private func sizes(_ offer: DriverOffer) -> [OfferedFormat.Sizes] {
    switch offer.sizes {
    case .any: []
    case .list(let sizes):
      sizes.map { size in
        .init(
          width: .init(size.width), height: .init(size.height), rates: rates(offer.fourCC, size))
      }
    case .steps(let low, let high, let step):
      [
        .init(
          width: .init(low.width, through: high.width, by: step.width),
          height: .init(low.height, through: high.height, by: step.height),
          rates: rates(offer.fourCC, high))
      ]
    }
  }

  /// Returns the rates of a format and size, as the driver lists them; if it lists none, the
  /// present rate of a sensor of this size.
  private func rates(_ format: String, _ size: DriverOffer.Size) -> OfferedFormat.Rates {
    let listed = listedRates(format, size)
    guard listed == .list([]), let sensor, sensor.width == size.width, sensor.height == size.height
    else { return listed }
    return .list([sensor.frameRate])
  }

  private func listedRates(_ format: String, _ size: DriverOffer.Size) -> OfferedFormat.Rates {
    func rate(_ interval: v4l2_fract) -> FrameRate {
      FrameRate(frames: Int(interval.denominator), seconds: Int(max(interval.numerator, 1)))
    }
    var list: [FrameRate] = []
    while true {
      var entry = v4l2_frmivalenum()
      entry.index = UInt32(list.count)
      entry.pixel_format = code(fourCC: format)
      (entry.width, entry.height) = (UInt32(size.width), UInt32(size.height))
      guard handle.perform(CV4L_ENUM_FRAMEINTERVALS, on: &entry) >= 0 else { return .list(list) }
      guard entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
        let range = entry.stepwise
        return .range(rate(range.max), through: rate(range.min))
      }
      list.append(rate(entry.discrete))
    }
  }

  private func sizes(of format: UInt32) -> DriverOffer.Sizes {
    var list: [DriverOffer.Size] = []
    while true {
      var entry = v4l2_frmsizeenum()
      entry.index = UInt32(list.count)
      entry.pixel_format = format
      guard handle.perform(CV4L_ENUM_FRAMESIZES, on: &entry) >= 0 else {
        return list.isEmpty ? .any : .list(list)
      }
      guard entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        let range = entry.stepwise
        return .steps(
          from: .init(width: Int(range.min_width), height: Int(range.min_height)),
          to: .init(width: Int(range.max_width), height: Int(range.max_height)),
          step: .init(width: Int(range.step_width), height: Int(range.step_height)))
      }
      list.append(.init(width: Int(entry.discrete.width), height: Int(entry.discrete.height)))
    }
  }
}

extension OfferedFormat.Sizes {
  /// Indicates whether a format has one of these sizes.
  fileprivate func includes(_ format: DriverFormat) -> Bool {
    (width.low...width.high).contains(format.width)
      && (height.low...height.high).contains(format.height)
  }
}
