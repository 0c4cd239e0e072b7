import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

/// The files that are written next to raw photographs for other programs.
struct SidecarOptions: ParsableArguments {
  @Flag(help: "Write the gains for darktable next to each raw photograph, as photo.dng.xmp.")
  var writeXmp = false
  @Flag(help: "Write the gains for RawTherapee next to each raw photograph, as photo.dng.pp3.")
  var writePp3 = false

  private var areWanted: Bool { writeXmp || writePp3 }

  /// Refuses options that change the values that the other programs multiply.
  func validate(with options: PictureOptions, files: [String], isCardInFiles: Bool) throws {
    guard areWanted else { return }
    if let stream = files.first(where: Self.isStream) {
      throw ValidationError(
        "--write-xmp and --write-pp3 require the name of a photograph's file, not \(stream)."
      )
    }
    guard isCardInFiles else {
      throw ValidationError(
        "--write-xmp and --write-pp3 require gray cards in raw photographs; they cannot be "
          + "combined with --device or --method.")
    }
    try forbid(
      options.raw != nil || options.card.black != nil || options.card.transfer != nil,
      "--write-xmp and --write-pp3 cannot be combined with --raw, --black or --transfer: "
        + "darktable and RawTherapee use the photograph's own values.")
  }

  /// Indicates whether a path is that of a stream, such as standard input, which has no folder for
  /// a sidecar.
  private static func isStream(_ path: String) -> Bool {
    ["/dev/stdin", "/dev/fd/", "/proc/"].contains(where: path.hasPrefix)
  }

  /// Writes the requested sidecars of a photograph in which the gains make a card neutral.
  func write(_ gains: Gains, nextTo path: String) throws {
    guard areWanted else { return }
    guard !Self.isStream(path) else {
      throw Failure.badData("nothing can be written next to \(path); name the photograph's file")
    }
    var reader = ImageFileReader()
    guard let colors = try reader.cameraColors(path: path) else {
      throw Failure.badData(
        "\(path) is not a raw photograph, so no sidecar is written for it; name the raw "
          + "photograph, or balance this picture with 'wbcal balance'")
    }
    // All sidecars are made before any is written.
    var sidecars: [(Sidecar, note: String)] = []
    if writeXmp { sidecars.append((.darktable(gains), "")) }
    if writePp3 {
      let advice = "set the white balance in RawTherapee with its picker"
      guard let camera = colors.responseToSRGB else {
        throw Failure.badData(
          "\(path): LibRaw has no color matrix for this camera, by which RawTherapee interprets "
            + "temperatures; \(advice)")
      }
      guard let balance = RawTherapeeBalance(gains, camera: camera) else {
        throw Failure.badData(
          "\(path): no temperature and green in RawTherapee represent these gains; \(advice)")
      }
      sidecars.append((.rawTherapee(balance), balance.note))
    }
    for (sidecar, note) in sidecars { remark("wrote \(try sidecar.write(nextTo: path))\(note)") }
  }
}

extension RawTherapeeBalance {
  fileprivate var note: String {
    ": \(kelvin) K, green \(fixed(green, decimals: 3)), by LibRaw's color matrix of the camera; "
      + "check the card in RawTherapee, which may use another matrix"
  }
}
