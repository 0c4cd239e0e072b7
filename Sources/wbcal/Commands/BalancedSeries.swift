import ColorScience
import WbcalArguments
import WbcalImageFiles
import WbcalReports
import WhiteBalance

/// The pictures that get common gains, and whether these fit the light of each.
struct BalancedSeries {
  /// A picture that was read.
  struct Member: Sendable {
    var file: String
    var picture: SeriesPicture
    var colors: LightChangeDetector.Colors
    /// `true` if the camera has balanced the picture by itself, as it does each in another way.
    var isBalancedByCamera = false
  }

  /// The picture of the card; `nil` if the gains are known otherwise.
  private let card: Member?
  private var members: [Member] = []
  private var failures: [(file: String, reason: String)] = []

  init(card: Member?) { self.card = card }

  mutating func add(_ member: Member) { members.append(member) }

  mutating func add(failed file: String, _ reason: String) { failures.append((file, reason)) }

  /// Returns the pictures by their light; `nil` if there are too few to compare.
  func findings() -> Findings? {
    guard let first = members.first, members.count > 1 || card != nil else { return nil }
    // The card may be one of the pictures.
    var all = members
    if let card {
      let others = RegularFiles([card.file])
      if let own = all.firstIndex(where: { others.contains($0.file) }) {
        all[own].picture.neutral = card.picture.neutral
      } else {
        all.insert(card, at: 0)
      }
    }
    let times = all.compactMap(\.picture.time)
    if times.count == all.count {
      let order = all.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      all = order.map { all[$0] }
    }
    let isListed = all.map { member in members.contains { $0.file == member.file } }
    return Findings(
      members: all, isListed: isListed, failures: failures,
      lights: LightGroups(all.map(\.picture), colors: first.colors))
  }

  /// The pictures by their light.
  struct Findings {
    /// The pictures in the order in which they were taken, if that is known.
    let members: [Member]
    /// `false` for a card that is not one of the pictures.
    let isListed: [Bool]
    let failures: [(file: String, reason: String)]
    let lights: LightGroups

    /// The group with the card, or else the first one.
    private var reference: LightGroups.Group? {
      lights.groups.first { $0.neutral != nil } ?? lights.groups.first
    }

    private func files(_ numbers: some Sequence<Int>) -> [String] {
      numbers.filter { isListed[$0] }.map { members[$0].file }
    }

    /// Sentences about the series, for people.
    var remarks: [String] {
      var remarks: [String] = []
      let balanced = members.filter(\.isBalancedByCamera).count
      if balanced > 1 {
        remarks.append(
          "the camera itself balanced \(balanced) of \(members.count) pictures, each in its own way "
            + "(Exif WhiteBalance), so common gains do not fit, and the light cannot be compared; "
            + "take pictures with a fixed white balance, or raw photographs")
      }
      for (boundary, group) in zip(lights.boundaries, lights.groups.dropFirst()) {
        let candidates = files(boundary.candidates)
        guard let first = candidates.first, let last = candidates.last else { continue }
        let place =
          first == last ? "from \(shown(first)) on" : "between \(shown(first)) and \(shown(last))"
        let size = reference.flatMap { lights.difference($0, group) }.map {
          let origin = $0.isFromCard ? "the card's" : "the first pictures'"
          return "; it is CIEDE2000 \(Self.text($0.interval)) from \(origin)"
        }
        remarks.append(
          "\(place) the light has changed (\(Self.certainty(of: boundary)))\(size ?? "")")
      }
      for group in lights.groups where lights.groups.count > 1 && group.neutral == nil {
        let own = files(group.pictures)
        guard let first = own.first, let last = own.last else { continue }
        remarks.append(
          "put a card into the light of "
            + (first == last ? shown(first) : "\(shown(first)) to \(shown(last))"))
      }
      if lights.boundaries.isEmpty, members.count > 2,
        let group = lights.groups.first, let difference = lights.difference(group, group)
      {
        remarks.append(
          "no change of the light is certain; the pictures alone do not show one of up to "
            + "CIEDE2000 \(fixed(difference.interval.upperBound, decimals: 0)), which is as much "
            + "as motifs differ")
      }
      return remarks
    }

    private static func certainty(of boundary: LightGroups.Boundary) -> String {
      boundary.confidence > 0.99
        ? "over 99 % certain" : "\(fixed(100 * boundary.confidence, decimals: 0)) % certain"
    }

    private static func text(_ interval: ClosedRange<Double>) -> String {
      "\(fixed(interval.lowerBound, decimals: 0)) to \(fixed(interval.upperBound, decimals: 0))"
    }

    /// The output of `--json` for the series.
    var record: LightsRecord {
      LightsRecord(
        lights: lights.groups.enumerated().map { index, group in
          let boundary = index > 0 ? lights.boundaries[index - 1] : nil
          let difference = reference.flatMap { lights.difference($0, group) }
          return LightsRecord.Group(
            files: files(group.pictures), hasCard: group.neutral != nil,
            needsCard: lights.groups.count > 1 && group.neutral == nil,
            confidence: boundary?.confidence,
            firstFiles: boundary.map { files($0.candidates) },
            difference: difference.map {
              .init(
                ciede2000: $0.ciede2000, low: $0.interval.lowerBound, high: $0.interval.upperBound)
            })
        })
    }

    /// The page of `--report`.
    func page(gains: String) -> String {
      let rows = lights.groups.enumerated().flatMap { index, group in
        group.pictures.map { number in
          let picture = members[number].picture
          let scene = picture.scene
          let isFirst = number == group.pictures.lowerBound
          return SeriesReport.Row(
            file: members[number].file, group: index + 1, isCard: picture.neutral != nil,
            red: scene?.red, blue: scene?.blue, error: scene?.standardError,
            difference: reference.flatMap { lights.difference($0, group) }?.interval,
            certainty: isFirst && index > 0
              ? Self.certainty(of: lights.boundaries[index - 1]) : nil,
            needsCard: lights.groups.count > 1 && group.neutral == nil)
        }
      }
      return SeriesReport(
        rows: rows, failures: failures, remarks: remarks, gains: gains,
        program: "wbcal \(Wbcal.version)"
      ).html
    }
  }
}

/// The output of `--json` for the light of a series.
struct LightsRecord: JSONRecord {
  struct Group: JSONRecord {
    struct Difference: JSONRecord { var ciede2000, low, high: Double }

    var files: [String]
    var hasCard, needsCard: Bool
    /// The probability that the light is not that of the group before.
    var confidence: Double?
    /// The pictures of which one is the first of the group.
    var firstFiles: [String]?
    /// The difference from the light of the card, or else of the first group, with its 95 %
    /// interval, as scenes suggest it.
    var difference: Difference?
  }

  var lights: [Group]
}
