internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The error of a curve that needs no more points.
  private static let smooth = 0.01

  /// The path of a control that moves red and blue together: a temperature, or a menu of lights.
  func probePath(
    _ control: ControlDescription, from start: PictureWatch.Rest, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> ControlLaws {
    let id = control.id
    let values =
      control.items.isEmpty
      ? Set((0...12).map { control.value(atShare: Double($0) / 12) }).sorted() : control.choices
    let standard = control.defaultValue
    let reference = values.min { abs($0 - standard) < abs($1 - standard) } ?? standard
    var latency = latency ?? 0
    var seen: [(value: Int, ratios: SIMD2<Double>)] = []
    var (tried, total) = (0, 0)
    var shown: PictureWatch.Rest?
    func probe(_ values: [Int]) async throws(CameraError) {
      total += values.count
      progress(tried, total)
      let looks = try await look(
        inSuccession: values.map { [ControlValue(id, $0)] }, like: start, isBrightWelcome: true)
      // The camera stands at the last of them.
      shown = looks.last?.picture
      for (value, look) in zip(values, looks) {
        progress(tried, total)
        tried += 1
        var observation = look.picture
        if case .unclear = look {
          observation = try await observe([ControlValue(id, value)], from: shown)
          shown = observation
        }
        guard let observation else { continue }
        latency = max(latency, observation.latency ?? 0)
        seen.append((value, observation.ratios))
      }
    }
    func path() -> GainPath? {
      guard let origin = seen.first(where: { $0.value == reference })?.ratios else { return nil }
      return GainPath(
        control: control, reference: reference,
        points: seen.map {
          let change = $0.ratios - origin
          return GainPath.Point(
            value: $0.value, red: exponential(change.x), blue: exponential(change.y))
        })
    }
    let back = values.reversed().dropFirst().enumerated().filter { $0.offset % 3 == 1 }
      .map(\.element)
    try await probe(values + back)
    guard var found = path() else { throw Self.nothingSeen(of: id) }
    // What mixes the channels bends a curve, and more points follow it.
    if found.fitError > Self.smooth {
      try await probe(
        zip(values, values.dropFirst()).map { control.snapped(Double($0 + $1) / 2) }
          .filter { !values.contains($0) })
      found = path() ?? found
    }
    guard Self.spread(seen.map(\.ratios)) > 0.02 else { throw Self.noChange(by: id) }
    try Self.requireSmooth(found.fitError, id)
    return try await completed(ControlLaws(.path(found), latency: latency))
  }
}
