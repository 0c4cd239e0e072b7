#if GenICam
import CameraControl
import CameraProfiles
import Testing

@testable import GenICam

/// Cameras that are equal in their maker and model.
struct CameraDirectoryTests {
  private func entry(
    _ serial: String, model: String = "Cam 5", at address: String
  ) -> CameraDirectory.Entry {
    .init(
      device: "Acme-Cam-\(serial)-\(address)", serial: serial,
      camera: ConnectedCamera(
        identity: CameraDirectory.identity(
          bus: "GigEVision", maker: "Acme", model: model, serial: serial, address: address),
        path: address, bus: "GigEVision", problem: nil))
  }

  @Test func aSerialNumberIsTheIdentityWhateverTheAddress() {
    #expect(entry("17", at: "10.0.0.2").camera.identity.id == "genicam:Acme-Cam_5-17")
    #expect(entry("17", at: "10.0.0.3").camera.identity.id == "genicam:Acme-Cam_5-17")
  }

  @Test(arguments: ["", "  "])
  func withoutASerialNumberTheAddressDistinguishes(serial: String) throws {
    let all = [entry(serial, at: "10.0.0.2"), entry(serial, at: "10.0.0.3")]
    #expect(
      all.map(\.camera.identity.id) == [
        "genicam:Acme-Cam_5-10.0.0.2", "genicam:Acme-Cam_5-10.0.0.3",
      ])
    for name in ["Acme-Cam_5-10.0.0.3", "10.0.0.3"] {
      #expect(try CameraDirectory.entry(named: name, among: all).camera.path == "10.0.0.3")
    }
  }

  @Test func oneSerialNumberOfTwoCamerasIsRefused() throws {
    let all = [entry("17", at: "10.0.0.2"), entry("17", at: "10.0.0.3")]
    for name in ["17", "Acme-Cam_5-17"] {
      #expect(
        throws: CameraError.ambiguous(
          name, candidates: ["genicam:10.0.0.2", "genicam:10.0.0.3"])
      ) { try CameraDirectory.entry(named: name, among: all) }
    }
    #expect(try CameraDirectory.entry(named: "10.0.0.2", among: all).camera.path == "10.0.0.2")
  }

  @Test func camerasOfOneSerialNumberAreNamedByTheirModelsIfTheseDiffer() {
    let all = [entry("17", at: "10.0.0.2"), entry("17", model: "Cam 6", at: "10.0.0.3")]
    #expect(
      throws: CameraError.ambiguous(
        "17", candidates: ["genicam:Acme-Cam_5-17", "genicam:Acme-Cam_6-17"])
    ) { try CameraDirectory.entry(named: "17", among: all) }
  }
}
#endif
