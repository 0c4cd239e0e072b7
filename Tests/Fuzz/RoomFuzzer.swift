import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import WhiteBalance

@testable import wbcal

let seeds: [[UInt8]] = {
  let identities = ["left", "right"].map {
    CameraIdentity(driver: "uvcvideo", name: "Camera", id: "usb-\($0)")
  }
  let curve = try! CurveCameraModel(points: [
    .init(kelvin: 2500, red: 0.9, blue: 0.4), .init(kelvin: 8000, red: 0.4, blue: 0.8),
  ])
  let members = identities.map { identity in
    Room.Member(
      device: identity.id, identity: identity,
      profile: CameraProfile(created: "", generator: "", device: identity, model: .curve(curve)),
      toneCurve: .gamma(2.2), exposure: [ControlValue(.exposureTime, 100)],
      whiteBalance: [ControlValue(.redBalance, 300), ControlValue(.blueBalance, 400)],
      card: LinearRGB(red: 0.2, green: 0.2, blue: 0.2), before: 8, after: 0.1)
  }
  let room = Room(
    created: "", generator: "", reference: LinearRGB(red: 0.2, green: 0.2, blue: 0.2),
    cameras: members)
  return [[UInt8](try! JSONEncoder().encode(room))]
}()

/// Checks that a room that can be read is read back as it was written.
func test(_ bytes: [UInt8]) {
  guard let room = try? JSONDecoder().decode(Room.self, from: Data(bytes)),
    let written = try? JSONEncoder().encode(room)
  else { return }
  guard (try? JSONDecoder().decode(Room.self, from: written)) == room else {
    fatalError("a room is not read back as it was written")
  }
}
