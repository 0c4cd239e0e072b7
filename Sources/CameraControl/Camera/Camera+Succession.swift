internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Whether settings of the white balance are there at once, after frames whose number is known,
  /// and few are to be looked at: then several may be sent in quick succession, while it is tried
  /// whether the quick way leads anywhere.
  var isPrompt: Bool {
    turnsOffOnce && latency != nil && pace == 1 && !flickers && !comesFromBelow
  }

  /// What frames show of settings of which each is sent before the one before it is seen, so that
  /// it takes no latency of its own.
  ///
  /// When they are seen is told by the first one: nothing changes before it is due, and all is
  /// another picture then. The order of the pictures tells the rest, however late each is; so two
  /// settings in a row that look alike tell nothing.
  ///
  /// - Parameters:
  ///   - known: the number of frames after which a setting shows; where it is `nil`, the first
  ///     change tells.
  ///   - count: the number of frames to look at each setting, at least 2, beside one in which it
  ///     may still be late.
  ///   - isSame: whether two frames may show the same setting.
  ///   - next: reads the next frame.
  /// - Returns: the latency, if any setting was seen, and what the frames of each showed; `nil` for
  ///   one that can only be looked at by itself, since its frames differ, one was lost, or the
  ///   camera reports another value.
  dynamic func readInSuccession<Reading>(
    _ settings: [[ControlValue]], latency known: Int?, count: Int,
    isSame: (Reading, Reading) -> Bool,
    next: () async throws(CameraError) -> (FrameInfo, Reading)
  ) async throws(CameraError) -> (latency: Int?, seen: [[Reading]?]) {
    let unknown = (Int?.none, settings.map { _ in [Reading]?.none })
    guard let first = settings.first, try await self.settings(of: first) != first else {
      return unknown
    }
    let (start, before) = try await next()
    var frames: [(number: Int, reading: Reading)] = []
    var sent: [Int] = []
    for values in settings {
      try await send(values)
      sent.append(frames.last?.number ?? start.sequence)
      for _ in 0...count {
        let (info, reading) = try await next()
        frames.append((info.sequence, reading))
      }
      guard try await misreported(values).isEmpty else { return unknown }
    }
    let changed = frames.first { !isSame($0.reading, before) }
    guard let latency = known ?? changed.map({ $0.number - sent[0] - 1 }) else { return unknown }
    for _ in 0..<latency {
      let (info, reading) = try await next()
      frames.append((info.sequence, reading))
    }
    func readings(_ numbers: Range<Int>) -> [Reading] {
      frames.filter { numbers.contains($0.number) }.map(\.reading)
    }
    // None may show before the first is due.
    let change = sent[0] + latency + 1
    let early = readings(sent[0] + 1..<change)
    guard early.count == latency, early.allSatisfy({ isSame($0, before) }),
      readings(change + 1..<change + 1 + count).allSatisfy({ !isSame($0, before) })
    else { return unknown }
    var runs: [[Reading]] = [[before]]
    for (_, reading) in frames {
      if let last = runs[runs.count - 1].last, isSame(reading, last) {
        runs[runs.count - 1].append(reading)
      } else {
        runs.append([reading])
      }
    }
    guard runs.count == settings.count + 1 else { return unknown }
    let seen = runs.dropFirst().map { $0.count >= count ? Array($0.suffix(count)) : nil }
    return (latency, seen)
  }

  /// What settings that are sent in quick succession show, in full light.
  ///
  /// - Parameter isBrightWelcome: whether what is so bright may be taken that something behind the
  ///   gains may be clipped.
  func look(
    inSuccession settings: [[ControlValue]], like rest: PictureWatch.Rest,
    isBrightWelcome: Bool = false
  ) async throws(CameraError) -> [QuickLook] {
    var light = LessLight(isWanted: !isBrightWelcome)
    return try await look(
      inSuccession: settings, expecting: settings.map { _ in 0 }, like: rest, in: &light)
  }

  /// The picture of settings that are sent in quick succession, in light that stays less as long
  /// as it is needed.
  ///
  /// - Parameters:
  ///   - levels: those of the brightest channel in full light, as far as they can be told.
  ///   - rest: a picture that tells how noisy the others are.
  func look(
    inSuccession settings: [[ControlValue]], expecting levels: [Double],
    like rest: PictureWatch.Rest, in light: inout LessLight
  ) async throws(CameraError) -> [QuickLook] {
    guard isPrompt, let latency else { return settings.map { _ in .unclear } }
    // What comes twice in a row looks alike, and is sent once.
    let news = settings.indices.filter { $0 == 0 || settings[$0] != settings[$0 - 1] }
    if news.count < settings.count {
      let seen = try await look(
        inSuccession: news.map { settings[$0] }, expecting: news.map { levels[$0] }, like: rest,
        in: &light)
      return settings.indices.map { place in seen[news.count { $0 <= place } - 1] }
    }
    let areBright = levels.map { $0 > Self.bright }
    var seen: [QuickLook] = []
    if exposureSeries?.latency == latency, light.isOn || areBright.contains(true),
      let (control, now) = try await manualExposure()
    {
      // The light follows as soon as the balance does, and changes with it.
      let full = light.full ?? now
      let less = LessLight(full: full, control)
      var isLess = light.isOn
      let both = zip(settings, areBright).map { values, isBright in
        defer { isLess = isBright }
        return isBright == isLess
          ? values : values + [ControlValue(control.id, isBright ? less.time : full)]
      }
      let seen = try await look(
        both, in: areBright.map { $0 ? less : LessLight() }, latency, like: rest)
      // A camera may be late to report it.
      light = isLess ? less : LessLight()
      if !seen.contains(where: \.isClear) {
        light = less
        try await endLessLight(&light)
      }
      return seen
    }
    while seen.count < settings.count {
      let isBright = areBright[seen.count]
      let group = settings.indices[seen.count...].prefix { areBright[$0] == isBright }
      try await setLight(isLess: isBright, &light)
      seen += try await look(
        Array(settings[group]), in: group.map { _ in light }, latency, like: rest)
    }
    return seen
  }

  private func look(
    _ settings: [[ControlValue]], in lights: [LessLight], _ latency: Int,
    like rest: PictureWatch.Rest
  ) async throws(CameraError) -> [QuickLook] {
    let readings = try await readInSuccession(
      settings, latency: latency, count: rest.framesAlike, isSame: { $0.isLike($1) }
    ) { () async throws(CameraError) in try await nextMean() }.seen
    return zip(readings, lights).map { reading, light in
      reading.map { QuickLook($0, like: rest, in: light) } ?? .unclear
    }
  }
}

extension Array {
  /// The elements of one half alternating with those of the other, so that what is clipped or black
  /// at one end comes between what is seen.
  var alternating: [Element] {
    let half = (count + 1) / 2
    return indices.map { self[$0 % 2 == 0 ? $0 / 2 : half + $0 / 2] }
  }
}

/// What a few frames tell of a setting.
enum QuickLook {
  case seen(PictureWatch.Rest)
  /// It is clipped even in less light, or black in full light.
  case unseen
  /// It is to be looked at by itself.
  case unclear

  fileprivate init(_ means: [RegionMean], like rest: PictureWatch.Rest, in light: LessLight) {
    if var picture = PictureWatch.Rest(averaging: means, like: rest) {
      picture.exposure = light.factor
      let isTooBright =
        picture.mean.vector.max() > Camera.bright && light.isWanted && !light.isOn
      self = isTooBright ? .unclear : .seen(picture)
    } else {
      self = means.allSatisfy { $0.refusals.areOfBright == light.isOn } ? .unseen : .unclear
    }
  }

  var isClear: Bool { if case .unclear = self { false } else { true } }

  /// The picture, if it can be measured.
  var picture: PictureWatch.Rest? { if case .seen(let picture) = self { picture } else { nil } }
}

extension PictureWatch.Rest {
  /// The number of frames whose mean is certain enough: less than four of little noise.
  fileprivate var framesAlike: Int {
    let noise = noise * (Double(frames) / 4).squareRoot()
    return PictureWatch.framesInSuccession(noise: noise)
  }

  /// The mean of a few frames; `nil` where they are clipped or black.
  fileprivate init?(averaging means: [RegionMean], like other: PictureWatch.Rest) {
    let ratios = means.compactMap(\.ratios)
    guard !means.isEmpty, ratios.count == means.count else { return nil }
    let count = Double(means.count)
    self.init(
      ratios: PictureWatch.mean(ratios),
      noise: max(
        other.noise * (Double(other.frames) / count).squareRoot(), Camera.spread(ratios) / 2),
      frames: means.count, darkness: means.map(\.darkness).max() ?? 0,
      mean: LinearRGB(means.reduce(.zero) { $0 + $1.mean.vector / count }), latency: nil,
      pace: nil, firstFrame: nil, cameBack: false, flickers: nil)
  }
}

extension PictureWatch {
  /// The number of frames that are looked at of each of several settings: less than four where
  /// their noise is little.
  ///
  /// - Parameter noise: that of a frame, relative.
  static func framesInSuccession(noise: Double) -> Int {
    let count = noise * noise / variance
    return min(max(Int(count), min(Int((4 * count).rounded(.up)), 4), 2), 24)
  }
}

extension RegionMean {
  /// Whether two frames may show the same.
  fileprivate func isLike(_ other: RegionMean) -> Bool {
    guard let ratios, let others = other.ratios else {
      return ratios == nil && other.ratios == nil
        && refusals.areOfBright == other.refusals.areOfBright
    }
    return PictureWatch.size(ratios - others)
      < max(0.002, 6 * max(standardError, other.standardError))
  }
}
