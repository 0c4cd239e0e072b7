import CalibrationTargets
import CameraControl
import ColorScience
import Foundation
import WbcalImageFiles
import WhiteBalance

extension Estimate {
  /// Prints where in a picture the card may be and what the estimate would be there, and draws that
  /// region.
  func proposeCard(in path: String, profile: CameraProfile?) throws {
    if let output, output != "-" {
      try refuse(output: output, over: [path] + [self.profile].compactMap(\.self))
    }
    let (frame, origin) = try picture.frameAndOrigin(path: path)
    let difference = try profile?.difference(from: origin, path: path, anyCamera: anyCamera)
    let proposal: CardProposal
    do { proposal = try CardFinder().card(in: frame) } catch {
      if case .frame(let error) = error { throw error }
      throw Failure.badData("\(path): \(error). Name the card with --region, or take it closer")
    }
    let estimate = try GrayCardEstimator(region: .rectangle(proposal.region)).estimate(frame)
    let region = GrayCardEstimator.Region.rectangle(proposal.region)
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
        if let gains = estimate.gains {
          try StandardOutput.line(
            "\(path): if that is the card: "
              + EstimateText.line(estimate, gains: gains, seen: seen)
              + EstimateText.caution(difference))
        }
      }
    }
    if let output {
      let preview = try frame.preview(
        gains: estimate.gains ?? Gains(red: 1, blue: 1), rectangle: proposal.region)
      guard let file = PreviewWriter.png(preview) else {
        throw Failure(message: "the preview could not be made", code: .internalError)
      }
      try replaceFile(output, with: Data(file))
    }
    if !estimate.isAccepted { complain("\(path): \(estimate.refusals.sentenceWithAdvice).") }
    remark("This is a proposal: look at the region, then run the command again with it.")
  }
}

/// A proposal as JSON; its estimate counts only when somebody has looked at the region.
private struct ProposalRecord: Encodable {
  var proposal = true
  var file, region: String
  var confidence: Double
  var estimate: EstimateRecord
}
