import CameraProfiles
import ColorScience
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

extension Calibrate {
  /// A flat field, and the corners of its pictures without and with it.
  struct MeasuredFlat {
    var field: FlatField
    var before, after: PictureCorners.Difference
  }

  /// Measures a flat field, and adds it to the profile.
  func saveFlatField() throws -> (MeasuredFlat, CameraProfile) {
    guard let path = profile else { throw Failure.usage("--flat requires --profile") }
    let requested = try flat.map { try RequestedFlat(argument: $0) }
    try refuse(output: target, over: requested.map(\.path))
    let measured = try measure(requested, for: CameraProfile(source: path))
    func save() throws -> CameraProfile {
      var profile = try CameraProfile(source: path)
      profile.setFlatField(measured.field)
      try profile.write(to: target)
      return profile
    }
    guard areSameFile(path, target) else { return (measured, try save()) }
    guard try CameraProfile.isNamed(in: Data(readFile(path))) else {
      throw Failure.badData(
        "\(shown(path)) is not a profile of this program, and would be replaced by one; name "
          + "another with --output")
    }
    // Another run may have changed the profile since it was read.
    return (measured, try withLock(on: path) { try save() })
  }

  func summarize(_ measured: MeasuredFlat, _ profile: CameraProfile) throws {
    // If the profile itself is written to standard output, nothing else may be.
    if target == "-" { return }
    if json { return try printJSON(profile, version: nil) }
    let lines = measured.lines + ["saved \(target)"]
    try StandardOutput.line(lines.joined(separator: "\n"))
  }

  private func measure(
    _ requested: [RequestedFlat], for profile: CameraProfile
  ) throws -> MeasuredFlat {
    var shots: [FlatShot] = []
    var corners = PictureCorners()
    var common: PictureOrigin?
    for request in requested {
      let path = request.path
      let (read, origin) = try picture.pictureAndOrigin(path: path)
      if let difference = try profile.difference(from: origin, path: path, anyCamera: anyCamera) {
        remark("\(shown(path)): \(difference).")
      }
      guard !origin.hasGainMap else {
        throw Failure.badData(
          "\(shown(path)) has a gain map of its own (OpcodeList2), with which its shading is "
            + "corrected; take raw pictures without one")
      }
      if let difference = common?.difference(from: origin) {
        throw Failure.badData(
          "\(shown(path)) does not match the other flat fields: \(difference)")
      }
      common = common?.completed(by: origin) ?? origin
      do {
        shots.append(
          try FlatShot(
            read.frame.bytes.span, layout: read.frame.layout, quarterTurns: request.quarterTurns))
      } catch { throw Self.failure(error, about: path) }
      let layout = read.frame.layout
      if case .subsampled = layout.format.arrangement {
        throw Failure.badData(
          "\(shown(path)) has luma and chroma, which cannot be corrected; take pictures of red, "
            + "green and blue, or raw ones")
      }
      try corners.add(read.frame)
    }
    var field: FlatField
    do { field = try FlatField(fitting: shots) } catch {
      throw Self.failure(error, about: Self.culprit(of: error, requested, shots))
    }
    field.encoding = common?.encoding
    return MeasuredFlat(
      field: field, before: corners.difference(),
      after: corners.difference(with: field.gains))
  }

  /// Returns the path of the picture that an error of several is about; `nil` if it is about all.
  private static func culprit(
    of error: FlatFieldError, _ requested: [RequestedFlat], _ shots: [FlatShot]
  ) -> String? {
    guard shots.count > 1 else { return requested[0].path }
    guard case .structure = error else { return nil }
    let index = shots.firstIndex { shot in
      do throws(FlatFieldError) { _ = try FlatField(fitting: [shot]) } catch {
        if case .structure = error { return true }
      }
      return false
    }
    return index.map { requested[$0].path }
  }

  private static func failure(_ error: FlatFieldError, about path: String?) -> Failure {
    .badData((path.map { "\(shown($0)): " } ?? "") + "\(error)")
  }
}

extension Calibrate.MeasuredFlat {
  /// The lines that `calibrate` prints.
  fileprivate var lines: [String] {
    func percent(_ share: Double) -> String { "\(fixed(100 * share, decimals: 2)) %" }
    let number = field.pictures == 1 ? "one picture" : "\(field.pictures) pictures"
    var lines = [
      "flat field of \(number) of \(field.width)×\(field.height)",
      "corners before: \(before.text) from neutral", "corners after: \(after.text) from neutral",
      "gains known within \(percent(field.largestError)) (the largest standard error)",
    ]
    lines += field.dust.map { spot in
      let (x, y) = (spot.x * Double(field.width), spot.y * Double(field.height))
      return "dust near \(fixed(x, decimals: 0)),\(fixed(y, decimals: 0)): takes "
        + "\(percent(spot.depth)) of the light; it is not corrected"
    }
    switch field.light.evidence {
    case .onePicture:
      lines.append(
        "one picture does not show whether the surface was lit evenly; two with the surface and "
          + "its light turned do: --flat A@0 --flat B@180")
    case .moved, .turned:
      if let unevenness = field.light.unevenness {
        let treatment =
          field.light.evidence == .turned ? "was subtracted" : "counts in the standard error"
        lines.append(
          "the light on the surface changes by \(percent(unevenness)) over the picture, which "
            + treatment)
      }
    }
    return lines
  }
}
