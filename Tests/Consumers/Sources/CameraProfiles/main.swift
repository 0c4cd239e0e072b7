import CameraProfiles

let control = ControlDescription(id: .redBalance, minimum: 0, maximum: 255, defaultValue: 128)
precondition(control.nearestValue(to: 300.4) == 255)
