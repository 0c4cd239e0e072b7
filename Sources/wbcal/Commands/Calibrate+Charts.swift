import CalibrationTargets
import CameraProfiles
import ColorScience
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

extension Calibrate {
  /// A requested chart: its path and its light.
  struct RequestedChart {
    var path: String
    var light: Light

    init(argument: String) throws {
      let request = try RequestedShot(argument: argument)
      guard case .picture(let path, _) = request.source else {
        throw Failure.usage(
          "the chart '\(argument)' is not a file: give a picture, or a table of its patches")
      }
      self.path = path
      light = request.light
    }
  }

  /// Returns the usable patches of a chart; the camera's colors are not known yet.
  func read(
    _ request: RequestedChart, _ former: CameraProfile?, pictures: inout PictureOrigin?
  ) throws -> ChartShot {
    let reading: ChartReading
    var curve: TransferFunction?
    if ChartSheetOptions.isTable(request.path) {
      reading = try ChartSheetOptions.reading(table: request.path)
    } else {
      let (shot, its) = try picture.pictureAndOrigin(path: request.path, saysCurve: false)
      var origin = its
      let transfer: TransferFunction
      (reading, transfer) = try charts.sheet.reading(
        of: shot.frame, path: request.path, isCurveAssumed: picture.isCurveAssumed(of: shot))
      if case .developed = origin.encoding {
        origin.encoding = .developed(transfer)
        curve = transfer
      }
      try join(origin, path: request.path, former, to: &pictures)
    }
    let chart = try charts.sheet.colorChart()
    do {
      let shot = try ChartShot(
        light: request.light,
        // The colors of patches are not checked here: `withoutDoubts` does it better, from what is
        // known of other cameras.
        responses: reading.responses(remarkingOn: request.path), chart: chart, source: request.path)
      try Self.requirePatches(of: shot)
      if let curve { try Self.require(curve, of: shot) }
      return shot
    } catch let error as SensitivityError {
      throw Failure.badData("\(request.path): \(error)")
    }
  }

  /// Refuses a chart whose patches agree far better with another curve of the stored values. The
  /// effect of a wrong curve would otherwise be attributed to light on all patches.
  private static func require(_ curve: TransferFunction, of shot: ChartShot) throws {
    func evidence(by other: TransferFunction) -> Double? {
      var stretch = 0.0
      let responses = shot.responses.map { response in
        response.map { response -> LinearRGB in
          let codes = [response.red, response.green, response.blue].map(curve.encoded)
          stretch += codes.reduce(0) { $0 + slope(of: other, at: $1) - slope(of: curve, at: $1) }
          let light = codes.map(other.linear)
          return LinearRGB(red: light[0], green: light[1], blue: light[2])
        }
      }
      let changed = try? ChartShot(light: shot.light, responses: responses, chart: shot.chart)
      return changed.flatMap { try? SensitivityEstimate(charts: [$0]) }.map {
        $0.evidence + stretch
      }
    }
    /// Returns the logarithm, up to a constant, of the rate at which ln light grows with ln code.
    func slope(of curve: TransferFunction, at code: Double) -> Double {
      let (low, high) = (curve.linear(code * 0.999), curve.linear(code * 1.001))
      return high > low && low > 0 ? log(log(high / low)) : 0
    }
    guard let own = evidence(by: curve) else { return }
    let others = [TransferFunction.linear, .sRGB, .bt709, .gamma(2.2)].filter { $0 != curve }
    let found = others.compactMap { other in evidence(by: other).map { (other, $0) } }
    guard let best = found.max(by: { $0.1 < $1.1 }), best.1 > own + 10 else { return }
    throw Failure.badData(
      "\(shot.source ?? shot.light.name): the patches agree far better if the transfer function "
        + "is \(best.0.name) than if it is \(curve.name); check --transfer")
  }

  /// The logarithm of the ratio of probabilities above which patches determine the edition of their
  /// chart. Shots with 1 % noise all exceed it, for the right edition.
  private static let editionLimit = 6.0

  /// Returns shots of a chart with the reflectances of the edition for which their patches agree
  /// better with each other, and a remark if it is the older edition or the patches do not
  /// determine it.
  static func ofLikelierEdition(
    _ shots: [ChartShot]
  ) -> (shots: [ChartShot], remark: String?) {
    guard let first = shots.first else { return (shots, nil) }
    let editions = [ColorChart.Edition.from2014, .before2014].compactMap { edition in
      let moved = shots.compactMap { shot in
        try? ChartShot(
          light: shot.light, responses: shot.responses, chart: ColorChart(edition),
          source: shot.source)
      }
      return (try? SensitivityEstimate(charts: moved)).map { (shots: moved, $0.evidence) }
    }
    guard editions.count == 2 else { return (shots, nil) }
    let gain = editions[1].1 - editions[0].1
    let name = first.source ?? first.light.name
    if gain > editionLimit {
      return (
        editions[1].shots,
        "\(name): its patches are those of a chart made before November 2014, and are used as such "
          + "(--chart-edition before2014)."
      )
    }
    let doubt =
      "\(name): its patches do not show whether the chart was made before November 2014; a later "
      + "one is assumed. The other would change gains by up to 1 %: state it with --chart-edition."
    return (editions[0].shots, gain > -editionLimit ? doubt : nil)
  }

  /// The number of patches of a chart that may be left out.
  private static let dispensable = 6

  private static func requirePatches(of shot: ChartShot) throws {
    let missing = shot.responses.count { $0 == nil }
    guard missing <= dispensable else {
      throw Failure.badData(
        "\(shot.source ?? shot.light.name): \(missing) of its \(shot.responses.count) patches cannot be "
          + "used; at most \(dispensable) may be missing. Take the chart again, evenly lit, and "
          + "check its light and its edition")
    }
  }

  /// Returns the charts without the patches that contradict all others. A doubt that is not about a
  /// single patch is an error.
  static func withoutDoubts(
    cards: [CalibrationShot], charts: [ChartShot]
  ) throws -> [ChartShot] {
    if charts.isEmpty { return [] }
    Progress.shared.show("comparing the patches with those of other cameras")
    func estimate(_ charts: [ChartShot]) throws -> SensitivityEstimate {
      do {
        return try SensitivityEstimate(
          cards: cards.filter { $0.light.spectrum != nil }, charts: charts)
      } catch { throw Failure.badData("\(error)") }
    }
    var charts = charts
    for doubt in try estimate(charts).warnings() {
      guard case .patch(let light, let patch, _) = doubt,
        let index = charts.firstIndex(where: { chart in
          chart.light.name == light
            && chart.chart.patches.firstIndex { $0.name == patch }
              .map { chart.responses[$0] != nil } == true
        })
      else { throw Failure.badData("\(doubt)") }
      let chart = charts[index]
      remark("\(chart.source ?? light): \(doubt); it is not used.")
      charts[index] = try ChartShot(
        light: chart.light,
        responses: zip(chart.chart.patches, chart.responses).map { $0.name == patch ? nil : $1 },
        chart: chart.chart, source: chart.source)
      try requirePatches(of: charts[index])
    }
    try requireAgreement(in: estimate(charts))
    return charts
  }

  /// Refuses charts with so much light on all patches that its cause has to be found, and charts
  /// whose patches scatter by the largest noise that is tried: they may scatter by more, and then
  /// no stated error is valid.
  private static func requireAgreement(in estimate: SensitivityEstimate) throws {
    func name(_ chart: ChartShot) -> String { chart.source ?? chart.light.name }
    if let noise = estimate.chartNoise, noise.independent >= ChartNoise.largest.independent {
      throw Failure.badData(
        "\(estimate.charts.map(name).joined(separator: ", ")): the patches agree with no camera "
          + "like the known ones, not even to \(fixed(100 * noise.independent, decimals: 0)) %. "
          + "Check the light, the black level (--black), the transfer function (--transfer), and "
          + "that no color matrix was applied to the picture")
    }
    for chart in estimate.charts {
      guard let share = estimate.glare(of: chart)?.share.vector else { continue }
      let largest = max(share.max(), -share.min())
      let sentence =
        "\(name(chart)): glare of \(fixed(100 * largest, decimals: 1)) % of white on all patches, "
        + "by a reflection, a lens that scatters light, or a wrong --black or --transfer"
      // No lens scatters as much light, and the effect of a wrong curve on the colors is not known.
      if largest > 0.05 { throw Failure.badData(sentence) }
      if largest > 0.01 { remark(sentence + ".") }
    }
  }

  /// Returns lines about the result of charts, and about the uncertainty of gains under lights of
  /// known spectrum.
  static func chartSummary(of calibration: Calibration, through laws: ControlLaws?) -> [String] {
    guard let camera = calibration.sensitivityEstimate else { return [] }
    var lines = calibration.charts.map { chart in
      let used = chart.responses.count { $0 != nil }
      let glare = camera.glare(of: chart).map(\.share).map { share in
        let percent = [share.red, share.green, share.blue].map { fixed(100 * $0, decimals: 2) }
        return ", glare \(percent[0]) % red, \(percent[1]) % green, \(percent[2]) % blue of white"
      }
      return "chart under \(chart.light.name): \(used) of \(chart.responses.count) patches used"
        + (glare ?? "")
    }
    if let noise = camera.chartNoise {
      lines.append(
        "patches agree to \(fixed(100 * noise.independent, decimals: 1)) %, their light to "
          + "\(fixed(100 * noise.common, decimals: 1)) %")
    }
    let errors = ["A", "D65", "LED-B3", "FL11", "HP4"].compactMap { name -> String? in
      guard let light = StandardIlluminant(named: name),
        let errors = camera.gains(under: light.spectrum)?.covariance.standardErrors
      else { return nil }
      let error = error(max(errors.red, errors.blue), through: laws)
      return "\(name) \(fixed(100 * error, decimals: 1)) %"
    }
    lines.append("by spectrum (standard error): " + errors.joined(separator: ", "))
    return lines
  }
}
