import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

extension Verify {
  /// Compares the corners of each picture of an even surface with its middle, without and with the
  /// profile's flat field; returns the exit code of the first that fails.
  func compareCorners() throws -> ExitCode? {
    let known = try profile.map { try CameraProfile(source: $0) }
    return try judgeEach(CornerRecord.init(unjudged:)) { path in
      let (read, origin) = try picture.pictureAndOrigin(path: path)
      if let known, let difference = known.difference(from: origin) {
        throw Failure.differs(path, from: "the profile", difference)
      }
      var corners = PictureCorners()
      try corners.add(read.frame)
      guard corners.refusals.isEmpty else { throw Failure(corners.refusals, at: shown(path)) }
      let field = known?.flatField(for: read.frame.layout, origin, path: path)
      return try answer(
        CornerRecord(
          file: path, corners: corners.difference(),
          corrected: field.map { corners.difference(with: $0.gains) }, limit: cardLimit))
    }
  }

  /// Prints a comparison; returns `true` if it passes.
  private func answer(_ record: CornerRecord) throws -> Bool {
    guard let corners = record.corners else { return false }
    if json {
      try printJSON(record)
    } else {
      let corrected = record.corrected.map { "; with the flat field \($0.text)" } ?? ""
      try StandardOutput.line(
        "\(shown(record.file)): corners \(corners.text) from the middle\(corrected), "
          + (record.passes ? "within" : "above") + " the limit of \(shortNumber(cardLimit))")
    }
    if !record.passes {
      complain(
        "\(shown(record.file)): the corners have another color than the middle"
          + (record.corrected == nil
            ? "; 'wbcal calibrate --profile camera.json --flat \(shown(record.file))' measures that"
            : ""))
    }
    return record.passes
  }

  private struct CornerRecord: JSONRecord {
    var file: String
    var passes = false
    /// The corners of the picture, and after the correction of the flat field.
    var corners, corrected: PictureCorners.Difference?
    var limit: Double?

    init(unjudged file: String) { self.file = file }

    init(
      file: String, corners: PictureCorners.Difference, corrected: PictureCorners.Difference?,
      limit: Double
    ) {
      (self.file, self.corners, self.corrected) = (file, corners, corrected)
      self.limit = limit
      passes = (corrected ?? corners).ciede2000 <= limit
    }
  }
}
