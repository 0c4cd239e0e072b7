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
      try draw(picture, in: preview, rectangle: nil, gains: nil)
      throw Failure.badData(
        "\(path): \(error). Name the card with --region or its width with --card-size, or take it "
          + "closer.")
    }
    let region = GrayCardEstimator.Region.rectangle(proposal.region)
    let estimate = try GrayCardEstimator(region: region).estimate(frame)
    if output != "-" {
      let seen = reading(of: estimate, profile: profile, applied: Gains(red: 1, blue: 1))
      if json {
        var record = EstimateRecord(estimate, file: path, seen: seen, model: profile?.identity)
        record.otherCamera = difference
        try printJSON(ProposalRecord(proposal, region: "\(region)", estimate: record))
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
struct ProposalRecord: Encodable {
  var proposal: Bool
  var file: String
  /// These are missing where no card was found, the last three where one was.
  var region: String?
  var confidence: Double?
  var estimate: EstimateRecord?
  var error: String?
  var exitCode: Int32?
  var reasons: [String]?

  init(_ proposal: CardProposal, region: String, estimate: EstimateRecord) {
    self.proposal = true
    (file, self.region, confidence) = (estimate.file, region, proposal.confidence)
    self.estimate = estimate
  }

  init(_ failure: Failure, file: String) {
    proposal = false
    self.file = file
    (error, exitCode, reasons) = (failure.code.word, failure.code.rawValue, [failure.message])
  }
}
