import ColorScience
import Foundation
import SimulatedScenes
import WhiteBalance

/// The lamps on which cameras are compared: those that a gray card can be balanced under.
///
/// Left out are lights that no lamp makes, copies of others, and those outside 1800…20 000 K or
/// |Duv| ≤ 0.03: low-pressure sodium and a filtered printing lamp.
let publicLamps: [MeasuredLamp] = MeasuredLamp.all.filter {
  $0.technology != nil && !copies.contains($0.name) && ReferenceLamps.isUsable($0.chromaticity)
}

/// Further names for the spectra of A, C and Incandescent.
private let copies = ["SA", "SC", "60 A/W (Soft White)"]

/// The lamps that are not CIE's, as the library stores them.
let publicReferenceLamps: [(name: String, lamp: ReferenceLamp)] = publicLamps.compactMap { lamp in
  guard StandardIlluminant(named: lamp.name) == nil else { return nil }
  return lamp.technology.map {
    (
      lamp.name,
      ReferenceLamp(
        technology: $0, chromaticity: lamp.chromaticity, power: SensorGrid.power(of: lamp.spectrum))
    )
  }
}

/// For each public camera its red, green and blue on the library's grid.
let publicChannels: [[[Double]]] = MeasuredSensor.all.map(\.sensitivities.onGrid)

/// For every public camera, the prior from all the others.
let leaveOneOutPriors: [CameraPrior] = publicChannels.indices.map { camera in
  guard let prior = CameraPrior.publicCameras.without(camera: camera) else {
    preconditionFailure("\(MeasuredSensor.all[camera].name) cannot be left out")
  }
  return prior
}
