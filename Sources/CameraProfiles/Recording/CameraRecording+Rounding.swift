extension CameraRecording {
  /// The steps in which the camera takes values of controls, if it reported values that were
  /// rounded down to multiples of a step larger than the control's.
  ///
  /// A camera may also round only what it reports, which the pictures show.
  var reportedSteps: [ControlID: Int] {
    var steps: [ControlID: Int] = [:]
    for (id, pairs) in otherReadings {
      guard let control = camera.controls.first(where: { $0.id == id }), control.items.isEmpty,
        pairs.count >= Self.leastReadings
      else { continue }
      let largest = (control.maximum - control.minimum) / Self.leastSteps
      steps[id] = (control.step + 1..<max(largest, control.step + 2)).first { step in
        pairs.allSatisfy { $0.written / step * step == $0.read }
      }
    }
    return steps
  }

  /// The least number of values that were reported rounded, and of steps in a control's range.
  private static let (leastReadings, leastSteps) = (3, 16)

  /// The values that the camera reported for each control after others were set, at last.
  private var otherReadings: [ControlID: [(written: Int, read: Int)]] {
    var written: [ControlID: Int] = [:]
    var read: [ControlID: Int] = [:]
    var pairs: [ControlID: [(written: Int, read: Int)]] = [:]
    func close(_ id: ControlID) {
      guard let value = written.removeValue(forKey: id), let last = read.removeValue(forKey: id),
        last != value
      else { return }
      pairs[id, default: []].append((value, last))
    }
    for event in events {
      switch event {
      case .set(let values):
        for value in values {
          close(value.id)
          written[value.id] = value.value
        }
      case .read(let value) where written[value.id] != nil: read[value.id] = value.value
      case .read, .refused, .light, .streamStopped, .frame: break
      }
    }
    for id in Array(written.keys) { close(id) }
    return pairs
  }
}

extension CameraRecording.Look {
  /// The observation with settings rounded down to multiples of steps.
  func rounded(to steps: [ControlID: Int]) -> Self {
    var look = self
    for (id, step) in steps {
      if let value = look.observation.settings[id] {
        look.observation.settings[id] = value / step * step
      }
    }
    return look
  }
}
