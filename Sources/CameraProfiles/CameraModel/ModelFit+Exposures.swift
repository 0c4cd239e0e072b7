internal import ColorScience

extension ModelFit {
  /// The exposure to which light is proportional and whose light is that of another exposure under
  /// a lamp: itself if it was observed, or if light is proportional to all exposures. The logarithm
  /// of light is interpolated linearly between the logarithms of observed exposures, and
  /// extrapolated from the last two.
  package func equivalent(to exposure: Double, under lamp: Int) -> Double {
    let points = seenExposures(under: lamp)
    let wanted = logarithm(exposure)
    guard points.count > 1, !points.contains(where: { $0.number == wanted }) else {
      return exposure
    }
    let above = points.firstIndex { $0.number > wanted } ?? points.count
    let last = min(max(above, 1), points.count - 1)
    let (low, high) = (points[last - 1], points[last])
    let share = (wanted - low.number) / (high.number - low.number)
    return exponential(low.light + share * (high.light - low.light))
  }

  /// The logarithms of exposures whose light was unknown and could be seen under a lamp, and of
  /// exposure 1, in rising order, with the logarithms of their light.
  private func seenExposures(under lamp: Int) -> [(number: Double, light: Double)] {
    guard let best = candidates.first else { return [] }
    var points = [(number: 0.0, light: 0.0)]
    for (index, exposure) in looks.unknownExposures.enumerated() where exposure.lamp == lamp {
      let isSeen = (0..<looks.count).contains { look in
        looks.exposureIndices[look] == index && (0..<3).contains { looks.isUsed[3 * look + $0] }
      }
      if isSeen {
        let shift = best.parameters[best.model.layout.exposures + index]
        points.append((exposure.logExposure, exposure.logExposure + shift))
      }
    }
    return points.sorted { $0.number < $1.number }
  }
}

extension ModelFit {
  /// The settings that were observed nearest to others, if laws have stairs: between two observed
  /// values, a gain is that of one of them. Otherwise the same settings.
  package func seenSettings(nearest settings: [ControlID: Int]) -> [ControlID: Int] {
    guard traits.contains(.stairs) else { return settings }
    var result = settings
    for control in controls.descriptions {
      guard let wanted = settings[control.id] else { continue }
      let seen = observations.compactMap { $0.settings[control.id] }
      result[control.id] = seen.min { abs($0 - wanted) < abs($1 - wanted) } ?? wanted
    }
    return result
  }
}
