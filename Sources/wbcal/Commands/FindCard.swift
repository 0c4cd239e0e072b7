import CalibrationTargets
import CameraControl
import ColorScience
import Foundation
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

extension Estimate {
  /// Prints where in a picture the card may be and what the estimate would be there, and draws that
  /// region, or where there is none the picture alone.
  func proposeCard(in path: String, profile: CameraProfile?) throws {
    if let output, output != "-" {
      try refuse(output: output, over: [path] + [self.profile].compactMap(\.self))
    }
    let preview = try output.map { try PreviewFile($0) }
    let (picture, origin) = try picture.pictureAndOrigin(path: path)
    let difference = try profile?.difference(from: origin, path: path, anyCamera: anyCamera)
    let frame = picture.frame
    var finder = CardFinder()
    finder.cardWidth = cardSize
    let proposal: CardProposal
    do { proposal = try finder.card(in: frame) } catch {
      if case .frame(let error) = error { throw error }
      complain(
        "\(path): \(error). Name the card with --region or its width with --card-size, or take it "
          + "closer.")
      try draw(picture, in: preview, rectangle: nil, gains: nil)
      throw ExitCode.badData
    }
    let region = GrayCardEstimator.Region.rectangle(proposal.region)
    let estimate = try GrayCardEstimator(region: region).estimate(frame)
    if output != "-" {
      let seen = reading(of: estimate, profile: profile, applied: Gains(red: 1, blue: 1))
      if json {
        var record = EstimateRecord(estimate, file: path, seen: seen, model: profile?.identity)
        record.otherCamera = difference
        try printJSON(
          ProposalRecord(
            file: path, region: "\(region)", confidence: proposal.confidence, estimate: record))
      } else {
        let confidence = fixed(proposal.confidence, decimals: 2)
        try StandardOutput.line("\(path): proposed --region \(region) (confidence \(confidence))")
        if let gains = estimate.gains, estimate.isAccepted {
          try StandardOutput.line(
            "\(path): if that is the card: "
              + EstimateText.line(estimate, gains: gains, seen: seen)
              + EstimateText.caution(difference))
        }
      }
    }
    if !estimate.isAccepted { complain("\(path): \(estimate.refusals.sentenceWithAdvice).") }
    try draw(picture, in: preview, rectangle: proposal.region, gains: estimate.gains)
    guard estimate.isAccepted else { throw ExitCode.badData }
    remark("This is a proposal: look at the region, then run the command again with it.")
  }

  private func draw(
    _ picture: Picture, in preview: PreviewFile?, rectangle: PixelRectangle?, gains: Gains?
  ) throws {
    guard let preview else { return }
    try preview.write(picture.frame, gains: gains, rectangle: rectangle)
    let name = preview.path == "-" ? "the preview" : preview.path
    remark(
      "The numbers along \(name) are pixels of \(picture.path) as it is stored"
        + (picture.isTurnedForDisplay ? "; other programs turn it before they show it." : "."))
  }
}

/// A proposal as JSON; its estimate counts only when somebody has looked at the region.
private struct ProposalRecord: Encodable {
  var proposal = true
  var file, region: String
  var confidence: Double
  var estimate: EstimateRecord
}
