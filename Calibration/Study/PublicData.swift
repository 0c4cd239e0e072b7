import ColorScience
import SimulatedCamera
import WhiteBalance

/// The lamps on which cameras are compared: those that a gray card can be balanced under.
///
/// Left out are lights that are no lamps (`other`), copies of another, and those beyond 1800…20 000 K
/// or |Duv| 0.03: low-pressure sodium and a filtered printing lamp.
let publicLamps: [MeasuredLamp] = MeasuredLamp.all.filter { lamp in
  guard lamp.kind != "other", !copies.contains(lamp.name),
    let light = CorrelatedColorTemperature(lamp.chromaticity)
  else { return false }
  return (1800...20_000).contains(light.kelvin) && abs(light.duv) <= 0.03
}

/// The spectra of A, C and Incandescent once more.
private let copies = ["SA", "SC", "60 A/W (Soft White)"]

/// The response of every public camera to every public lamp.
let publicMeasurements: [[CameraPrior.Measurement]] = MeasuredSensor.all.map { sensor in
  publicLamps.map {
    CameraPrior.Measurement(light: $0.chromaticity, response: sensor.response(to: $0.spectrum))
  }
}

/// For every public camera, the prior from all the others.
let leaveOneOutPriors: [CameraPrior] = publicMeasurements.indices.map { camera in
  var others = publicMeasurements
  others.remove(at: camera)
  guard let prior = CameraPrior(cameras: others) else {
    preconditionFailure("\(MeasuredSensor.all[camera].name) cannot be left out")
  }
  return prior
}
